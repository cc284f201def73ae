import type { Program } from '../../guards/program.ts';
import { once } from '../../python/semantic/memoise.ts';
import { rules } from '../index.ts';
import type { Finding, Knowledge, Severity } from './contract.ts';

export interface Selection {
  /** Codes or prefixes (`GPU1`); absent means all. */
  readonly select?: readonly string[];
  readonly ignore?: readonly string[];
  /** Severity of a rule's flags instead of its own; `off` switches it off. Hints stay hints. */
  readonly severity?: Readonly<Record<string, Severity | 'off'>>;
}

export interface CheckOptions extends Selection {
  readonly known?: Knowledge;
  /** The project's own loaders. */
  readonly loaders?: Knowledge['loaders'];
  /** Told once for each rule that threw; the rule is left out for this program and the others go on. */
  readonly onRuleError?: (code: string, error: unknown) => void;
}

/** True when the selection lets the rule run. The longest matching prefix decides; `ignore` wins a tie. */
export function isSelected(code: string, selection: Selection): boolean {
  if (selection.severity?.[code] === 'off') return false;
  const longest = (prefixes: readonly string[]) =>
    Math.max(-1, ...prefixes.filter((prefix) => code.startsWith(prefix)).map((prefix) => prefix.length));
  const selected = selection.select === undefined ? 0 : longest(selection.select);
  return selected > longest(selection.ignore ?? []);
}

/** Runs the selected rules over a program and returns the findings in source order. */
export function check(program: Program, options: CheckOptions = {}): Finding[] {
  const findings: Finding[][] = [];
  // Of this check alone: rules remember by it what they have in common.
  const known: Knowledge = { ...options.known, loaders: options.loaders };
  for (const rule of rules) {
    if (!isSelected(rule.code, options)) continue;
    const own: Finding[] = [];
    try {
      rule.check(
        program,
        ({ span, verdict, severity: special, message, related = [], fixes = () => [] }) => {
          const flag = options.severity?.[rule.code] ?? special ?? rule.severity;
          const severity = verdict === 'hint' || flag === 'off' ? 'hint' : flag;
          // Working a fix out takes longer than finding what it is for.
          own.push({ code: rule.code, severity, span, message, related, fixes: once(fixes) });
        },
        known,
      );
      findings.push(own);
    } catch (error) {
      options.onRuleError?.(rule.code, error);
    }
  }
  return findings
    .flat()
    .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end || (a.code < b.code ? -1 : 1));
}
