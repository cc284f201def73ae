/** The index of a project: the relations between its files, computed on demand. */

import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isBelow } from '../files/paths.ts';
import { type ParseOptions, type Program, parseProgram } from '../guards/program.ts';
import type { ProjectView } from '../guards/projectView.ts';
import type { Source } from '../python/semantic/source.ts';
import { isTestFile } from '../rules/engine/testFile.ts';
import { mayUseFramework } from '../rules/queries/gpuFrameworks.ts';
import { mayNeedGpu } from '../rules/queries/gpuOnly.ts';
import { type DefinedUse, evidenceOfCallers, usesByDefinition } from './callers.ts';
import { lastParts, type ScannedImport, scanImports } from './importScan.ts';
import { createImports, type DefinedName, definitionIn, type ImportSources } from './imports.ts';
import { loadBefore } from './kerasLoads.ts';
import { type MentionedFiles, mentionedFiles, scanFileNames, suffixOf } from './mentionedFiles.ts';
import { createModules } from './modules.ts';
import { saversOf } from './savers.ts';
import { addedFolders, SEARCH_PATH } from './searchPath.ts';
import { summarize } from './summarize.ts';
import type { FileSummary } from './summary.ts';

/** The files of a project, on disk or in an editor. */
export interface ProjectFiles {
  readonly root: string;
  /** The paths of all Python files and notebooks. */
  list(): readonly string[];
  /** True if the folder contains a file or folder of that name. */
  has(folder: string, name: string): boolean;
  /** True if the path exists now, regardless of cached results. */
  exists(path: string): boolean;
  /** Returns undefined for a file that cannot be read. */
  read(path: string): Source | undefined;
  /**
   * Returns the text of a file, of which only the ASCII characters are reliable; empty for a file that cannot be read.
   */
  asciiOf(path: string): string;
  /** True if the text may contain the ASCII word. Faster than reading the text. */
  mayHold(path: string, word: string): boolean;
  /** Discards the cached list of files. */
  forget(): void;
}

export interface ProjectIndex {
  /** Reads the imports of all files, with pauses; `progress` receives the number of files read and the total. */
  prepare(progress?: (read: number, all: number) => void): Promise<void>;
  /** Rereads files that were edited, created or deleted, and returns which answers about other files change. */
  update(paths: readonly string[]): Changes;
  /** Returns a string that changes whenever imports change or files are created or deleted. Reads all unread files. */
  importsState(): string;
  /** Returns a string that changes whenever the set of mentioned data files with this suffix changes. */
  fileNamesState(suffix: string): string;
  /** Returns the rest of the project as seen from a file's program. `recorder` records what its findings depend on. */
  viewFor(program: Program, recorder?: DependencyRecorder): ProjectView;
}

/** The answers that changed. */
export interface Changes {
  /** The files whose summary changed. */
  readonly summaries: ReadonlySet<string>;
  /** True if imports changed. */
  readonly imports: boolean;
  /** True if mentions of data files changed. */
  readonly fileNames: boolean;
}

/** Records what the findings in a file depend on besides its text. */
export interface DependencyRecorder {
  /** The summary of a file. */
  summary(path: string): void;
  /** The import graph. */
  importers(): void;
  /** The files that mention data files with a suffix. */
  fileNames(suffix: string): void;
}

/** Maximum number of files of a program that are searched for places that need CUDA. */
const MAX_PROGRAM = 100;
/** Maximum time, in milliseconds, for which reading files blocks other work. */
const MAX_BLOCK_MS = 15;

const NO_DEPENDENCIES: DependencyRecorder = { summary() {}, importers() {}, fileNames() {} };

/** The facts found in the text of a file without parsing. */
interface Scan {
  /** The list of `ScannedImport` as JSON: a project has tens of thousands of imports, few of which are ever needed. */
  readonly imports: string;
  /** The words in its imports that may be the last part of a module name, one per line. */
  readonly lastParts: string;
  /** In characters. */
  readonly length: number;
  readonly addsToSearchPath: boolean;
}

