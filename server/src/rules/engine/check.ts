/** Runs rules over a program: selects rules and assigns severities to their findings. */
import type { Program } from '../../guards/program.ts';
import type { ProjectView } from '../../guards/projectView.ts';
import { isInOtherFile, type Reason } from '../../guards/reason.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { once } from '../../python/semantic/memoize.ts';
import type { Span } from '../../python/semantic/source.ts';
import type { Fix } from '../edits/fix.ts';
import { withinLines } from '../edits/lineLength.ts';
import type { Finding, Knowledge, Observation, RuleMetadata, Severity } from './contract.ts';
import { dispatch } from './dispatch.ts';
import { joinFixes } from './joinFixes.ts';
import type { Rule, RuleContext } from './rule.ts';
import type { Derived, Matches, Selector } from './selector.ts';
import { isTestFile } from './testFile.ts';

export interface Selection {
  /** Codes or prefixes (`GPU1`); absent for all rules that are on by default. */
  readonly select?: readonly string[];
  readonly ignore?: readonly string[];
  /** Severities for flags that override the rules' own; `off` disables a rule. Hints stay hints. */
  readonly severity?: Readonly<Record<string, Severity | 'off'>>;
}

export interface CheckOptions extends Selection {
  readonly known?: Knowledge;
  /** The project's folder. The names of its parent folders say nothing about the program. */
  readonly root?: string | undefined;
  /** Reasons why everything in this file is a hint, such as that it is a vendored copy. */
  readonly aboutFile?: readonly Reason[];
  /** Gives a program access to the rest of its project. */
  readonly projectOf?: ((program: Program) => ProjectView | undefined) | undefined;
  /** The project's own loaders. */
  readonly loaders?: Knowledge['loaders'];
  /** Called once per rule that throws. The rule is skipped for this program and the others continue. */
  readonly onRuleError?: (code: string, error: unknown) => void;
}

/** The prefix that selects the rules that are on by default. */
const DEFAULT_RULES = 'GPU';

/**
 * True if the selection enables the rule. The longest matching prefix decides; `ignore` wins a tie. A rule that is off
 * by default needs a severity, or a prefix longer than the one that selects all rules.
 */
export function isSelected({ code, isOffByDefault }: SelectedRule, selection: Selection): boolean {
  const severity = selection.severity?.[code];
  if (severity === 'off') return false;
  const longest = (prefixes: readonly string[]) =>
    Math.max(-1, ...prefixes.filter((prefix) => code.startsWith(prefix)).map((prefix) => prefix.length));
  const selected = selection.select === undefined ? 0 : longest(selection.select);
  if (isOffByDefault && severity === undefined && selected <= DEFAULT_RULES.length) return false;
  return selected > longest(selection.ignore ?? []);
}

/** The part of a rule that the selection depends on. */
type SelectedRule = Pick<RuleMetadata, 'code' | 'isOffByDefault'>;

/**
 * Runs the selected rules over a program and returns the findings in source order. The rest of its project is consulted
 * only if the program by itself has more than hints, or if a rule asks for it: for other rules, the project can lower
 * findings but not raise them.
 */
export function check(program: Program, rules: readonly Rule[], options: CheckOptions = {}): Finding[] {
  const findings = checkAlone(program, rules, options);
  if (!options.projectOf) return findings;
  if (findings.every(({ severity }) => severity === 'hint') && !asksProject(program, rules, options)) return findings;
  const project = options.projectOf?.(program);
  return project ? checkAlone(program.inProject(project), rules, options) : findings;
}

function asksProject(program: Program, rules: readonly Rule[], options: CheckOptions): boolean {
  const { selected, matches } = selectAndMatch(program, rules, options);
  return selected.some(({ asksProject: selector }) => {
    try {
      return selector !== undefined && matches.of(selector).length > 0;
    } catch {
      // `onRuleError` has received the error, and the rule reports nothing.
      return false;
    }
  });
}

function checkAlone(program: Program, rules: readonly Rule[], options: CheckOptions): Finding[] {
  const { selected, matches } = selectAndMatch(program, rules, options);
  const shared = contextOf(program, matches, options);
  const findings: Finding[] = [];
  for (const rule of selected) {
    const observations = new Map<string, Observation>();
    const report = (observation: Observation) => {
      const place = `${observation.span.start} ${observation.span.end}`;
      const before = observations.get(place);
      if (!before || (isHint(before) && !isHint(observation))) observations.set(place, observation);
    };
    try {
      rule.listener.handle({ ...shared, report });
    } catch (error) {
      options.onRuleError?.(rule.code, error);
      continue;
    }
    for (const observation of observations.values()) findings.push(findingOf(observation, rule, options, program));
  }
  const { aboutFile = [] } = options;
  const judged = joinFixes(yielding(findings, selected));
  return (aboutFile.length > 0 ? judged.map((finding) => asHint(finding, aboutFile)) : judged).sort(
    (a, b) => a.span.start - b.span.start || a.span.end - b.span.end || (a.code < b.code ? -1 : 1),
  );
}

