import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Connection, type Diagnostic, DiagnosticSeverity, Emitter, type Event } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Verdict } from '../diagnosis/judgeStack.ts';
import type { StackDifference } from '../diagnosis/record/compareStacks.ts';
import type { RecordReading } from '../diagnosis/record/readRecord.ts';
import { RECORD_FILE } from '../diagnosis/record/recordFile.ts';
import { projectText } from '../projectFile.ts';
import type { Span } from '../python/semantic/source.ts';
import type { StackFacts } from '../stack/facts/facts.ts';
import { filePath } from './configurationFiles.ts';
import { SOURCE } from './diagnosticSource.ts';
import { DIAGNOSTIC_SEVERITIES } from './diagnosticsIn.ts';
import type { MeantName } from './meantNames.ts';
import type { Publish } from './publisher.ts';

export interface StackRecords {
  /** A text document was opened, edited or closed; it may be a recorded stack. */
  documentChanged(uri: string, document: TextDocument | undefined): void;
  changedOnDisk(): void;
  /** Receives the facts about this machine for the workspace folder in use; without a folder, nothing is compared. */
  useFacts(facts: StackFacts, folder: string | undefined): void;
  /** The difference between this machine and the record in the folder in use. */
  readonly drift: Verdict | undefined;
  readonly onDidChangeDrift: Event<void>;
}

/**
 * Follows the recorded stack in the folder in use, whether open or not, and any other one that is open. Mistakes in
 * them and differences from this machine are published as diagnostics.
 */
export function followStackRecords(connection: Connection, send: Publish): StackRecords {
  const driftChanged = new Emitter<void>();
  const open = new Map<string, TextDocument>();
  /** Addresses of the files with diagnostics, by path. */
  const shown = new Map<string, string>();
  let inUse: { readonly path: string; readonly facts: StackFacts } | undefined;
  let drift: Verdict | undefined;
  let judging: Promise<void> = Promise.resolve();

  const publish = (path: string, document: TextDocument, diagnostics: Diagnostic[]) => {
    if (diagnostics.length === 0 && !shown.has(path)) return;
    if (diagnostics.length > 0) shown.set(path, document.uri);
    else shown.delete(path);
    const version = open.has(path) ? document.version : undefined;
    send(document.uri, version, diagnostics);
  };
  const judge = async (path: string): Promise<void> => {
    const document = open.get(path) ?? (path === inUse?.path ? await onDisk(path) : undefined);
    const before = shown.get(path);
    if (before !== undefined && before !== document?.uri) {
      send(before, undefined, []);
      shown.delete(path);
    }
    const verdict = document && (await judgeDocument(path, document));
    if (path !== inUse?.path) return;
    const isNews = JSON.stringify(verdict) !== JSON.stringify(drift);
    drift = verdict;
    if (isNews) driftChanged.fire();
  };
  /** Publishes the mistakes in a file. Returns the difference from this machine if the file is the one in use. */
  const judgeDocument = async (path: string, document: TextDocument): Promise<Verdict | undefined> => {
    const { readRecord, differencesFrom, driftVerdict, sentenceOf } = await load();
    const reading = readRecord(document.getText());
    const facts = path === inUse?.path ? inUse.facts : undefined;
    const differences = reading.record && facts ? differencesFrom(reading.record, facts) : [];
    publish(path, document, diagnosticsOf(document, reading, differences, sentenceOf));
    return driftVerdict(differences, path);
  };
  /** Runs one task after another, so that the last result is for the latest facts. */
  const judgeSoon = (path: string) => {
    judging = judging
      .then(() => judge(path))
      .catch((error) => connection.console.error(`${path} could not be compared: ${String(error)}.`));
  };

  return {
    onDidChangeDrift: driftChanged.event,
    documentChanged(uri, document) {
      const path = filePath(uri);
      if (path === undefined || basename(path) !== RECORD_FILE) return;
      if (document) open.set(path, document);
      else open.delete(path);
      judgeSoon(path);
    },
    changedOnDisk() {
      if (inUse && !open.has(inUse.path)) judgeSoon(inUse.path);
    },
    useFacts(facts, folder) {
      const before = inUse?.path;
      inUse = folder === undefined ? undefined : { path: join(folder, RECORD_FILE), facts };
      if (before !== undefined && before !== inUse?.path) {
        if (drift) {
          drift = undefined;
          driftChanged.fire();
        }
        judgeSoon(before);
      }
      if (inUse) judgeSoon(inUse.path);
    },
    get drift() {
      return drift;
    },
  };
}

async function onDisk(path: string): Promise<TextDocument | undefined> {
  const text = projectText(path, 'record');
  return text === undefined ? undefined : TextDocument.create(pathToFileURL(path).href, 'yaml', 0, text);
}

function diagnosticsOf(
  document: TextDocument,
  { problems, spanOf }: RecordReading,
  differences: readonly StackDifference[],
  sentenceOf: (difference: StackDifference) => string,
): Diagnostic[] {
  const rangeOf = ({ start, end }: Span) => ({ start: document.positionAt(start), end: document.positionAt(end) });
  return [
    ...problems.map(({ message, span, meant }) => ({
      range: rangeOf(span),
      severity: DiagnosticSeverity.Error,
      source: SOURCE,
      message,
      data: meant === undefined ? undefined : ({ meant } satisfies MeantName),
    })),
    ...differences.map((difference) => ({
      range: rangeOf(spanOf(difference.path)),
      severity: DIAGNOSTIC_SEVERITIES[difference.severity],
      code: 'stack-drift',
      source: SOURCE,
      message: sentenceOf(difference),
    })),
  ];
}

/** Loaded if there is a file: most projects have none. */
async function load() {
  const [record, compare, drift, reader] = await Promise.all([
    import('../diagnosis/record/recordStack.ts'),
    import('../diagnosis/record/compareStacks.ts'),
    import('../diagnosis/record/drift.ts'),
    import('../diagnosis/record/readRecord.ts'),
  ]);
  const differencesFrom = (recorded: Parameters<typeof compare.compareStacks>[0], facts: StackFacts) =>
    compare.compareStacks(recorded, record.recordStack(facts), false);
  return { ...drift, ...reader, differencesFrom };
}
