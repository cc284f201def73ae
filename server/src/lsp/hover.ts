import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type CancellationToken,
  type Connection,
  type Hover,
  type MarkupContent,
  MarkupKind,
  type Position,
} from 'vscode-languageserver';
import { isInOtherFile, type Reason } from '../guards/reason.ts';
import { nameOfRule } from '../lint/ruleNames.ts';
import { withoutMarkup } from '../markdown.ts';
import { INSPECT_CHECKPOINT, SHOW_PAGE } from '../protocol.ts';
import { spanOf } from '../python/semantic/source.ts';
import { findingsMarkdown, type HoveredFinding } from '../report/findingHover.ts';
import type { Finding } from '../rules/engine/contract.ts';
import { pageOf } from '../rules/queries/pages.ts';
import { readerCallOf } from '../rules/queries/readerCalls.ts';
import type { StackFacts } from '../stack/facts/facts.ts';
import type { Analysis } from './analysis.ts';
import { ownClient } from './ownClient.ts';
import { findingsAt, locationOf, type Session } from './session.ts';
import { settingsHover } from './settingsHelp.ts';

/**
 * Provides hovers: the checkpoint at a path in a loader's call, the effect of a framework's requirement, the
 * consequence of any other finding and what to do about it, and the meaning of a setting.
 */
export function provideHover(connection: Connection, session: Session, stack: () => StackFacts | undefined): void {
  const hoverAt = async (uri: string, position: Position, token: CancellationToken): Promise<Hover | null> => {
    const settings = await settingsHover(session.documents.text(uri), position);
    if (settings) return settings;
    const analysis = await session.analysisOf(uri, token);
    if (!analysis) return null;
    const checkpoint = await checkpointHover(session, analysis, uri, position);
    if (checkpoint) return checkpoint;
    const packages = await environmentHover(analysis, position, stack());
    if (packages) return packages;
    const findings = findingsAt(analysis, uri, [{ start: position, end: position }]);
    const [first] = findings;
    if (!first) return null;
    const hovered = findings.map((finding) => hoveredFinding(finding, analysis, session));
    return {
      contents: { kind: MarkupKind.Markdown, value: findingsMarkdown(hovered) },
      range: locationOf(analysis, first.span).range,
    };
  };
  connection.onHover(async ({ textDocument: { uri }, position }, token) =>
    asTheClientReads(await hoverAt(uri, position, token), session),
  );
}

function hoveredFinding(finding: Finding, analysis: Analysis, session: Session): HoveredFinding {
  const { code, span, message, reasons } = finding;
  // VS Code shows the message above the hover, and our client opens the page that ships with the extension.
  const own = ownClient(session.capabilities)?.opensCheckpoints === true;
  const page = pageOf(code);
  return {
    code,
    name: nameOfRule(code),
    page: own ? `command:${SHOW_PAGE}?${encodeURIComponent(JSON.stringify([page]))}` : page,
    message: own ? undefined : message,
    excerpt: analysis.program.text.slice(span.start, span.end),
    fix: finding.fixes()[0]?.title,
    causes: reasons.map((reason) => causeOf(reason, analysis)),
  };
}

/** Converts a hover for a client that shows only plain text. */
function asTheClientReads(hover: Hover | null, { capabilities }: Session): Hover | null {
  const formats = capabilities.textDocument?.hover?.contentFormat;
  if (!hover || formats === undefined || formats.includes(MarkupKind.Markdown)) return hover;
  const { value } = hover.contents as MarkupContent;
  return { ...hover, contents: { kind: MarkupKind.PlainText, value: withoutMarkup(value) } };
}

function causeOf({ because, at }: Reason, analysis: Analysis): string {
  if (at === undefined) return because;
  if (isInOtherFile(at)) {
    const line = at.line + 1;
    return `${because} ([${basename(at.path)}, line ${line}](${pathToFileURL(at.path)}#L${line}))`;
  }
  const { uri, range } = locationOf(analysis, at);
  const line = range.start.line + 1;
  return `${because} ([line ${line}](${uri}#L${line}))`;
}

/** Returns the hover for the checkpoint at a position; undefined if there is no such path or file. */
async function checkpointHover(
  session: Session,
  analysis: Analysis,
  uri: string,
  position: Position,
): Promise<Hover | undefined> {
  const { python: program, opened } = analysis;
  if (program === undefined) return undefined;
  const cell = opened.documents.findIndex((document) => document.uri === uri);
  if (cell < 0) return undefined;
  const offset = program.offsetOf({ cell, ...position });
  const found = program.index.calls
    .filter(({ start, end }) => start <= offset && offset <= end)
    .map((call) => readerCallOf(call, program))
    .find((reader) => reader && reader.expression.start <= offset && offset <= reader.expression.end);
  const files = found ? await session.checkpointsAt(uri, found.path) : [];
  if (!found || files.length === 0) return undefined;
  // Loaded on demand: most sessions hover over no checkpoint.
  const { checkpointMarkdown } = await import('../report/checkpointHover.ts');
  const { here } = session.knowledge();
  const command = ownClient(session.capabilities)?.opensCheckpoints ? INSPECT_CHECKPOINT : undefined;
  const value = files.map((file) => checkpointMarkdown(file, { here, command })).join('\n\n---\n\n');
  return {
    contents: { kind: MarkupKind.Markdown, value },
    range: locationOf(analysis, spanOf(found.expression)).range,
  };
}

/** Returns the hover for the requirement or image at a position, with its findings below; undefined elsewhere. */
async function environmentHover(
  { environment, findings, opened, program }: Analysis,
  position: Position,
  facts: StackFacts | undefined,
): Promise<Hover | undefined> {
  if (environment === undefined) return undefined;
  const { environmentMarkdown } = await import('../report/environmentHover.ts');
  const offset = program.offsetOf({ cell: 0, ...position });
  const found = environmentMarkdown(environment.environment, offset, facts);
  if (found === undefined) return undefined;
  const here = findings.filter(({ span }) => span.start <= offset && offset <= span.end);
  const links = [...new Set(here.map(({ code }) => code))].map((code) => `[${code}](${pageOf(code)})`);
  const value = links.length === 0 ? found.markdown : `${found.markdown}\n\n${links.join(' · ')}`;
  return {
    contents: { kind: MarkupKind.Markdown, value },
    range: locationOf({ program, opened }, found.span).range,
  };
}
