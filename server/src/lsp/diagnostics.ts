import { createHash } from 'node:crypto';
import {
  type Connection,
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
  type FullDocumentDiagnosticReport,
} from 'vscode-languageserver/node';
import { UNUSED_SUPPRESSION, UNUSED_SUPPRESSION_NAME } from '../project/unusedSuppressions.ts';
import type { Finding, Severity } from '../rules/contract.ts';
import { rules } from '../rules/index.ts';
import { pageOf } from '../rules/pages.ts';
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
export function diagnosticOf(analysis: Analysis, finding: Finding): Diagnostic {
  return {
    range: locationOf(analysis, finding.span).range,
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

interface Report extends FullDocumentDiagnosticReport {
  readonly resultId: string;
}

/** One report for each text document of a program, also for those without a finding. */
function reportsOf(opened: Opened, analysis: Analysis | undefined): Map<string, Report> {
  const items = new Map<string, Diagnostic[]>(opened.documents.map(({ uri }) => [uri, []]));
  for (const finding of analysis?.findings ?? [])
    if (analysis) items.get(locationOf(analysis, finding.span).uri)?.push(diagnosticOf(analysis, finding));
  return new Map([...items].map(([uri, diagnostics]) => [uri, reportOf(diagnostics)]));
}

/**
 * The result id is made of the content alone: whatever led to the same diagnostics is "unchanged" for the client. What
 * follows from a diagnostic's code is left out.
 */
function reportOf(items: Diagnostic[]): Report {
  const content = items.map(({ code, severity, range: { start, end }, message, relatedInformation }) => [
    code,
    severity,
    start.line,
    start.character,
    end.line,
    end.character,
    message,
    relatedInformation,
  ]);
  const resultId = createHash('sha1').update(JSON.stringify(content)).digest('base64url');
  return { kind: DocumentDiagnosticReportKind.Full, resultId, items };
}

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
  /** Result ids that the client holds, by document. */
  const held = new Map<string, string>();
  const made = new WeakMap<Analysis, Map<string, Report>>();

  const refresh = () => {
    // A client that goes away meanwhile does not answer; that is no trouble of ours.
    if (takesRefresh) connection.languages.diagnostics.refresh().catch(() => {});
  };

  connection.languages.diagnostics.on(async ({ textDocument: { uri }, previousResultId }, token) => {
    const analysis = await session.analysisOf(uri, token);
    const opened = session.documents.containing(uri);
    if (!opened) return reportOf([]);
    const all = (analysis && made.get(analysis)) ?? reportsOf(opened, analysis);
    if (analysis) made.set(analysis, all);
    const answer = (document: string, previous?: string): DocumentDiagnosticReport => {
      const report = all.get(document) ?? reportOf([]);
      held.set(document, report.resultId);
      return report.resultId === previous
        ? { kind: DocumentDiagnosticReportKind.Unchanged, resultId: report.resultId }
        : report;
    };
    const own = answer(uri, previousResultId);
    const outdated = [...all].filter(([other, { resultId }]) => held.has(other) && held.get(other) !== resultId);
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
    const reports = reportsOf(opened, analysis);
    for (const { uri: document, version } of opened.documents)
      void connection.sendDiagnostics({ uri: document, version, diagnostics: reports.get(document)?.items ?? [] });
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
