/** The index of a project: what its files mean to each other, found out when somebody asks. */

import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
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

/** The files of a project as they are read, on disk or in an editor. */
export interface ProjectFiles {
  readonly root: string;
  /** The paths of all Python files and notebooks. */
  list(): readonly string[];
  /** True for a file or folder of the project, by the folder that it lies in and its own name. */
  has(folder: string, name: string): boolean;
  /** True for what is there now, whatever was found before. */
  exists(path: string): boolean;
  /** Undefined for what cannot be read. */
  read(path: string): Source | undefined;
  /** The text of a file, in which only ASCII can be relied on; empty for what cannot be read. */
  asciiOf(path: string): string;
  /** True where the text may hold the ASCII word. Takes less time than to look at the text. */
  mayHold(path: string, word: string): boolean;
  /** Forgets which files there are. */
  forget(): void;
}

export interface ProjectIndex {
  /** Reads the imports of all files, with pauses; `progress` is told how many of how many are read. */
  prepare(progress?: (read: number, all: number) => void): Promise<void>;
  /** Reads files again that were edited, created or deleted, and answers what that changes for others. */
  update(paths: readonly string[]): Changes;
  /** Another text whenever files import others than before, or are created or deleted. Reads all that were not read yet. */
  importsState(): string;
  /** Another text whenever files mention other data files with a suffix than before. */
  fileNamesState(suffix: string): string;
  /** The rest of the project as the program of a file sees it. `asked` is told what its findings depend on. */
  viewFor(program: Program, asked?: Asked): ProjectView;
}

/** What became another answer. */
export interface Changes {
  /** The files whose summary is another one. */
  readonly summaries: ReadonlySet<string>;
  /** True where other files are imported. */
  readonly imports: boolean;
  /** True where other data files are mentioned. */
  readonly fileNames: boolean;
}

/** Told what the findings of a file depend on besides its text. */
export interface Asked {
  /** The summary of a file. */
  summary(path: string): void;
  /** Who imports what. */
  importers(): void;
  /** Which files mention data files with a suffix. */
  fileNames(suffix: string): void;
}

/** Milliseconds that others wait at most while files are read. */
const SLICE = 15;

const NOBODY: Asked = { summary() {}, importers() {}, fileNames() {} };

/** What the text of a file shows without being parsed. */
interface Scan {
  /** The list of `ScannedImport` as JSON: a project has tens of thousands, of which few are ever asked for. */
  readonly imports: string;
  /** The words of its imports that may be the last part of a module, one a line. */
  readonly lastParts: string;
  /** In characters. */
  readonly length: number;
  readonly addsToSearchPath: boolean;
}

/** Without any of these words a file says nothing about GPUs by what it exports. */
const ABOUT_GPUS = /cuda|gpu|accelerator|nccl|cpu|distributed|ddp/i;

