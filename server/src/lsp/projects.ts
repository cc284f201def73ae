/** The projects of open programs. Each is indexed in the background and follows edits and changes on disk. */
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'vscode-languageserver';
import type { Program } from '../guards/program.ts';
import type { ProjectView } from '../guards/projectView.ts';
import { diskFiles } from '../projectIndex/diskFiles.ts';
import type { ProjectFiles } from '../projectIndex/projectFiles.ts';
import { type Changes, createProjectIndex, type ProjectIndex } from '../projectIndex/projectIndex.ts';
import { rootAround, stateOf } from '../projectIndex/projects.ts';
import { textFactsOf } from '../projectIndex/textFacts.ts';
import type { Source } from '../python/semantic/source.ts';
import { filePath } from './configurationFiles.ts';
import type { Documents } from './documents.ts';
import type { Folders } from './folders.ts';
import { createProgress } from './progress.ts';

export interface OpenProjects {
  /**
   * Returns the rest of the project of an open program; undefined until the project is indexed, and outside projects.
   */
  projectOf(uri: string, program: Program): ProjectView | undefined;
  /** Resolves when the project of a file is indexed, or cannot be. */
  prepared(path: string): Promise<void>;
  /**
   * If a program was checked without the rest of its project, waits for the index, within a limit. Resolves to true if
   * the program may now have other findings.
   */
  decided(uri: string): Promise<boolean>;
  /**
   * Returns a string that changes whenever the facts that a program's findings depend on change, even while no server
   * is running; undefined until the program's project is indexed.
   */
  stateOf(path: string, basis: StoredBasis): string | undefined;
  /**
   * Returns the facts from other files on which a program's findings depend, as plain data; undefined if they depend
   * only on its text.
   */
  basisOf(uri: string): StoredBasis | undefined;
  /** Restores the facts that a program's earlier findings depend on. */
  restore(uri: string, basis: StoredBasis): void;
  /** True if a fact that a program's findings depend on has changed. */
  isOutdated(uri: string): boolean;
  /** Called when a program is checked. */
  judging(uri: string): void;
  /** Called when a program was opened, edited or closed. */
  documentChanged(uri: string): void;
  /** Called when programs were changed, created or deleted on disk. */
  filesChanged(paths: readonly string[]): void;
  /** Updates the indexes immediately, without waiting for further changes. */
  settle(): void;
}

/** Milliseconds without a keystroke after which edits take effect on other programs. */
const PATIENCE_MS = 300;

/** Milliseconds that an answer waits for the index. A project of thousands of files takes longer the first time. */
const LONGEST_INDEXING_MS = 10_000;

interface Indexed {
  readonly index: ProjectIndex;
  /** Resolves when the project is indexed, or cannot be. */
  readonly prepared: Promise<void>;
  /** The same, but not later than the limit for an answer. */
  readonly awaited: Promise<void>;
  isReady: boolean;
}

/** The stored form of the facts on which a program's findings depend. */
export interface StoredBasis {
  readonly summaries: readonly string[];
  readonly imports: boolean;
  /** The suffixes of data files. */
  readonly fileNames: readonly string[];
}

/** The facts on which a program's findings depend. */
interface Basis {
  readonly root: string;
  readonly summaries: Set<string>;
  imports: boolean;
  readonly fileNames: Set<string>;
  /** True for facts from an earlier server, for which it is unknown whether summaries have changed. */
  readonly isRestored: boolean;
}

