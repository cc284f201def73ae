/** Runs the selected rules over a program. */
import type { Program } from '../../guards/program.ts';
import type { ProjectView } from '../../guards/projectView.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { withinLines } from '../edits/lineLength.ts';
import { adjust } from './adjust.ts';
import type { Finding, Knowledge } from './contract.ts';
import { dispatch } from './dispatch.ts';
import { type ObserveOptions, observe } from './observe.ts';
import type { Rule, RuleContext } from './rule.ts';
import { isSelected, type Selection } from './selection.ts';
import type { Derived, Matches, Selector } from './selector.ts';
import { isScriptNamedTest, isTestFile } from './testFile.ts';

export interface CheckOptions extends Selection, ObserveOptions {
  readonly known?: Knowledge;
  /** The project's folder. The names of its parent folders say nothing about the program. */
  readonly root?: string | undefined;
  /** Gives a program access to the rest of its project. */
  readonly projectOf?: ((program: Program) => ProjectView | undefined) | undefined;
  /** The project's own loaders. */
  readonly loaders?: Knowledge['loaders'];
}

/** Returns the findings of the selected rules in a program, as `lint` shows them but for what is said of the file. */
export function checkProgram(program: Program, rules: readonly Rule[], options: CheckOptions = {}): Finding[] {
  return adjust(checkInProject(program, rules, options), { rules });
}

/**
 * Returns what the selected rules find in a program. The rest of its project is consulted only if the program by itself
 * has more than hints, or if a rule asks for it. Only rules that find something run again then: for others, the project
 * can lower findings but not raise them.
 */
export function checkInProject(program: Program, rules: readonly Rule[], options: CheckOptions): Finding[] {
  const { selected, matches } = selectAndMatch(program, rules, options);
  const alone = findingsIn(program, selected, matches, options);
  if (!options.projectOf) return alone;
  const asking = selected.filter(({ asksProject }) => asksProject?.(matches));
  if (asking.length === 0 && alone.every(({ severity }) => severity === 'hint')) return alone;
  const project = options.projectOf(program);
  if (!project) return alone;
  const found = new Set(alone.map(({ code }) => code));
  const again = selected.filter((rule) => asking.includes(rule) || found.has(rule.code));
  const inProject = program.inProject(project);
  return findingsIn(inProject, again, dispatch(inProject, selectorsOf(rules, again), options.loaders), options);
}

function findingsIn(program: Program, rules: readonly Rule[], matches: Matches, options: CheckOptions): Finding[] {
  const shared = contextOf(program, matches, options);
  const { known } = options;
  return observe(
    rules,
    {
      run({ listener }, observer) {
        listener.handle({ ...shared, ...observer });
        for (const selector of listener.selectors) for (const error of matches.errorsOf(selector)) observer.fail(error);
      },
      placeOf: ({ span }) => `${span.start} ${span.end}`,
      layOut: (fix) => withinLines(program, fix, known?.lineLength),
    },
    options,
  );
}

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

/** The part of the context that all rules share. */
type SharedContext = Omit<RuleContext, 'report' | 'attempt'>;

function contextOf(program: Program, matches: Matches, options: CheckOptions): SharedContext {
  const known: Knowledge = { ...options.known, loaders: options.loaders };
  const isTest = isTestFile(program.source.path, options.root) && !isScriptNamedTest(program);
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
