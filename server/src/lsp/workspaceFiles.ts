/** The findings in workspace files that are not open, as they are on disk. They cost nothing until requested. */
import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type CancellationToken, type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { MentionedPath } from '../checkpoint/checkpointCache.ts';
import type { Cache } from '../files/cache.ts';
import { cacheKey } from '../files/cacheKey.ts';
import { readDocument, readProgram } from '../files/document.ts';
import { findFiles } from '../files/findFiles.ts';
import type { WorkspaceCheck } from '../protocol.ts';
import type { Knowledge } from '../rules/engine/contract.ts';
import type { Configuration, FileConfiguration } from './configuration.ts';
import { filePath } from './configurationFiles.ts';
import { diagnosticsIn } from './diagnosticsIn.ts';
import type { Folders } from './folders.ts';
import type { OpenProjects, StoredBasis } from './projects.ts';
import { type DocumentReport, NOTHING_FOUND, reportOf } from './reports.ts';
import type { Session } from './session.ts';

export interface WorkspaceFiles {
  /** Returns the reports of closed files with findings, by address; empty if the workspace is not followed. */
  reports(): ReadonlyMap<string, DocumentReport>;
  /** Returns the report for one file, checking the file if necessary. */
  reportOn(path: string): Promise<DocumentReport>;
  /** Checks files that have changed since the last time, and from then on whenever files change. */
  check(token: CancellationToken, progress: (done: number, all: number) => void): Promise<WorkspaceCheck>;
  /** Resolves when all changed files have been checked, if the workspace is followed. */
  settled(): Promise<void>;
  /** Called when files were changed, renamed or deleted. Finds out soon which ones. */
  filesChanged(): void;
  /** Called when settings, facts about the machine, or the open folders have changed. */
  everythingChanged(): void;
}

/** The findings for a file that are kept from one start to the next. */
export interface StoredFindings {
  readonly items: Diagnostic[];
  readonly absent: readonly MentionedPath[];
  /** Present if the findings depend on other programs, with the state of these programs. */
  readonly project?: { readonly basis: StoredBasis; readonly state: string };
}

/** The result for a file. */
interface Judged {
  /** Changes with the file. */
  readonly stamp: string;
  /** Identifies the settings and facts with which the file was checked. */
  readonly epoch: number;
  readonly key: string;
  readonly absent: readonly MentionedPath[];
  readonly restsOnFiles: boolean;
  readonly report: DocumentReport;
}

interface Circumstances {
  readonly session: Session;
  readonly configuration: Pick<Configuration, 'choicesIn' | 'choices'>;
  readonly projects: OpenProjects;
  readonly folders: Folders;
  /** Opens the cache on demand. */
  readonly openCache: () => Promise<Cache<StoredFindings>>;
  /** Resolves when facts about the machine are known, or are not requested. */
  readonly whenMachineIsKnown: () => Promise<unknown>;
  /** Called when reports change, or when the workspace starts or stops being followed. */
  readonly changed: () => void;
  readonly failed: (error: unknown) => void;
}

/** Milliseconds without a change after which files are checked. */
const PATIENCE_MS = 300;
/**
 * The longest time in milliseconds that checking files blocks the server, except for a single file that takes longer.
 */
const SLICE_MS = 15;
/** Milliseconds between two updates during a run. */
const NEWS_MS = 500;