/** Follows the projects of open programs in these folders. Calls `changed` when programs have to be checked again. */
export function followProjects(
  connection: Connection,
  showsProgress: boolean,
  documents: Documents,
  folders: Pick<Folders, 'all'>,
  changed: () => void,
): OpenProjects {
  const projects = new Map<string, Indexed>();
  const open = new Map<string, Source>();
  const bases = new Map<string, Basis>();
  const outdated = new Set<string>();
  const edited = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const indexed = (root: string): Indexed => {
    const known = projects.get(root);
    if (known) return known;
    const index = createProjectIndex(withOpen(diskFiles(root), open));
    const prepared: Promise<void> = Promise.resolve().then(() => prepare(root, fresh));
    const awaited = Promise.race([prepared, sleep(LONGEST_INDEXING_MS, undefined, { ref: false })]);
    const fresh: Indexed = { index, isReady: false, prepared, awaited };
    projects.set(root, fresh);
    return fresh;
  };

  const prepare = async (root: string, project: Indexed): Promise<void> => {
    const progress = createProgress(connection, showsProgress, `Indexing ${basename(root)}`);
    try {
      await project.index.prepare(progress.report);
      project.isReady = true;
      flush();
      // Until now its programs were checked on their own.
      for (const [uri, basis] of bases) if (basis.root === root) outdated.add(uri);
      changed();
    } catch (error) {
      connection.console.warn(`${root} could not be indexed; its files are checked one by one: ${String(error)}`);
    } finally {
      progress.done();
    }
  };

  const rests = (basis: Basis, changes: Changes, paths: readonly string[]): boolean =>
    (changes.imports && basis.imports) ||
    ((changes.fileNames || basis.isRestored) && basis.fileNames.size > 0) ||
    (basis.isRestored ? paths : [...changes.summaries]).some((path) => basis.summaries.has(path));

  const flush = () => {
    timer = undefined;
    const paths = [...edited];
    edited.clear();
    let isNews = false;
    for (const [root, { index, isReady }] of projects) {
      const own = paths.filter((path) => rootAround(path, folders.all()) === root);
      // A file that changes while its project is read may have been read before the change.
      if (!isReady) for (const path of own) edited.add(path);
      if (!isReady || own.length === 0) continue;
      const changes = index.update(own);
      for (const [uri, basis] of bases) {
        if (basis.root !== root || !rests(basis, changes, own)) continue;
        outdated.add(uri);
        isNews = true;
      }
    }
    if (isNews) changed();
  };

  const follow = (paths: readonly string[]) => {
    if (projects.size === 0) return;
    for (const path of paths) edited.add(path);
    clearTimeout(timer);
    timer = setTimeout(flush, PATIENCE_MS).unref();
  };

  return {
    projectOf(uri, program) {
      const path = filePath(uri);
      const root = path === undefined ? undefined : rootAround(path, folders.all());
      if (path === undefined || root === undefined) return undefined;
      const { index, isReady } = indexed(root);
      const basis: Basis = { root, summaries: new Set(), imports: false, fileNames: new Set(), isRestored: false };
      bases.set(uri, basis);
      if (!isReady) return undefined;
      const asked = {
        summary: (of: string) => void basis.summaries.add(of),
        importers() {
          basis.imports = true;
        },
        fileNames: (suffix: string) => void basis.fileNames.add(suffix),
      };
      return index.viewFor({ ...program, source: { ...program.source, path } }, asked);
    },
    async prepared(path) {
      const root = rootAround(path, folders.all());
      if (root !== undefined) await indexed(root).prepared;
    },
    async decided(uri) {
      const basis = bases.get(uri);
      const project = basis && projects.get(basis.root);
      if (!project || (project.isReady && !outdated.has(uri))) return false;
      await project.awaited;
      return project.isReady;
    },
    stateOf(path, { summaries, imports, fileNames }) {
      const root = rootAround(path, folders.all());
      const project = root === undefined ? undefined : indexed(root);
      if (!project?.isReady) return undefined;
      const { index } = project;
      return [stateOf(summaries), imports && index.importsState(), ...fileNames.map(index.fileNamesState)].join(' ');
    },
    basisOf(uri) {
      const basis = bases.get(uri);
      if (!basis || (basis.summaries.size === 0 && !basis.imports && basis.fileNames.size === 0)) return undefined;
      const { summaries, imports, fileNames } = basis;
      return { summaries: [...summaries], imports, fileNames: [...fileNames] };
    },
    restore(uri, { summaries, imports, fileNames }) {
      const root = rootAround(filePath(uri) ?? '', folders.all());
      if (root === undefined) return;
      outdated.delete(uri);
      bases.set(uri, { root, summaries: new Set(summaries), imports, fileNames: new Set(fileNames), isRestored: true });
    },
    isOutdated: (uri) => outdated.has(uri),
    judging(uri) {
      outdated.delete(uri);
      bases.delete(uri);
    },
    documentChanged(uri) {
      const path = filePath(uri);
      if (path === undefined) return;
      const opened = documents.at(uri);
      if (opened) open.set(path, { ...opened.source, path });
      else open.delete(path);
      follow([path]);
    },
    filesChanged: (paths) => follow(paths.filter((path) => !open.has(path))),
    settle() {
      clearTimeout(timer);
      if (edited.size > 0) flush();
    },
  };
}

/** Returns the files of a project, with the editor's text for files that are open. */
function withOpen(files: ProjectFiles, open: ReadonlyMap<string, Source>): ProjectFiles {
  const asciiOf = (path: string) => {
    const source = open.get(path);
    return source ? source.cells.map(({ text }) => text).join('\n') : files.asciiOf(path);
  };
  return {
    ...files,
    read: (path) => open.get(path) ?? files.read(path),
    asciiOf,
    factsOf: (path) => (open.has(path) ? textFactsOf(asciiOf(path)) : files.factsOf(path)),
  };
}