/** A text without these words needs no CUDA and offers no CPU. */
const ABOUT_CUDA = /cuda|["']cpu["']|gpu/i;
/** A text without these words does not set Keras up. */
const KERAS_SETUP = /KERAS_BACKEND|tensorflow/;
/** Matches the packaging files of an installable package. */
const PACKAGING = ['pyproject.toml', 'setup.py', 'setup.cfg'];

/** A file without any of these words exports nothing about GPUs. */
const ABOUT_GPUS = /cuda|gpu|accelerator|nccl|cpu|distributed|ddp/i;

export function createProjectIndex(files: ProjectFiles, options: Pick<ParseOptions, 'guardNames'> = {}): ProjectIndex {
  const scanned = new Map<string, Scan>();
  const summaries = new Map<string, FileSummary | undefined>();
  /** The data files that each file mentions, by suffix. */
  const mentioned = new Map<string, { readonly names: Map<string, readonly string[]>; index: MentionedFiles }>();
  const aboutGpus = new Map<string, boolean>();
  const gpuOnly = new Map<string, boolean>();
  const searchFolders = new Map<string, readonly string[]>();
  const searchFoldersOf = (path: string): readonly string[] => {
    const known = searchFolders.get(path) ?? readSearchFolders(path);
    searchFolders.set(path, known);
    return known;
  };
  const readSearchFolders = (path: string): readonly string[] => {
    const source = scan(path).addsToSearchPath ? files.read(path) : undefined;
    return source ? addedFolders(parseProgram(source), files.root) : [];
  };
  let modules = createModules({ ...files, addedFolders: searchFoldersOf });

  const scan = (path: string): Scan => {
    const known = scanned.get(path);
    if (known) return known;
    const text = files.asciiOf(path);
    const imports = scanImports(text);
    // Both are copies: a substring would keep the whole text in memory.
    const fresh = {
      imports: JSON.stringify(imports),
      lastParts: [...new Set(imports.flatMap(lastParts))].join('\n'),
      length: text.length,
      addsToSearchPath: text.includes(SEARCH_PATH),
    };
    scanned.set(path, fresh);
    return fresh;
  };
  const sources: ImportSources = {
    list: files.list,
    importsOf: (path): readonly ScannedImport[] => JSON.parse(scan(path).imports),
    lastPartsIn: (path) => scan(path).lastParts.split('\n'),
    lengthOf: (path) => scan(path).length,
    textOf: files.asciiOf,
  };
  let imports = createImports(sources, modules);

  /** True if the definition of the name mentions GPUs. For a conditional definition, the whole file is searched. */
  const isAboutGpus = ({ path, name }: DefinedName): boolean => {
    const key = `${path}\0${name}`;
    const known = aboutGpus.get(key) ?? ABOUT_GPUS.test(definitionIn(files.asciiOf(path), name) ?? files.asciiOf(path));
    aboutGpus.set(key, known);
    return known;
  };
  /** True for a file that might work only on a GPU. */
  const mayBeGpuOnly = (path: string): boolean => {
    const known = gpuOnly.get(path) ?? mayNeedGpu(files.asciiOf(path));
    gpuOnly.set(path, known);
    return known;
  };

  const concernsCuda = new Map<string, boolean>();
  const mayConcernCuda = (path: string): boolean => {
    const known = concernsCuda.get(path) ?? ABOUT_CUDA.test(files.asciiOf(path));
    concernsCuda.set(path, known);
    return known;
  };

  /** Returns the outermost package that contains a file. */
  const packageOf = (path: string): string | undefined => {
    let found: string | undefined;
    for (let at = dirname(path); isBelow(at, files.root) && files.has(at, '__init__.py'); at = dirname(at)) found = at;
    return found;
  };
  /** True for a file of a package with packaging files, whose functions other projects call. */
  const isInstallable = (path: string): boolean => {
    const folder = packageOf(path);
    if (folder === undefined) return false;
    const parent = dirname(folder);
    const homes = basename(parent) === 'src' ? [parent, dirname(parent)] : [parent];
    return homes.some((home) => PACKAGING.some((name) => files.has(home, name)));
  };

  const isInProject = (path: string) => (dotted: string) => modules.mayContain(path, dotted);

  const summaryFrom = (path: string): FileSummary | undefined => {
    const source = files.read(path);
    // Each part is computed now, so that the summary does not retain the program.
    return source && { ...summarize(parseProgram(source, options), isInProject(path)) };
  };
  const summaryOf = (path: string): FileSummary | undefined => {
    if (!summaries.has(path)) summaries.set(path, summaryFrom(path));
    return summaries.get(path);
  };

  /** Computed once per summary, as long as the imports stay the same. */
  let usesFrom = new WeakMap<FileSummary, ReadonlyMap<string, readonly DefinedUse[]>>();
  const usesIn = (summary: FileSummary, path: string) => {
    const known = usesFrom.get(summary) ?? usesByDefinition(summary, (dotted) => imports.definitionOf(path, dotted));
    usesFrom.set(summary, known);
    return known;
  };

  const namesIn = (path: string, suffix: string): readonly string[] =>
    files.mayHold(path, suffix) ? scanFileNames(files.asciiOf(path), suffix) : [];
  const mentioning = (fileName: string): readonly string[] => {
    const suffix = suffixOf(fileName);
    return suffix === undefined ? [] : mentionedWith(suffix).index.of(fileName);
  };
  const mentionedWith = (suffix: string) => {
    let known = mentioned.get(suffix);
    if (!known) {
      const names = new Map(files.list().map((path) => [path, namesIn(path, suffix)]));
      known = { names, index: mentionedFiles(names) };
      mentioned.set(suffix, known);
    }
    return known;
  };

  /** True if the set of data files that a file mentions has changed. */
  const mentionsOthers = (path: string): boolean => {
    let isOther = false;
    for (const [suffix, known] of mentioned) {
      const names = namesIn(path, suffix);
      if (isDeepStrictEqual(names, known.names.get(path) ?? [])) continue;
      known.names.set(path, names);
      known.index = mentionedFiles(known.names);
      isOther = true;
    }
    return isOther;
  };

  const update = (paths: readonly string[]): Changes => {
    const before = new Set(files.list());
    const isAnotherFile = paths.some((path) => before.has(path) !== files.exists(path));
    if (isAnotherFile) {
      files.forget();
    }
    const changed = new Set<string>();
    let isImportedOtherwise = isAnotherFile;
    let isMentionedOtherwise = false;
    for (const path of paths) {
      const known = scanned.get(path)?.imports;
      scanned.delete(path);
      searchFolders.delete(path);
      gpuOnly.delete(path);
      concernsCuda.delete(path);
      if (known !== scan(path).imports) isImportedOtherwise = true;
      if (mentionsOthers(path)) isMentionedOtherwise = true;
    }
    aboutGpus.clear();
    states.clear();
    // Definitions may have moved even if the imports are the same.
    modules = createModules({ ...files, addedFolders: searchFoldersOf });
    imports = createImports(sources, modules);
    usesFrom = new WeakMap();
    for (const path of paths) {
      if (!summaries.has(path)) continue;
      const known = summaries.get(path);
      const fresh = summaryFrom(path);
      summaries.set(path, fresh);
      if (!isDeepStrictEqual(known, fresh)) changed.add(path);
    }
    return { summaries: changed, imports: isImportedOtherwise, fileNames: isMentionedOtherwise };
  };

  const prepare = async (progress: (read: number, all: number) => void = () => {}): Promise<void> => {
    const all = files.list();
    let paused = performance.now();
    for (const [read, path] of all.entries()) {
      scan(path);
      if (performance.now() - paused < MAX_BLOCK_MS) continue;
      progress(read, all.length);
      await setImmediate();
      paused = performance.now();
    }
  };

  /** Valid until files change. */
  const states = new Map<string, string>();
  const stateOf = (question: string, answerOf: (path: string) => string): string => {
    const known = states.get(question);
    if (known !== undefined) return known;
    const hash = createHash('sha256');
    for (const path of files.list()) hash.update(`${path}\0${answerOf(path)}\0`);
    const state = hash.digest('base64').slice(0, 24);
    states.set(question, state);
    return state;
  };

  return {
    prepare,
    update,
    importsState: () => stateOf('', (path) => scan(path).imports),
    fileNamesState: (suffix) => stateOf(suffix, (path) => JSON.stringify(mentionedWith(suffix).names.get(path) ?? [])),
    viewFor(program, recorder = NO_DEPENDENCIES) {
      const { path } = program.source;
      const { definitionOf } = imports;
      const isTest = isTestFile(path, files.root);
      const own = summarize(program, isInProject(path));
      const summary = (of: string): FileSummary | undefined => {
        if (of === path) return own;
        recorder.summary(of);
        return summaryOf(of);
      };
      const usersOf = (of: string, name: string): readonly string[] | undefined => {
        recorder.importers();
        // Tests are not entry points of the program.
        return imports.usersOf(of, name)?.filter((user) => isTest || !isTestFile(user, files.root));
      };
      const usesOf = (defining: string, using: string): readonly DefinedUse[] => {
        const found = summary(using);
        return found ? (usesIn(found, using).get(defining) ?? []) : [];
      };
      const callersOf = (of: string, name: string) =>
        evidenceOfCallers(of, name, { summaryOf: summary, usersOf, usesOf });
      const importersOf = (of: string): readonly string[] =>
        imports.importersOf(of).filter((file) => isTest || !isTestFile(file, files.root));
      /** Returns the files of a file's program in the order in which they run; a package is a program. */
      const programOf = (of: string): readonly string[] => {
        const folder = isInstallable(of) ? packageOf(of) : undefined;
        const importing = importersOf(of).filter((file) => folder === undefined || isBelow(file, folder));
        const members = new Set([of, ...importing]);
        if (folder !== undefined)
          for (const file of files.list())
            if (isBelow(file, folder) && !isTestFile(file, files.root)) members.add(file);
        for (const file of [...members]) for (const imported of imports.importedBy(file)) members.add(imported);
        const order = new Map(
          [...members].map((file) => [file, importersOf(file).filter((by) => members.has(by)).length]),
        );
        return [...members]
          .sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0) || (a < b ? -1 : 1))
          .slice(0, MAX_PROGRAM);
      };
      return {
        atEveryUse: (name) => callersOf(path, name),
        exported(dotted) {
          recorder.importers();
          const definition = definitionOf(path, dotted);
          if (!definition || definition.path === path || !isAboutGpus(definition)) return undefined;
          const found = summary(definition.path)?.exports[definition.name];
          return found && { ...found, place: { path: definition.path, ...found.place } };
        },
        isBareModel(dotted) {
          recorder.importers();
          const definition = definitionOf(path, dotted);
          if (!definition || definition.path === path) return false;
          return summary(definition.path)?.models.includes(definition.name) ?? false;
        },
        saversOf(fileName) {
          const suffix = suffixOf(fileName);
          if (suffix !== undefined) recorder.fileNames(suffix);
          return saversOf(path, fileName, { mentioning, definitionOf, summaryOf: summary });
        },
        kerasLoadBefore: (name) => loadBefore(path, name, { summaryOf: summary, usersOf, usesOf, definitionOf }),
        kerasSetup() {
          recorder.importers();
          const setups = [...importersOf(path), ...imports.importedBy(path)].flatMap((of) =>
            KERAS_SETUP.test(files.asciiOf(of)) ? (summary(of)?.kerasSetup ?? []) : [],
          );
          const backend = setups.find((setup) => setup.backend)?.backend;
          const isTensorflow1 = setups.some((setup) => setup.isTensorflow1);
          return backend ? { backend, isTensorflow1 } : { isTensorflow1 };
        },
        gpuUses() {
          recorder.importers();
          return imports.importedBy(path).flatMap((of) => {
            recorder.summary(of);
            if (!mayUseFramework(files.asciiOf(of))) return [];
            const uses = summaryOf(of)?.gpuUses ?? [];
            return uses.map(({ framework, place }) => ({ framework, place: { path: of, ...place } }));
          });
        },
        cpuOffer() {
          recorder.importers();
          // One of many programs that use a package offers the CPU for itself.
          if (isInstallable(path)) return undefined;
          for (const of of [...importersOf(path), ...imports.importedBy(path)]) {
            const offer = mayConcernCuda(of) ? summary(of)?.cpuOffer : undefined;
            if (offer) return { because: offer.because, place: { path: of, ...offer.place } };
          }
          return undefined;
        },
        cudaNeeds() {
          recorder.importers();
          const needs = programOf(path).flatMap((of) => {
            const places = (mayConcernCuda(of) ? summary(of)?.cudaNeeds : undefined) ?? [];
            return places
              .filter(({ isBelowMain }) => !isBelowMain || importersOf(of).length === 0)
              .filter(({ inside }) => inside.every((name) => callersOf(of, name).evidence.level === 'none'))
              .map(({ place }) => ({ path: of, ...place }));
          });
          const [first] = needs;
          const needing = [...new Set(needs.map((need) => need.path))];
          return first && needing.some((of) => of !== path)
            ? { first, places: needs.length, paths: needing }
            : undefined;
        },
        isImported() {
          recorder.importers();
          return importersOf(path).length > 0;
        },
        isUnused(name, isProgram) {
          recorder.importers();
          const isPartOfProgram = isProgram || importersOf(path).length > 0;
          return isPartOfProgram && !isInstallable(path) && imports.usersOf(path, name)?.length === 0;
        },
        facts() {
          recorder.importers();
          return imports.importedBy(path).flatMap((of) => {
            recorder.summary(of);
            if (!mayBeGpuOnly(of)) return [];
            return (summaryOf(of)?.facts ?? []).map(({ because, place }) => ({
              because,
              place: { path: of, ...place },
            }));
          });
        },
      };
    },
  };
}
