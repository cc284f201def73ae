import { isNotReported } from '../../../pasted/reportedFacts.ts';
import { type Fact, isPending, isUnknown } from '../../../stack/facts/facts.ts';
import { inGibibytes } from '../../../stack/live/gpuLoad.ts';

/** The description of one fact, or the reason why it is unknown. */
export interface Row {
  label: string;
  value: string;
  /** The source; null if another row has it. */
  source: string | null;
  known: boolean;
  /** True if it is unknown because the checked text does not mention it. */
  notReported?: true;
  /** True if only the full read-out has room for it. */
  detail: boolean;
}

/** A row for a fact; for an unknown one, it gives the reason. */
export function row<T>(label: string, fact: Fact<T>, describe: (value: T) => string): Row {
  const about = { label, source: fact.source, detail: false };
  if (isPending(fact)) return { ...about, value: 'reading', known: false };
  if (isUnknown(fact)) {
    const unknown = { ...about, value: `unknown: ${fact.unknown}`, known: false };
    return isNotReported(fact) ? { ...unknown, notReported: true } : unknown;
  }
  return { ...about, value: describe(fact.value), known: true };
}

/** A row for a known value; `source` is null if another row has it. */
export function knownRow(label: string, value: string, source: string | null = null): Row {
  return { label, value, source, known: true, detail: false };
}

/** A row for something unknown that no other row mentions. */
export function unknownRow(label: string, value: string): Row {
  return { label, value, source: null, known: false, detail: true };
}

/** The same row, for the full read-out only. */
export function inDetail(each: Row): Row {
  return { ...each, detail: true };
}

/** Converts MiB. */
export function gibibytes(mebibytes: number): string {
  return `${inGibibytes(mebibytes)} GiB`;
}
