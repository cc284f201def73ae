import { isNotReported } from '../../../pasted/reportedFacts.ts';
import { type Fact, isPending, isUnknown } from '../../../stack/facts/facts.ts';
import { inGibibytes } from '../../../stack/live/gpuLoad.ts';

/** One thing that is known, or is not, in words. */
export interface Row {
  label: string;
  value: string;
  /** Where it was read; null where another row says so. */
  source: string | null;
  known: boolean;
  /** Unknown since a text that is judged does not tell it. */
  notReported?: true;
  /** Only the full read-out has room for it. */
  detail: boolean;
}

/** A row for a fact; what is unknown says why. */
export function row<T>(label: string, fact: Fact<T>, describe: (value: T) => string): Row {
  const about = { label, source: fact.source, detail: false };
  if (isPending(fact)) return { ...about, value: 'being read', known: false };
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

/** From MiB. */
export function gibibytes(mebibytes: number): string {
  return `${inGibibytes(mebibytes)} GiB`;
}