/** Follows the files of the workspace if a setting or the user requests it. */
export function followWorkspaceFiles({
  session,
  configuration,
  projects,
  folders,
  openCache,
  whenMachineIsKnown,
  changed,
  failed,
}: Circumstances): WorkspaceFiles {
  const judged = new Map<string, Judged>();
  let listed: ReadonlySet<string> = new Set();
  let epoch = 0;
  let isAskedFor = false;
  let isFollowed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let cache: Cache<StoredFindings> | undefined;

  const openPaths = () => new Set(session.documents.all().map(({ uri }) => filePath(uri)));

  /** Returns the folders whose files are checked even if they are not open. */
  const followedFolders = async (): Promise<readonly string[]> => {
    const all = folders.all();
    if (isAskedFor) return all;
    const choices = await Promise.all(all.map(configuration.choicesIn));
    return all.filter((_, index) => choices[index]?.checkWorkspace === 'onSave');
  };

  const isStillRight = (path: string, known: Judged, stamp: string): boolean => {
    const uri = pathToFileURL(path).href;
    return (
      known.stamp === stamp && !known.restsOnFiles && !projects.isOutdated(uri) && session.areAbsent(uri, known.absent)
    );
  };

  /** Checks a file unless its report is up to date. Returns true if the report has changed. */
  const judge = async (path: string): Promise<boolean> => {
    const known = judged.get(path);
    const stamp = stampOf(path);
    const isRight = known !== undefined && isStillRight(path, known, stamp);
    if (isRight && known.epoch === epoch) return false;
    const now = epoch;
    const fresh = await found(path, isRight ? known : undefined);
    const report = fresh.items.length === 0 ? NOTHING_FOUND : reportOf(fresh.items, known?.report);
    judged.set(path, { ...fresh, stamp, epoch: now, report });
    return report !== (known?.report ?? NOTHING_FOUND);
  };

  /** Returns the findings for a file; those in `known` if only settings or facts that do not affect it have changed. */
  const found = async (
    path: string,
    known: Judged | undefined,
  ): Promise<Pick<Judged, 'key' | 'absent' | 'restsOnFiles'> & { readonly items: Diagnostic[] }> => {
    const uri = pathToFileURL(path).href;
    const how = await session.configurationOf(uri);
    const nothing = { key: '', absent: [], restsOnFiles: false, items: [] };
    if (how.excluded) return nothing;
    let text: string;
    let key: string;
    try {
      const bytes = readProgram(path);
      key = cacheKey(circumstancesOf(how, session.knowledge()), bytes);
      if (known?.key === key) return { ...known, items: known.report.items };
      const stored = cache?.get(path, key);
      if (stored && (await isStored(path, uri, stored))) return { ...stored, key, restsOnFiles: false };
      text = readDocument(path, bytes, how.included).text.replace(/^\uFEFF/, '');
    } catch {
      // The file is gone or cannot be read; an editor that opens it shows why.
      return nothing;
    }
    await projects.prepared(path);
    const { analysis, absent, restsOnFiles } = await session.analysisOfFile(TextDocument.create(uri, '', 0, text));
    const items = analysis ? [...diagnosticsIn(analysis)] : [];
    if (!restsOnFiles) {
      const basis = projects.basisOf(uri);
      const state = basis && projects.stateOf(path, basis);
      if (!basis) cache?.put(path, key, { items, absent });
      else if (state !== undefined) cache?.put(path, key, { items, absent, project: { basis, state } });
    }
    return { key, absent, restsOnFiles, items };
  };

  /** True if the findings of an earlier session are still valid; what they depend on is followed from then on. */
  const isStored = async (path: string, uri: string, { absent, project }: StoredFindings): Promise<boolean> => {
    if (!session.areAbsent(uri, absent)) return false;
    if (!project) return true;
    await projects.prepared(path);
    if (project.state !== projects.stateOf(path, project.basis)) return false;
    projects.restore(uri, project.basis);
    return true;
  };

  /** Checks the files in the followed folders that are not open. */
  const run = async (token?: CancellationToken, progress = (_done: number, _all: number) => {}): Promise<number> => {
    const followed = await followedFolders();
    const wasFollowed = isFollowed;
    isFollowed = followed.length > 0;
    if (!isFollowed) {
      listed = new Set();
      judged.clear();
      if (wasFollowed) changed();
      return 0;
    }
    await whenMachineIsKnown();
    let paused = performance.now();
    /** Yields to other work from time to time; returns true if it did. */
    const pause = async () => {
      if (performance.now() - paused < SLICE_MS) return false;
      await setImmediate();
      paused = performance.now();
      return true;
    };
    const { files } = await findFiles(followed, async (folder) => {
      await pause();
      return configuration.choices(folder);
    });
    await updateIndexes(files);
    cache ??= await openCache();
    let reportedAt = performance.now();
    let isNews = false;
    let open = openPaths();
    for (const [index, path] of files.entries()) {
      if (token?.isCancellationRequested) break;
      if (!open.has(path) && (await judge(path))) isNews = true;
      progress(index + 1, files.length);
      if (isNews && performance.now() - reportedAt > NEWS_MS) {
        isNews = false;
        changed();
        reportedAt = performance.now();
      }
      if (await pause()) open = openPaths();
    }
    cache?.save();
    changed();
    return files.length;
  };

  /** Updates the projects' indexes with the programs that changed since the last time, and forgets those that are gone. */
  const updateIndexes = async (files: readonly string[]): Promise<void> => {
    const now = new Set(files);
    const gone = [...listed].filter((path) => !now.has(path));
    const others = files.filter((path) => {
      const known = judged.get(path);
      return listed.size > 0 && (!listed.has(path) || (known !== undefined && known.stamp !== stampOf(path)));
    });
    listed = now;
    for (const path of gone) judged.delete(path);
    if (gone.length + others.length === 0) return;
    projects.filesChanged([...gone, ...others].filter((path) => /\.(?:py|pyw|ipynb)$/i.test(path)));
    projects.settle();
  };

  /** Runs tasks one after another. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = running.then(work);
    running = result.catch(() => {});
    return result;
  };
  const runNow = () => {
    clearTimeout(timer);
    timer = undefined;
    void inTurn(() => run()).catch(failed);
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(runNow, PATIENCE_MS).unref();
  };

  return {
    reports() {
      const open = openPaths();
      const shown = isFollowed ? [...judged] : [];
      return new Map(
        shown.flatMap(([path, { report }]) =>
          report !== NOTHING_FOUND && listed.has(path) && !open.has(path)
            ? [[pathToFileURL(path).href, report] as const]
            : [],
        ),
      );
    },
    async reportOn(path) {
      await judge(path);
      return judged.get(path)?.report ?? NOTHING_FOUND;
    },
    async check(token, progress) {
      isAskedFor = true;
      const files = await inTurn(() => run(token, progress));
      const open = openPaths();
      const findings = new Map<string, readonly string[]>();
      for (const [path, { report }] of judged)
        if (listed.has(path) && !open.has(path)) findings.set(path, linesOf(path, report.items));
      for (const { uri } of session.documents.all()) {
        const path = filePath(uri) ?? '';
        if (token.isCancellationRequested) break;
        const analysis = listed.has(path) ? await session.analysisOf(uri, token) : undefined;
        if (analysis) findings.set(path, linesOf(path, diagnosticsIn(analysis)));
      }
      const inOrder = [...findings].sort(([one], [other]) => (one < other ? -1 : 1));
      return { files, findings: inOrder.flatMap(([, lines]) => lines), isCancelled: token.isCancellationRequested };
    },
    async settled() {
      if (timer) runNow();
      await running;
    },
    filesChanged: soon,
    everythingChanged() {
      epoch++;
      soon();
    },
  };
}

const WORDS = { 1: 'error', 2: 'warning', 3: 'information', 4: 'hint' } as const;

/** Returns a line for each finding of a file except hints. */
function linesOf(path: string, items: readonly Diagnostic[]): string[] {
  return items.flatMap(({ range: { start }, code, severity = 1, message }) =>
    severity === DiagnosticSeverity.Hint
      ? []
      : [`${path}:${start.line + 1}:${start.character + 1}: ${code} (${WORDS[severity]}) ${message}`],
  );
}

/** Returns a string that changes whenever a file is written. */
function stampOf(path: string): string {
  const status = statSync(path, { throwIfNoEntry: false });
  return `${status?.size} ${status?.mtimeMs}`;
}

/** Returns everything except the texts that findings depend on, as one string. */
function circumstancesOf({ options, words, baseline }: FileConfiguration, known: Knowledge): string {
  const plain = (_: string, value: unknown) => (value instanceof Set ? [...value] : value);
  return JSON.stringify([options, words, baseline ?? null, known], plain);
}
