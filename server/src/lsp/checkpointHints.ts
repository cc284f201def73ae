import { type Connection, type InlayHint, MarkupKind } from 'vscode-languageserver';
import { spanOf } from '../python/semantic/source.ts';
import { checkpointGlance } from '../report/checkpointGlance.ts';
import { READER_NAMES, type ReaderCall, readerCallOf } from '../rules/queries/readerCalls.ts';
import type { Analysis } from './analysis.ts';
import { locationOf, type Session } from './session.ts';

/** Rules that report a failing call for a file on this machine. */
const FAILS = /^GPU50[1-4]$/;

interface CheckpointHints {
  /** Asks the client to repeat its requests, because files or facts about the machine have changed. */
  refresh(): void;
}

/**
 * Provides inlay hints after the path in a loader's call: the contents of the checkpoint, and whether the call fails
 * here.
 */
export function provideCheckpointHints(connection: Connection, session: Session): CheckpointHints {
  connection.languages.inlayHint.on(async ({ textDocument: { uri }, range }, token) => {
    const analysis = await session.analysisOf(uri, token);
    const program = analysis?.python;
    if (!analysis || !program) return [];
    const calls = program.index.callsReaching(READER_NAMES).flatMap((call) => readerCallOf(call, program) ?? []);
    const hints = await Promise.all(calls.map((call) => hintAt(session, analysis, uri, call)));
    const isInRange = ({ position: { line } }: InlayHint) => range.start.line <= line && line <= range.end.line;
    return hints.flat().filter(isInRange);
  });
  const refreshes = session.capabilities.workspace?.inlayHint?.refreshSupport === true;
  return {
    refresh: () => {
      if (refreshes) connection.languages.inlayHint.refresh().catch(() => undefined);
    },
  };
}

async function hintAt(session: Session, analysis: Analysis, uri: string, reader: ReaderCall): Promise<InlayHint[]> {
  const place = locationOf(analysis, spanOf(reader.expression));
  if (place.uri !== uri) return [];
  const files = await session.checkpointsAt(uri, reader.path);
  const [file] = files;
  // One path may refer to files in several folders, and nothing determines which one is loaded.
  if (!file || files.length > 1) return [];
  const { start, end } = reader.call;
  const fails = analysis.findings.some(
    ({ code, severity, span }) => FAILS.test(code) && severity === 'error' && start <= span.start && span.end <= end,
  );
  const label = [checkpointGlance(file.summary), fails ? 'fails here' : ''].filter((part) => part !== '').join(' · ');
  if (label === '') return [];
  const { checkpointMarkdown } = await import('../report/checkpointHover.ts');
  const { here } = session.knowledge();
  const value = checkpointMarkdown(file, { here });
  return [{ position: place.range.end, label, paddingLeft: true, tooltip: { kind: MarkupKind.Markdown, value } }];
}
