import { isNotReported } from '../../../pasted/reportedFacts.ts';
import { type Fact, isPending, isUnknown } from '../../../stack/facts/facts.ts';
import { inGibibytes } from '../../../stack/live/gpuLoad.ts';

/** One fact in words, or the reason why it is unknown. */
export interface Row {
  label: string;
  value: string;
  /** The source; null if another row has it. */
  source: string | null;
  known: boolean;
  /** True if it is unknown because the judged text does not mention it. */
  notReported?: true;
  /** Only the full read-out has room for it. */
  detail: boolean;
}

/** A row for a fact; what is unknown says why. */
export function row<T>(label: string, fact: Fact<T>, describe: (value: T) => string): Row {
  const about = { label, source: fact.source, detail: false };
  if (isPending(fact)) return { ...about, value: 'reading', known: false };
  if (isUnknown(fact)) {
    const unknown = { ...about, value: `unknown: ${fact.unknown}`, known: false };
    return isNotReported(fact) ? { ...unknown, notReported: true } : unknown;
  }
  return { ...about, value: describe(fact.value), known: true };
}

/** A row for what is known; `source` is null where another row says it. */
export function knownRow(label: string, value: string, source: string | null = null): Row {
  return { label, value, source, known: true, detail: false };
}

/** A row for what is not known, which other rows do not say. */
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
