/** Facts from the reports in a text: from the first report that has them, or unknown. */
import { type Fact, isUnknown, type KnownFact, type UnknownCause, type UnknownFact } from '../stack/facts/facts.ts';
import type { Report } from './report.ts';

/** The time of facts from a text, which does not say when they were read. */
export const NEVER = '1970-01-01T00:00:00.000Z';

const NOT_REPORTED = 'not in the text';

/** A fact that no report has. */
export function notReported(): UnknownFact {
  return { source: 'the text', readAt: NEVER, cause: 'notAsked', unknown: NOT_REPORTED };
}

/** True for a fact that is unknown because no report has it. */
export function isNotReported(fact: Fact<unknown>): boolean {
  return isUnknown(fact) && fact.unknown === NOT_REPORTED;
}

/** A fact from a report. */
export function reported<T>(value: T, report: Report): KnownFact<T> {
  return { value, source: reportSource(report), readAt: NEVER };
}

/** The source of a fact from a report, in words. */
export function reportSource(report: Report | undefined): string {
  return `${report?.program}, in the text`;
}

/** The fact from the first report that has it. */
export function first<T>(
  reports: readonly Report[],
  tell: (report: Report) => T | undefined,
): KnownFact<T> | undefined {
  for (const report of reports) {
    const value = tell(report);
    if (value !== undefined) return reported(value, report);
  }
  return undefined;
}

/** A fact that no report has, with a report's reason for that, if any. */
export function notReportedBecause(none: KnownFact<{ cause: UnknownCause; reason: string }> | undefined): UnknownFact {
  return none
    ? { ...notReported(), source: none.source, cause: none.value.cause, unknown: none.value.reason }
    : notReported();
}
