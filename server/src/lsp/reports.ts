/** Diagnostics as reports that a client can ask for again. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type Diagnostic,
  DocumentDiagnosticReportKind,
  type FullDocumentDiagnosticReport,
} from 'vscode-languageserver';

export interface DocumentReport extends FullDocumentDiagnosticReport {
  readonly resultId: string;
}

/** Unique to each server: a client may keep ids from an earlier server. */
const server = randomUUID();
let reports = 0;

/** Returns a report. It has the id of `held` if the diagnostics are the same, so that the client gets "unchanged". */
export function reportOf(items: Diagnostic[], held?: DocumentReport): DocumentReport {
  if (held && areSame(held.items, items)) return held;
  return { kind: DocumentDiagnosticReportKind.Full, resultId: `${server}-${++reports}`, items };
}

/** The report of documents without findings. */
export const NOTHING_FOUND: DocumentReport = reportOf([]);

/** True for the same messages at the same places, in the same order. Other properties follow from the code. */
export function areSame(some: readonly Diagnostic[], others: readonly Diagnostic[]): boolean {
  return some.length === others.length && isDeepStrictEqual(some.map(shown), others.map(shown));
}

const shown = ({ code, severity, message, range, relatedInformation = [] }: Diagnostic) =>
  [code, severity, message, range, relatedInformation] as const;
