/** The projects of open programs: each is indexed in the background, and follows what is typed and what changes on disk. */
import { basename } from 'node:path';
import type { Connection } from 'vscode-languageserver/node';
import type { Program } from '../guards/program.ts';
import type { ProjectView } from '../guards/projectView.ts';
import { diskFiles } from '../projectIndex/diskFiles.ts';
import {
  type Changes,
  createProjectIndex,
  type ProjectFiles,
  type ProjectIndex,
} from '../projectIndex/projectIndex.ts';
import { rootAround } from '../projectIndex/projects.ts';
import type { Source } from '../python/semantic/source.ts';
import { filePath } from './configurationFiles.ts';
import type { Documents } from './documents.ts';

export interface OpenProjects {
  /** The rest of the project of an open program; undefined while it is not indexed, and where there is none. */
  projectOf(uri: string, program: Program): ProjectView | undefined;
  /** True when an answer that the findings of a program rest on has become another one. */
  isOutdated(uri: string): boolean;
  /** The program is judged now. */
  judging(uri: string): void;
  /** A program was opened, edited or closed. */
  documentChanged(uri: string): void;
  /** Programs were changed, created or deleted on disk. */
  filesChanged(paths: readonly string[]): void;
}

/** For those who judge each program by itself. */
export const NO_PROJECTS: OpenProjects = {
  projectOf: () => undefined,
  isOutdated: () => false,
  judging() {},
  documentChanged() {},
  filesChanged() {},
};

/** Milliseconds without a keystroke after which other programs learn of what was typed. */
const PATIENCE_MS = 300;
/** Milliseconds of indexing after which its progress is shown. */
const SHOWN_AFTER_MS = 500;

interface Indexed {
  readonly index: ProjectIndex;
  isReady: boolean;
}

/** What the findings of a program rest on. */
interface Basis {
  readonly root: string;
  readonly summaries: Set<string>;
  imports: boolean;
  fileNames: boolean;
}

/** Follows the projects of open programs in these folders. `changed` is called when programs have to be judged again. */
export function followProjects(
  connection: Connection,
  showsProgress: boolean,
  documents: () => Documents,
  folders: readonly string[],
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
    const fresh: Indexed = { index: createProjectIndex(withOpen(diskFiles(root), open)), isReady: false };
    projects.set(root, fresh);
    void prepare(root, fresh);
    return fresh;
  };

  const prepare = async (root: string, project: Indexed): Promise<void> => {
    const progress = createProgress(connection, showsProgress, `Indexing ${basename(root)}`);
    try {
      await project.index.prepare(progress.report);
      project.isReady = true;
      flush();
      // Meanwhile its programs were judged by themselves.
      for (const [uri, basis] of bases) if (basis.root === root) outdated.add(uri);
      changed();
    } catch (error) {
      connection.console.warn(`${root} is not indexed, and its files are judged one by one: ${String(error)}`);
    } finally {
      progress.done();
    }
  };

  const rests = (basis: Basis, changes: Changes): boolean =>
    (changes.imports && basis.imports) ||
    (changes.fileNames && basis.fileNames) ||
    [...changes.summaries].some((path) => basis.summaries.has(path));

  const flush = () => {
    timer = undefined;
    const paths = [...edited];
    edited.clear();
    let isNews = false;
    for (const [root, { index, isReady }] of projects) {
      const own = paths.filter((path) => rootAround(path, folders) === root);
      // What changes while a project is read may have been read before.
      if (!isReady) for (const path of own) edited.add(path);
      if (!isReady || own.length === 0) continue;
      const changes = index.update(own);
      for (const [uri, basis] of bases) {
        if (basis.root !== root || !rests(basis, changes)) continue;
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
      const root = path === undefined ? undefined : rootAround(path, folders);
      if (path === undefined || root === undefined) return undefined;
      const { index, isReady } = indexed(root);
      const basis: Basis = { root, summaries: new Set(), imports: false, fileNames: false };
      bases.set(uri, basis);
      if (!isReady) return undefined;
      const asked = {
        summary: (of: string) => void basis.summaries.add(of),
        importers() {
          basis.imports = true;
        },
        fileNames() {
          basis.fileNames = true;
        },
      };
      return index.viewFor({ ...program, source: { ...program.source, path } }, asked);
    },
    isOutdated: (uri) => outdated.has(uri),
    judging(uri) {
      outdated.delete(uri);
      bases.delete(uri);
    },
    documentChanged(uri) {
      const path = filePath(uri);
      if (path === undefined) return;
      const opened = documents().at(uri);
      if (opened) open.set(path, { ...opened.source, path });
      else open.delete(path);
      follow([path]);
    },
    filesChanged: (paths) => follow(paths.filter((path) => !open.has(path))),
  };
}

/** The files of a project, of which some are open in the editor and have the text that they have there. */
function withOpen(files: ProjectFiles, open: ReadonlyMap<string, Source>): ProjectFiles {
  const asciiOf = (path: string) => {
    const source = open.get(path);
    return source ? source.cells.map(({ text }) => text).join('\n') : files.asciiOf(path);
  };
  return {
    ...files,
    read: (path) => open.get(path) ?? files.read(path),
    asciiOf,
    mayHold: (path, word) => (open.has(path) ? asciiOf(path).includes(word) : files.mayHold(path, word)),
  };
}

/** A progress in the client's window, which only begins when the work takes long. */
function createProgress(connection: Connection, isShown: boolean, title: string) {
  const start = performance.now();
  let shown: ReturnType<Connection['window']['createWorkDoneProgress']> | undefined;
  return {
    report(read: number, all: number) {
      if (!isShown || performance.now() - start < SHOWN_AFTER_MS) return;
      shown ??= connection.window.createWorkDoneProgress().then((progress) => {
        progress.begin(title, 0);
        return progress;
      });
      void shown.then((progress) => progress.report(Math.floor((100 * read) / all))).catch(() => {});
    },
    done: () => void shown?.then((progress) => progress.done()).catch(() => {}),
  };
}
