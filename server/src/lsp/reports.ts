/** Diagnostics as reports that a client can ask for again. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type Diagnostic,
  DocumentDiagnosticReportKind,
  type FullDocumentDiagnosticReport,
  type Position,
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

export function areSame(some: readonly Diagnostic[], others: readonly Diagnostic[]): boolean {
  return some.length === others.length && some.every((item, index) => isSame(item, others[index]));
}

/** True for two diagnostics with the same message at the same place. Their other properties follow from their code. */
function isSame(one: Diagnostic, other: Diagnostic | undefined): boolean {
  return (
    other !== undefined &&
    one.code === other.code &&
    one.severity === other.severity &&
    one.message === other.message &&
    isSamePosition(one.range.start, other.range.start) &&
    isSamePosition(one.range.end, other.range.end) &&
    relatedTo(one).length === relatedTo(other).length &&
    relatedTo(one).every((related, index) => isDeepStrictEqual(related, relatedTo(other)[index]))
  );
}

const relatedTo = ({ relatedInformation = [] }: Diagnostic) => relatedInformation;

const isSamePosition = (one: Position, other: Position) => one.line === other.line && one.character === other.character;
