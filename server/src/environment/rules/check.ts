import type { CheckOptions } from '../../rules/engine/check.ts';
import type { Finding } from '../../rules/engine/contract.ts';
import type { EnvironmentFile } from '../environmentFile.ts';
import type { EnvironmentRule } from './environmentRule.ts';
import { atOwnFile } from './includedPlaces.ts';

/** Runs rules over a file and returns the findings in source order, without duplicates from shared requirements. */
export function checkEnvironment(
  file: EnvironmentFile,
  rules: readonly EnvironmentRule[],
  options: CheckOptions = {},
): Finding[] {
  const findings = new Map<string, Finding>();
  for (const rule of rules) {
    const own = new Map<string, Finding>();
    try {
      for (const installation of file.installations)
        rule.check(
          installation,
          (observation) => {
            const here = atOwnFile(observation, file);
            if (here === undefined) return;
            const { span, level, severity: special, message, related = [], fixes = () => [] } = here;
            const flag = options.severity?.[rule.code] ?? special ?? rule.severity;
            const severity = level === 'hint' || flag === 'off' ? 'hint' : flag;
            const key = `${rule.code} ${span.start} ${message}`;
            if (!own.has(key)) own.set(key, { code: rule.code, severity, span, message, related, reasons: [], fixes });
          },
          file,
          options.known,
        );
      for (const [key, finding] of own) findings.set(key, finding);
    } catch (error) {
      options.onRuleError?.(rule.code, error);
    }
  }
  return [...findings.values()].sort(
    (a, b) => a.span.start - b.span.start || a.span.end - b.span.end || (a.code < b.code ? -1 : 1),
  );
}
