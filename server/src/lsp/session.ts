import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import {
  type CancellationToken,
  type ClientCapabilities,
  type Location,
  LSPErrorCodes,
  type Position,
  type Range,
  ResponseError,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { FoundCheckpoint, MentionedPath, VisibleCheckpoints } from '../checkpoint/checkpointCache.ts';
import type { OtherPlace } from '../guards/reason.ts';
import type { Span } from '../python/semantic/source.ts';
import type { Finding, Knowledge } from '../rules/engine/contract.ts';
import type { Analyses, Analysis } from './analysis.ts';
import type { Configuration, FileConfiguration } from './configuration.ts';
import type { Documents } from './documents.ts';
import { openedText, rangeInJson } from './opened.ts';
import type { OpenProjects } from './projects.ts';

/** The state that all features share, from `initialize` on. */
export interface Session {
  readonly capabilities: ClientCapabilities;
  readonly documents: Documents;
  /**
   * Returns the up-to-date analysis of the script or notebook that a text document belongs to; undefined if it is not
   * open or cannot be read. Throws the protocol's error if the request was canceled in the meantime.
   */
  analysisOf(documentUri: string, token: CancellationToken): Promise<Analysis | undefined>;
  /** Analyzes a file that is not open, as it is on disk, after reading the checkpoints that it names. */
  analysisOfFile(text: TextDocument): Promise<FileAnalysis>;
  /** True if none of the checkpoints that a file names exists. */
  areAbsent(uri: string, paths: readonly MentionedPath[]): boolean;
  /** Returns the current configuration of a file. */
  configurationOf(uri: string): Promise<FileConfiguration>;
  /**
   * Returns the checkpoints that a path in the script or notebook of a text document may refer to, reading them if
   * necessary.
   */
  checkpointsAt(documentUri: string, path: MentionedPath): Promise<readonly FoundCheckpoint[]>;
  /** Returns what is currently known about the machine. */
  knowledge(): Knowledge;
  /** Uses these facts about the machine for all further analyses; true if they are new. */
  learn(known: Knowledge): boolean;
}

interface FileAnalysis {
  /** Undefined if there is nothing to report. */
  readonly analysis: Analysis | undefined;
  /** The checkpoints that it names, if none of them exists; otherwise empty. */
  readonly absent: readonly MentionedPath[];
  /** True if the findings depend on files other than programs: checkpoints or lists of requirements. */
  readonly restsOnFiles: boolean;
}

/** Access to checkpoints, and the callback for a checkpoint that took long to read and changes an earlier answer. */
interface CheckpointAccess {
  inSightOf(uri: string): VisibleCheckpoints;
  changed(): void;
}

/** A configuration with the facts about the machine and about the checkpoints that a program names. */
interface Completed {
  readonly configuration: FileConfiguration;
  readonly found: readonly (readonly FoundCheckpoint[])[];
}

/** Milliseconds that an answer waits for checkpoints. */
const LONGEST_READING = 250;

export function createSession(
  capabilities: ClientCapabilities,
  documents: Documents,
  configuration: Configuration,
  analyses: Analyses,
  projects: Pick<OpenProjects, 'decided'>,
  checkpoints: CheckpointAccess,
): Session {
  /** Other clients keep the first answer, or show it until they ask again. */
  const asksAgain = capabilities.workspace?.diagnostics?.refreshSupport === true;
  let known: Knowledge = {};
  /** The number of files that have been read. Their revisions are negative, unlike those of documents. */
  let filesRead = 0;
  let completedBy = new WeakMap<FileConfiguration, Completed>();

  /** Returns a completed configuration, which is the same object while nothing changes. */
  const completed = (
    configuration: FileConfiguration,
    inSight: VisibleCheckpoints,
    paths: readonly MentionedPath[],
  ): FileConfiguration => {
    const found = paths.map(inSight.checkpointsAt);
    const before = completedBy.get(configuration);
    if (before && isDeepStrictEqual(before.found, found)) return before.configuration;
    const options = {
      ...configuration.options,
      known: { ...configuration.options.known, ...known, checkpointsAt: inSight.checkpointsAt },
    };
    // While a path is being typed it names other files, and none if the text is broken.
    const basis = before?.configuration.basis ?? {};
    const complete = { configuration: { ...configuration, options, basis }, found };
    completedBy.set(configuration, complete);
    return complete.configuration;
  };

  /** Waits until the checkpoints are read, up to the limit for an answer. */
  const read = async (inSight: VisibleCheckpoints, paths: readonly MentionedPath[]): Promise<void> => {
    if (paths.length === 0) return;
    const reading = inSight.read(paths).then(() => true);
    if (await Promise.race([reading, setTimeout(LONGEST_READING, false, { ref: false })])) return;
    const before = paths.map(inSight.checkpointsAt);
    void reading.then(() => isDeepStrictEqual(paths.map(inSight.checkpointsAt), before) || checkpoints.changed());
  };

  const prepared = async (uri: string): Promise<FileConfiguration> => {
    const fileConfiguration = await configuration.of(uri);
    await analyses.prepare(uri, fileConfiguration);
    return fileConfiguration;
  };

  const analysisNow: Session['analysisOf'] = async (documentUri, token) => {
    const uri = documents.containing(documentUri)?.uri;
    if (uri === undefined) return undefined;
    const fileConfiguration = await prepared(uri);
    // Handles waiting messages first: one of them may cancel this request.
    await new Promise((resume) => setImmediate(resume));
    const opened = () => {
      if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled.');
      return documents.at(uri);
    };
    const before = opened();
    if (before === undefined) return undefined;
    const inSight = checkpoints.inSightOf(uri);
    const paths = analyses.checkpointsNamedIn(before, fileConfiguration);
    await read(inSight, paths);
    const now = opened();
    return now && analyses.of(now, completed(fileConfiguration, inSight, paths));
  };

  return {
    capabilities,
    documents,
    async analysisOf(documentUri, token) {
      const analysis = await analysisNow(documentUri, token);
      const isFinal = asksAgain || !analysis || !(await projects.decided(analysis.opened.uri));
      return isFinal ? analysis : analysisNow(documentUri, token);
    },
    configurationOf: configuration.of,
    areAbsent: (uri, paths) => paths.length === 0 || checkpoints.inSightOf(uri).areAbsent(paths),
    async analysisOfFile(text) {
      const opened = openedText(text, -++filesRead);
      const uri = text.uri;
      const fileConfiguration = await prepared(uri);
      if (opened === undefined) return { analysis: undefined, absent: [], restsOnFiles: false };
      const inSight = checkpoints.inSightOf(uri);
      const paths = analyses.checkpointsNamedIn(opened, fileConfiguration);
      if (paths.length > 0) await inSight.read(paths);
      const analysis = analyses.once(opened, completed(fileConfiguration, inSight, paths));
      const included = analysis?.environment?.environment.included ?? [];
      const areAbsent = inSight.areAbsent(paths);
      const missing = included.map(({ path }): MentionedPath => ({ text: path, from: 'program' }));
      const absent = areAbsent ? [...paths, ...missing] : [];
      return { analysis, absent, restsOnFiles: !areAbsent || included.some(({ text: found }) => found !== undefined) };
    },
    async checkpointsAt(documentUri, path) {
      const uri = documents.containing(documentUri)?.uri;
      if (uri === undefined) return [];
      const inSight = checkpoints.inSightOf(uri);
      await inSight.read([path]);
      return inSight.checkpointsAt(path);
    },
    knowledge: () => known,
    learn(fresh) {
      if (isDeepStrictEqual(known, fresh)) return false;
      known = fresh;
      completedBy = new WeakMap();
      return true;
    },
  };
}

/** Returns the document and range of a span for the client. */
export function locationOf({ program, opened }: Pick<Analysis, 'program' | 'opened'>, span: Span): Location {
  if (opened.json) return { uri: opened.uri, range: rangeInJson(opened.json, program.toCell(span)) };
  const start = program.placeOf(span.start);
  const end = program.placeOf(span.end);
  return {
    uri: opened.documents[start.cell]?.uri ?? opened.uri,
    range: {
      start: { line: start.line, character: start.character },
      end: { line: end.line, character: end.character },
    },
  };
}

/** Returns the location of a place in another file of the project. */
export function locationElsewhere({ path, line, character }: OtherPlace): Location {
  const place = { line, character };
  return { uri: pathToFileURL(path).href, range: { start: place, end: place } };
}

/** Returns the findings in a client's document that overlap or touch one of the ranges. */
export function findingsAt(analysis: Analysis, documentUri: string, ranges: Range[]): Finding[] {
  const { program, opened, findings } = analysis;
  if (opened.json) {
    const shares = (range: Range) =>
      ranges.some(({ start, end }) => !isAfter(start, range.end) && !isAfter(range.start, end));
    return findings.filter(({ span }) => shares(locationOf(analysis, span).range));
  }
  const cell = opened.documents.findIndex(({ uri }) => uri === documentUri);
  if (cell < 0) return [];
  const offset = ({ line, character }: Position) => program.offsetOf({ cell, line, character });
  const spans = ranges.map(({ start, end }): Span => ({ start: offset(start), end: offset(end) }));
  return findings.filter(
    ({ span }) =>
      program.placeOf(span.start).cell === cell &&
      spans.some(({ start, end }) => start <= span.end && span.start <= end),
  );
}

function isAfter(one: Position, other: Position): boolean {
  return one.line === other.line ? one.character > other.character : one.line > other.line;
}
