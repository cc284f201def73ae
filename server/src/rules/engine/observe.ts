/** Runs rules of any kind, and turns their observations into findings. */
import { once } from '../../python/semantic/memoize.ts';
import type { Fix } from '../edits/fix.ts';
import { placesElsewhere } from './asHint.ts';
import type { Finding, Observation, RuleMetadata } from './contract.ts';
import type { Selection } from './selection.ts';

export interface ObserveOptions extends Pick<Selection, 'severity'> {
  /** Called once per rule that fails. Only the findings at the places where it fails are lost. */
  readonly onRuleError?: (code: string, error: unknown) => void;
}

/** Receives what a rule finds. */
export interface Observer {
  /** Reports an observation. If there are several at one place, the most severe counts, and among equals the first. */
  report(observation: Observation): void;
  /** Checks one place. After an error, the rule continues with the next one. */
  attempt(check: () => void): void;
  /** Records an error that lost one place. */
  fail(error: unknown): void;
}

/** How rules of one kind run. */
interface RuleKind<R> {
  run(rule: R, observer: Observer): void;
  /** Returns a key for the place of an observation. */
  placeOf(observation: Observation): string;
  /** Adapts a fix to the layout of the text. */
  layOut?(fix: Fix): Fix;
}

/** Returns the findings of the rules, in the order of the rules and of their reports. */
export function observe<R extends RuleMetadata>(
  rules: readonly R[],
  { run, placeOf, layOut = (fix) => fix }: RuleKind<R>,
  { severity: configured, onRuleError }: ObserveOptions,
): Finding[] {
  return rules.flatMap((rule) => {
    const { code } = rule;
    const observations = new Map<string, Observation>();
    const errors: unknown[] = [];
    const fail = (error: unknown) => void errors.push(error);
    const attempt = (check: () => void) => {
      try {
        check();
      } catch (error) {
        fail(error);
      }
    };
    const report = (observation: Observation) => {
      const place = placeOf(observation);
      const before = observations.get(place);
      if (!before || (isHint(before) && !isHint(observation))) observations.set(place, observation);
    };
    attempt(() => run(rule, { report, attempt, fail }));
    if (errors.length > 0) onRuleError?.(code, errors[0]);
    return [...observations.values()].map((observation): Finding => {
      const { span, message, related = [], reasons = [], sharedWith = [], fixes = () => [] } = observation;
      const flag = configured?.[code] ?? observation.severity ?? rule.severity;
      const severity = isHint(observation) || flag === 'off' ? 'hint' : flag;
      // Computing a fix takes longer than finding its place.
      const laidOut = once(() => {
        try {
          return fixes().map(layOut);
        } catch (error) {
          if (errors.push(error) === 1) onRuleError?.(code, error);
          return [];
        }
      });
      return {
        code,
        severity,
        span,
        message,
        related: [...related, ...placesElsewhere(reasons)],
        reasons,
        sharedWith,
        fixes: laidOut,
      };
    });
  });
}

/** True for an observation that is reported as a hint, regardless of its rule's severity. */
const isHint = ({ level, reasons = [] }: Observation): boolean => level === 'hint' || reasons.length > 0;
