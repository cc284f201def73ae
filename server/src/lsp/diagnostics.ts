import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type CancellationToken,
  type Connection,
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  DocumentDiagnosticReportKind,
  type FullDocumentDiagnosticReport,
  type Position,
} from 'vscode-languageserver/node';
import { allRules } from '../lint/allRules.ts';
import { UNUSED_SUPPRESSION, UNUSED_SUPPRESSION_NAME } from '../lint/ruleNames.ts';
import type { Finding, Severity } from '../rules/engine/contract.ts';
import { pageOf } from '../rules/queries/pages.ts';
import type { Analysis } from './analysis.ts';
import { configurationPath } from './configurationFiles.ts';
import { SOURCE } from './diagnosticSource.ts';
import type { DocumentsChange, Opened } from './documents.ts';
import type { Failures } from './failures.ts';
import { locationElsewhere, locationOf, type Session } from './session.ts';

export const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

const RULE_NAMES: ReadonlyMap<string, string> = new Map([
  ...allRules.map(({ code, name }) => [code, name] as const),
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
    relatedInformation: finding.related.map((related) => ({
      location: 'span' in related ? locationOf(analysis, related.span) : locationElsewhere(related.elsewhere),
      message: related.message,
    })),
    data: { rule: RULE_NAMES.get(finding.code) },
  };
}

/** The diagnostics of each text document of a program, also of those without any. */
function itemsOf(opened: Opened, analysis: Analysis | undefined, failures: Failures): Map<string, Diagnostic[]> {
  const failed = failures.shownIn(opened);
  const items = new Map<string, Diagnostic[]>(
    opened.documents.map(({ uri }) => [uri, (failed.get(uri) ?? []).map(({ diagnostic }) => diagnostic)]),
  );
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
  if (held && areSame(held.items, items)) return held;
  return { kind: DocumentDiagnosticReportKind.Full, resultId: `${server}-${++reports}`, items };
}

function areSame(some: readonly Diagnostic[], others: readonly Diagnostic[]): boolean {
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

export interface DiagnosticsFeature {
  documentsChanged(change: DocumentsChange): void;
  /** Settings or facts changed: everything that is shown may be wrong. */
  everythingChanged(): void;
}

/**
 * Diagnostics by pull; by push of notebooks, and for a client that cannot pull. A cell is pulled only while it can be
 * seen and what is known of it forgotten afterwards, but a notebook is one program, whose findings are there as a whole.
 */
export function provideDiagnostics(connection: Connection, session: Session, failures: Failures): DiagnosticsFeature {
  // What is pushed of a configuration file is its mistakes: of one file a client that cannot pull holds one list.
  const isOurs = ({ uri }: Opened) => configurationPath(uri) === undefined;
  if (!session.capabilities.textDocument?.diagnostic) return pushDiagnostics(connection, session, failures, isOurs);
  const pushes = pushDiagnostics(connection, session, failures, isNotebook);
  const features = [answerPulls(connection, session, failures, pushes), pushes];
  return {
    documentsChanged(change) {
      for (const feature of features) feature.documentsChanged(change);
    },
    everythingChanged() {
      for (const feature of features) feature.everythingChanged();
    },
  };
}

function isNotebook({ source }: Opened): boolean {
  return source.kind === 'notebook';
}

function answerPulls(connection: Connection, session: Session, failures: Failures, pushes: Pushes): DiagnosticsFeature {
  const takesRefresh = session.capabilities.workspace?.diagnostics?.refreshSupport === true;
  /** What the client holds, by document. */
  const held = new Map<string, Report>();
  const nothing = reportOf([]);

  const reportOn = async (uri: string, token: CancellationToken): Promise<Report> => {
    const opened = session.documents.containing(uri);
    if (!opened) return nothing;
    if (isNotebook(opened)) {
      // Asked again, as when the window comes in front, what is on the disk may have changed.
      await pushes.push(opened.uri);
      return nothing;
    }
    const analysis = await session.analysisOf(uri, token);
    return reportOf(itemsOf(analysis?.opened ?? opened, analysis, failures).get(uri) ?? [], held.get(uri));
  };
  connection.languages.diagnostics.on(async ({ textDocument: { uri }, previousResultId }, token) => {
    const report = await reportOn(uri, token);
    if (session.documents.text(uri)) held.set(uri, report);
    return report.resultId === previousResultId
      ? { kind: DocumentDiagnosticReportKind.Unchanged, resultId: report.resultId }
      : report;
  });

  return {
    documentsChanged({ closed }) {
      for (const uri of closed) held.delete(uri);
    },
    everythingChanged() {
      // A client that goes away meanwhile does not answer; that is no trouble of ours.
      if (takesRefresh) connection.languages.diagnostics.refresh().catch(() => {});
    },
  };
}

/** What a client was told of a text document. */
interface Publication {
  readonly version: number;
  readonly items: readonly Diagnostic[];
}

interface Pushes extends DiagnosticsFeature {
  /** Judges a program that is open, tells the client where that is news, and comes back then. */
  push(uri: string): Promise<void>;
}

function pushDiagnostics(
  connection: Connection,
  session: Session,
  failures: Failures,
  isWanted: (opened: Opened) => boolean,
): Pushes {
  const pending = new Map<string, Promise<void>>();
  /** What was changed since its judgement under way began. */
  const outdated = new Set<string>();
  /** What the client holds of each program, by document. */
  const held = new Map<string, ReadonlyMap<string, Publication>>();
  const never = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };

  const send = (uri: string, version: number | undefined, diagnostics: Diagnostic[]) =>
    void connection.sendDiagnostics({ uri, version, diagnostics });
  const publish = async (uri: string): Promise<void> => {
    do {
      outdated.delete(uri);
      const analysis = await session.analysisOf(uri, never);
      const opened = session.documents.at(uri);
      if (!opened || !analysis || analysis.opened === opened) tell(uri, opened, analysis);
    } while (outdated.has(uri));
  };
  /** Tells the client what is news of a program's documents; of those that are gone, that there is nothing any more. */
  const tell = (uri: string, opened?: Opened, analysis?: Analysis): void => {
    const before = held.get(uri);
    const now = new Map<string, Publication>();
    const itemsIn = opened ? itemsOf(opened, analysis, failures) : new Map();
    for (const { uri: document, version } of opened?.documents ?? []) {
      const known = before?.get(document);
      const items = itemsIn.get(document) ?? [];
      now.set(document, { version, items });
      if (known?.version !== version || !areSame(known.items, items)) send(document, version, items);
    }
    for (const document of before?.keys() ?? []) if (!now.has(document)) send(document, undefined, []);
    if (now.size > 0) held.set(uri, now);
    else held.delete(uri);
  };
  const push = (uri: string): Promise<void> => {
    outdated.add(uri);
    const under = pending.get(uri);
    if (under) return under;
    const publication = publish(uri)
      .catch((error) => connection.console.error(`${uri}: ${String(error)}`))
      .finally(() => pending.delete(uri));
    pending.set(uri, publication);
    return publication;
  };

  return {
    push,
    documentsChanged({ uri }) {
      const opened = session.documents.at(uri);
      if (!opened) tell(uri);
      else if (isWanted(opened)) void push(uri);
    },
    everythingChanged() {
      for (const opened of session.documents.all()) if (isWanted(opened)) void push(opened.uri);
    },
  };
}