/** Turns a finding into a hint if a rule that it yields to reports more than a hint at the same place. */
function yielding(findings: readonly Finding[], selected: readonly Rule[]): Finding[] {
  const yields = new Map(selected.flatMap(({ code, yieldsTo }) => (yieldsTo ? [[code, yieldsTo]] : [])));
  return findings.map((finding) => {
    const { severity, span } = finding;
    const to = severity === 'hint' ? undefined : yields.get(finding.code);
    const before =
      to && findings.find((each) => to.includes(each.code) && each.severity !== 'hint' && overlaps(each.span, span));
    if (!before) return finding;
    return asHint(finding, [{ because: `${before.code} reports this call`, at: before.span }]);
  });
}

/** Returns the finding as a hint, with further reasons. Its fixes become suggestions. */
export function asHint(finding: Finding, reasons: readonly Reason[]): Finding {
  const fixes = () => finding.fixes().map((fix): Fix => (fix.tier === 'safe' ? { ...fix, tier: 'suggestion' } : fix));
  const related = [...finding.related, ...placesElsewhere(reasons)];
  return { ...finding, severity: 'hint', related, reasons: [...finding.reasons, ...reasons], fixes };
}

/** Returns the places of reasons in other files, which no line of this file shows. */
const placesElsewhere = (reasons: readonly Reason[]): Finding['related'] =>
  reasons.flatMap(({ because, at }) =>
    at && isInOtherFile(at) ? [{ elsewhere: at, message: `Only a hint because ${because}.` }] : [],
  );

const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/** Selects rules, and finds all matches of their selectors in a program. */
export function selectAndMatch(program: Program, rules: readonly Rule[], options: CheckOptions) {
  const selected = rules.filter((rule) => isSelected(rule, options));
  const selectors = selectorsOf(rules, selected);
  return { selected, selectors, matches: dispatch(program, selectors, options.loaders) };
}

/** Returns the selectors of the selected rules; the same list for the same selection. */
function selectorsOf(rules: readonly Rule[], selected: readonly Rule[]): readonly Selector<unknown>[] {
  const byCodes = selectorsBy.get(rules) ?? new Map<string, readonly Selector<unknown>[]>();
  selectorsBy.set(rules, byCodes);
  const codes = selected.map(({ code }) => code).join();
  const known = byCodes.get(codes);
  if (known) return known;
  const selectors = [...new Set(selected.flatMap(({ listener }) => listener.selectors))];
  byCodes.set(codes, selectors);
  return selectors;
}

/** Lists of selectors, keyed by the codes of the selected rules. */
const selectorsBy = new WeakMap<readonly Rule[], Map<string, readonly Selector<unknown>[]>>();

function contextOf(program: Program, matches: Matches, options: CheckOptions): Omit<RuleContext, 'report'> {
  const known: Knowledge = { ...options.known, loaders: options.loaders };
  const isTest = isTestFile(program.source.path, options.root);
  const derived = new Map<Derived<unknown>, readonly unknown[]>();
  return {
    program,
    known,
    isTestFile: isTest,
    aboutFile: isTest ? [{ because: 'this is a test file' }] : [],
    matchesOf<T>(selector: Selector<T> | Derived<T>) {
      if (!('from' in selector)) return matches.of(selector);
      const found = derived.get(selector) ?? selector.resolve(matches, program, known);
      derived.set(selector, found);
      return found as readonly T[];
    },
    evidenceAt: (expression) => program.guards.evidenceAt(conditionsOf(expression)),
  };
}

/** True for an observation that is reported as a hint, regardless of its rule's severity. */
const isHint = ({ level, reasons = [] }: Observation): boolean => level === 'hint' || reasons.length > 0;

function findingOf(
  observation: Observation,
  { code, severity: usual }: Rule,
  { severity: configured, known }: CheckOptions,
  program: Program,
): Finding {
  const { span, severity: special, message, related = [], reasons = [], fixes = () => [] } = observation;
  const flag = configured?.[code] ?? special ?? usual;
  const severity = isHint(observation) || flag === 'off' ? 'hint' : flag;
  // Computing a fix takes longer than finding its place.
  const inLayout = () => fixes().map((fix) => withinLines(program, fix, known?.lineLength));
  return {
    code,
    severity,
    span,
    message,
    related: [...related, ...placesElsewhere(reasons)],
    reasons,
    fixes: once(inLayout),
  };
}