export function createProjectIndex(files: ProjectFiles, options: Pick<ParseOptions, 'guardNames'> = {}): ProjectIndex {
  const scanned = new Map<string, Scan>();
  const summaries = new Map<string, FileSummary | undefined>();
  /** By suffix, the data files that each file mentions. */
  const mentioned = new Map<string, { readonly names: Map<string, readonly string[]>; index: MentionedFiles }>();
  const aboutGpus = new Map<string, boolean>();
  const gpuOnly = new Map<string, boolean>();
  const added = new Map<string, readonly string[]>();
  const addedBy = (path: string): readonly string[] => {
    const known = added.get(path) ?? foldersAddedBy(path);
    added.set(path, known);
    return known;
  };
  const foldersAddedBy = (path: string): readonly string[] => {
    const source = scan(path).addsToSearchPath ? files.read(path) : undefined;
    return source ? addedFolders(parseProgram(source), files.root) : [];
  };
  let modules = createModules({ ...files, addedBy });

  const scan = (path: string): Scan => {
    const known = scanned.get(path);
    if (known) return known;
    const text = files.asciiOf(path);
    const imports = scanImports(text);
    // Both are new texts: a part of a text keeps all of it in memory.
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

  /** True where what defines the name mentions GPUs. Of what is defined under some condition, its whole file is looked at. */
  const isAboutGpus = ({ path, name }: DefinedName): boolean => {
    const key = `${path}\0${name}`;
    const known = aboutGpus.get(key) ?? ABOUT_GPUS.test(definitionIn(files.asciiOf(path), name) ?? files.asciiOf(path));
    aboutGpus.set(key, known);
    return known;
  };
  /** True for a file that may only work on a GPU. */
  const mayBeGpuOnly = (path: string): boolean => {
    const known = gpuOnly.get(path) ?? mayNeedGpu(files.asciiOf(path));
    gpuOnly.set(path, known);
    return known;
  };

  const isOfProject = (path: string) => (dotted: string) => modules.mayHave(path, dotted);

  const summaryFrom = (path: string): FileSummary | undefined => {
    const source = files.read(path);
    // Each part is made now, so that nothing holds on to the program.
    return source && { ...summarize(parseProgram(source, options), isOfProject(path)) };
  };
  const summaryOf = (path: string): FileSummary | undefined => {
    if (!summaries.has(path)) summaries.set(path, summaryFrom(path));
    return summaries.get(path);
  };

  /** Once for each summary, for as long as imports mean the same. */
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

  /** True where a file now mentions other data files. */
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
      added.delete(path);
      gpuOnly.delete(path);
      if (known !== scan(path).imports) isImportedOtherwise = true;
      if (mentionsOthers(path)) isMentionedOtherwise = true;
    }
    aboutGpus.clear();
    states.clear();
    // Where names are defined may be another place even if the same is imported.
    modules = createModules({ ...files, addedBy });
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
      if (performance.now() - paused < SLICE) continue;
      progress(read, all.length);
      await setImmediate();
      paused = performance.now();
    }
  };

  /** Until files change. */
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
    viewFor(program, asked = NOBODY) {
      const { path } = program.source;
      const { definitionOf } = imports;
      const isTest = isTestFile(path, files.root);
      const own = summarize(program, isOfProject(path));
      const summary = (of: string): FileSummary | undefined => {
        if (of === path) return own;
        asked.summary(of);
        return summaryOf(of);
      };
      const usersOf = (of: string, name: string): readonly string[] | undefined => {
        asked.importers();
        // Tests are no entries of the program.
        return imports.usersOf(of, name)?.filter((user) => isTest || !isTestFile(user, files.root));
      };
      const usesOf = (defining: string, using: string): readonly DefinedUse[] => {
        const found = summary(using);
        return found ? (usesIn(found, using).get(defining) ?? []) : [];
      };
      return {
        atEveryUse: (name) => evidenceOfCallers(path, name, { summaryOf: summary, usersOf, usesOf }),
        exported(dotted) {
          asked.importers();
          const definition = definitionOf(path, dotted);
          if (!definition || definition.path === path || !isAboutGpus(definition)) return undefined;
          const found = summary(definition.path)?.exports[definition.name];
          return found && { ...found, place: { path: definition.path, ...found.place } };
        },
        isBareModel(dotted) {
          asked.importers();
          const definition = definitionOf(path, dotted);
          if (!definition || definition.path === path) return false;
          return summary(definition.path)?.models.includes(definition.name) ?? false;
        },
        saversOf(fileName) {
          const suffix = suffixOf(fileName);
          if (suffix !== undefined) asked.fileNames(suffix);
          return saversOf(path, fileName, { mentioning, definitionOf, summaryOf: summary });
        },
        kerasLoadBefore: (name) => loadBefore(path, name, { summaryOf: summary, usersOf, usesOf, definitionOf }),
        gpuUses() {
          asked.importers();
          return imports.importedBy(path).flatMap((of) => {
            asked.summary(of);
            if (!mayUseFramework(files.asciiOf(of))) return [];
            const uses = summaryOf(of)?.gpuUses ?? [];
            return uses.map(({ framework, place }) => ({ framework, place: { path: of, ...place } }));
          });
        },
        facts() {
          asked.importers();
          return imports.importedBy(path).flatMap((of) => {
            asked.summary(of);
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
