/** Facts as reports tell them: the first one that does, or that none does. */
import { type Fact, isUnknown, type Known, type Unknown, type UnknownCause } from '../stack/facts/facts.ts';
import type { Report } from './report.ts';

/** When a fact was read of which a text does not say it. */
export const NEVER = '1970-01-01T00:00:00.000Z';

const UNTOLD = 'the text does not tell';

/** What no report tells. */
export function untold(): Unknown {
  return { source: 'the text', readAt: NEVER, cause: 'notAsked', unknown: UNTOLD };
}

/** Whether a fact is unknown since no report tells it. */
export function isUntold(fact: Fact<unknown>): boolean {
  return isUnknown(fact) && fact.unknown === UNTOLD;
}

/** What a report tells. */
export function told<T>(value: T, report: Report): Known<T> {
  return { value, source: sourceOf(report), readAt: NEVER };
}

/** The report as the source of a fact. */
export function sourceOf(report: Report | undefined): string {
  return `${report?.program}, in the text`;
}

/** What the first of the reports says that tells it. */
export function first<T>(reports: readonly Report[], tell: (report: Report) => T | undefined): Known<T> | undefined {
  for (const report of reports) {
    const value = tell(report);
    if (value !== undefined) return told(value, report);
  }
  return undefined;
}

/** Unknown for the reason that a report gives, if one does. */
export function notTold(none: Known<{ cause: UnknownCause; reason: string }> | undefined): Unknown {
  return none ? { ...untold(), source: none.source, cause: none.value.cause, unknown: none.value.reason } : untold();
}
