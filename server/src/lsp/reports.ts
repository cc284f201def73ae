/** Diagnostics as reports that a client can ask for again. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type Diagnostic,
  DocumentDiagnosticReportKind,
  type FullDocumentDiagnosticReport,
  type Position,
} from 'vscode-languageserver';

export interface Report extends FullDocumentDiagnosticReport {
  readonly resultId: string;
}

/** Another one for each server: a client may hold on to the ids of one that it started before. */
const server = randomUUID();
let reports = 0;

/** Whatever led to the diagnostics that the client holds already is "unchanged" for it: the report has the same id. */
export function reportOf(items: Diagnostic[], held?: Report): Report {
  if (held && areSame(held.items, items)) return held;
  return { kind: DocumentDiagnosticReportKind.Full, resultId: `${server}-${++reports}`, items };
}

/** The report of all that have no findings. */
export const NOTHING_FOUND: Report = reportOf([]);

export function areSame(some: readonly Diagnostic[], others: readonly Diagnostic[]): boolean {
  return some.length === others.length && some.every((item, index) => isSame(item, others[index]));
}

/** True for two diagnostics that say one thing of one place. The rest follows from their code. */
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
