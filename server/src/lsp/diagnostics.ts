import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type Connection,
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
  type FullDocumentDiagnosticReport,
  type Position,
} from 'vscode-languageserver/node';
import { UNUSED_SUPPRESSION, UNUSED_SUPPRESSION_NAME } from '../project/unusedSuppressions.ts';
import type { Finding, Severity } from '../rules/engine/contract.ts';
import { rules } from '../rules/index.ts';
import { pageOf } from '../rules/queries/pages.ts';
import type { Analysis } from './analysis.ts';
import type { DocumentsChange, Opened } from './documents.ts';
import { locationOf, type Session } from './session.ts';

/** Stands in every diagnostic as its source. */
export const SOURCE = 'gpu-doctor';

export const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

const RULE_NAMES: ReadonlyMap<string, string> = new Map([
  ...rules.map(({ code, name }) => [code, name] as const),
  [UNUSED_SUPPRESSION, UNUSED_SUPPRESSION_NAME],
]);

/** A finding as the client shows it. */
export function diagnosticOf(
  analysis: Analysis,
  finding: Finding,
  range = locationOf(analysis, finding.span).range,
): Diagnostic {
  return {
    range,
    severity: SEVERITIES[finding.severity],
    code: finding.code,
    codeDescription: { href: pageOf(finding.code) },
    source: SOURCE,
    message: finding.message,
    tags: finding.code === UNUSED_SUPPRESSION ? [DiagnosticTag.Unnecessary] : undefined,
    relatedInformation: finding.related.map(({ span, message }) => ({ location: locationOf(analysis, span), message })),
    data: { rule: RULE_NAMES.get(finding.code) },
  };
}

/** The diagnostics of each text document of a program, also of those without any. */
function itemsOf({ documents }: Opened, analysis: Analysis | undefined): Map<string, Diagnostic[]> {
  const items = new Map<string, Diagnostic[]>(documents.map(({ uri }) => [uri, []]));
  if (!analysis) return items;
  for (const finding of analysis.findings) {
    const { uri, range } = locationOf(analysis, finding.span);
    items.get(uri)?.push(diagnosticOf(analysis, finding, range));
  }
  return items;
}

interface Report extends FullDocumentDiagnosticReport {
  readonly resultId: string;
}

/** Another one for each server: a client may hold on to the ids of one that it started before. */
const server = randomUUID();
let reports = 0;

/** Whatever led to the diagnostics that the client holds already is "unchanged" for it: the report has the same id. */
function reportOf(items: Diagnostic[], held?: Report): Report {
  const isHeld = held?.items.length === items.length && items.every((item, index) => isSame(item, held.items[index]));
  return isHeld ? held : { kind: DocumentDiagnosticReportKind.Full, resultId: `${server}-${++reports}`, items };
}

/** One report for each text document, the one that the client holds where it would say the same. */
function reportsOf(
  items: ReadonlyMap<string, Diagnostic[]>,
  held: ReadonlyMap<string, Report>,
): ReadonlyMap<string, Report> {
  return new Map([...items].map(([uri, diagnostics]) => [uri, reportOf(diagnostics, held.get(uri))]));
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

export interface DiagnosticsFeature {
  documentsChanged(change: DocumentsChange): void;
  /** Settings or facts changed: everything that is shown may be wrong. */
  everythingChanged(): void;
}

/** Diagnostics by pull, or by push for a client that cannot pull. */
export function provideDiagnostics(connection: Connection, session: Session): DiagnosticsFeature {
  return session.capabilities.textDocument?.diagnostic
    ? answerPulls(connection, session)
    : pushDiagnostics(connection, session);
}

function answerPulls(connection: Connection, session: Session): DiagnosticsFeature {
  const { textDocument, workspace } = session.capabilities;
  const takesRelated = textDocument?.diagnostic?.relatedDocumentSupport === true;
  const takesRefresh = workspace?.diagnostics?.refreshSupport === true;
  /** What the client holds, by document. */
  const held = new Map<string, Report>();
  const made = new WeakMap<Analysis, ReadonlyMap<string, Report>>();

  const refresh = () => {
    // A client that goes away meanwhile does not answer; that is no trouble of ours.
    if (takesRefresh) connection.languages.diagnostics.refresh().catch(() => {});
  };

  connection.languages.diagnostics.on(async ({ textDocument: { uri }, previousResultId }, token) => {
    const analysis = await session.analysisOf(uri, token);
    const opened = session.documents.containing(uri);
    if (!opened) return reportOf([]);
    const all = (analysis && made.get(analysis)) ?? reportsOf(itemsOf(opened, analysis), held);
    if (analysis) made.set(analysis, all);
    const answer = (document: string, previous?: string): DocumentDiagnosticReport => {
      const report = all.get(document) ?? reportOf([]);
      held.set(document, report);
      return report.resultId === previous
        ? { kind: DocumentDiagnosticReportKind.Unchanged, resultId: report.resultId }
        : report;
    };
    const own = answer(uri, previousResultId);
    const outdated = [...all].filter(
      ([other, { resultId }]) => held.has(other) && held.get(other)?.resultId !== resultId,
    );
    if (outdated.length === 0) return own;
    if (takesRelated) {
      const relatedDocuments = Object.fromEntries(outdated.map(([other]) => [other, answer(other)]));
      return { ...own, relatedDocuments };
    }
    // Forgotten until they are pulled again, so that cells which nobody looks at cause no further refreshes.
    for (const [other] of outdated) held.delete(other);
    refresh();
    return own;
  });

  return {
    documentsChanged({ closed }) {
      for (const uri of closed) held.delete(uri);
    },
    everythingChanged: refresh,
  };
}

function pushDiagnostics(connection: Connection, session: Session): DiagnosticsFeature {
  const pending = new Set<string>();
  const never = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };

  const publish = async (uri: string): Promise<void> => {
    // Further edits that arrive meanwhile are part of this analysis: they need no publication of their own.
    const analysis = await session.analysisOf(uri, never).finally(() => pending.delete(uri));
    const opened = session.documents.at(uri);
    if (!opened) return;
    const items = itemsOf(opened, analysis);
    for (const { uri: document, version } of opened.documents)
      void connection.sendDiagnostics({ uri: document, version, diagnostics: items.get(document) ?? [] });
  };
  const clear = (uris: readonly string[]) => {
    for (const uri of uris) void connection.sendDiagnostics({ uri, diagnostics: [] });
  };
  const schedule = (uri: string) => {
    if (pending.has(uri)) return;
    pending.add(uri);
    publish(uri).catch((error) => connection.console.error(`${uri}: ${String(error)}`));
  };

  return {
    documentsChanged({ uri, closed }) {
      clear(closed);
      if (session.documents.at(uri)) schedule(uri);
    },
    everythingChanged() {
      for (const { uri } of session.documents.all()) schedule(uri);
    },
  };
}
