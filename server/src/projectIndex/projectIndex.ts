/** The index of a project: the relations between its files, computed on demand. */

import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Program, type ProgramOptions, parseProgram } from '../guards/program.ts';
import type { ProjectView } from '../guards/projectView.ts';
import { memoizeByText, once } from '../python/semantic/memoize.ts';
import { script } from '../python/semantic/source.ts';
import { type DefinedUse, evidenceOfCallers, usesByDefinition } from './callers.ts';
import { createImports, definitionIn } from './imports.ts';
import { loadBefore } from './kerasLoads.ts';
import { type MentionedFiles, mentionedFiles, suffixOf } from './mentionedFiles.ts';
import { createModules } from './modules.ts';
import { createPackagedPrograms } from './packagedPrograms.ts';
import type { ProjectFiles } from './projectFiles.ts';
import { saversOf } from './savers.ts';
import { addedFolders } from './searchPath.ts';
import { partsKnownOf, summarize } from './summarize.ts';
import type { FileSummary } from './summary.ts';
import type { TextFacts } from './textFacts.ts';

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

/** Maximum time, in milliseconds, for which reading files blocks other work. */
const MAX_BLOCK_MS = 15;

const NO_DEPENDENCIES: DependencyRecorder = { summary() {}, importers() {}, fileNames() {} };

/** Maximum number of parsed programs that are kept for further questions. */
const MAX_PARSED = 4;

/** A file without any of these words exports nothing about GPUs. */
const ABOUT_GPUS = /cuda|gpu|accelerator|nccl|cpu|distributed|ddp/i;

export function createProjectIndex(
  files: ProjectFiles,
  options: Pick<ProgramOptions, 'guardNames'> = {},
): ProjectIndex {
  const scanned = new Map<string, TextFacts>();
  const summaries = new Map<string, FileSummary>();
  /** Recently parsed files, the latest last. */
  const parsed = new Map<string, Program>();
  /** The data files that each file mentions, by suffix. */
  const mentioned = new Map<string, { readonly names: Map<string, readonly string[]>; index: MentionedFiles }>();

  const factsOf = (path: string): TextFacts => {
    const facts = scanned.get(path) ?? files.factsOf(path);
    scanned.set(path, facts);
    return facts;
  };
  const searchFolders = new Map<string, readonly string[]>();
  const searchFoldersOf = (path: string): readonly string[] => {
    const known = searchFolders.get(path) ?? readSearchFolders(path);
    searchFolders.set(path, known);
    return known;
  };
  const readSearchFolders = (path: string): readonly string[] => {
    const source = factsOf(path).addsToSearchPath ? files.read(path) : undefined;
    return source ? addedFolders(parseProgram(source), files.root) : [];
  };

  /** Returns the relations between the files, which hold until a file changes. */
  const relate = () => {
    const modules = createModules({ ...files, addedFolders: searchFoldersOf });
    const imports = createImports({ list: files.list, factsOf, textOf: files.asciiOf }, modules);
    const programs = createPackagedPrograms(files, imports);
    const usesFrom = memoizeByText((path) =>
      usesByDefinition(summaryOf(path), (dotted) => imports.definitionOf(path, dotted)),
    );
    /** True if the definition of the name mentions GPUs. For a conditional definition, the whole file is searched. */
    const isAboutGpus = memoizeByText((path) =>
      memoizeByText((name) => ABOUT_GPUS.test(definitionIn(files.asciiOf(path), name) ?? files.asciiOf(path))),
    );
    return { modules, imports, programs, usesFrom, isAboutGpus };
  };
  let related = relate();

  const isInProject = (path: string) => (dotted: string) => related.modules.mayContain(path, dotted);

  const parse = (path: string): Program => {
    const program = parsed.get(path) ?? parseProgram(files.read(path) ?? script(path, ''), options);
    parsed.delete(path);
    parsed.set(path, program);
    const [oldest] = parsed.size > MAX_PARSED ? parsed.keys() : [];
    if (oldest !== undefined) parsed.delete(oldest);
    return program;
  };
  const summaryOf = (path: string): FileSummary => {
    const summary =
      summaries.get(path) ??
      summarize(
        () => parse(path),
        isInProject(path),
        () => files.asciiOf(path),
      );
    summaries.set(path, summary);
    return summary;
  };

  /** Returns the data files with a suffix that a file mentions, without the suffix. */
  const namesIn = (path: string, suffix: string): readonly string[] => {
    const { fileNames } = factsOf(path);
    if (!fileNames.includes(`${suffix}"`)) return [];
    const names: readonly string[] = JSON.parse(fileNames);
    return names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));
  };
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
      parsed.delete(path);
      if (known !== factsOf(path).imports) isImportedOtherwise = true;
      if (mentionsOthers(path)) isMentionedOtherwise = true;
    }
    states.clear();
    // Definitions may have moved even if the imports are the same.
    related = relate();
    for (const path of paths) {
      const known = summaries.get(path);
      if (!known) continue;
      summaries.delete(path);
      const fresh = summaryOf(path);
      if (partsKnownOf(known).some((part) => !isDeepStrictEqual(known[part], fresh[part]))) changed.add(path);
    }
    return { summaries: changed, imports: isImportedOtherwise, fileNames: isMentionedOtherwise };
  };

  const prepare = async (progress: (read: number, all: number) => void = () => {}): Promise<void> => {
    const all = files.list();
    let paused = performance.now();
    for (const [read, path] of all.entries()) {
      factsOf(path);
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
    importsState: () => stateOf('', (path) => factsOf(path).imports),
    fileNamesState: (suffix) => stateOf(suffix, (path) => JSON.stringify(mentionedWith(suffix).names.get(path) ?? [])),
    viewFor(program, recorder = NO_DEPENDENCIES) {
      const { path } = program.source;
      const { imports, programs, usesFrom, isAboutGpus } = related;
      const { definitionOf } = imports;
      const isTest = programs.isTest(path);
      const own = summarize(
        () => program,
        isInProject(path),
        () => program.text,
      );
      const ownUses = once(() => usesByDefinition(own, (dotted) => definitionOf(path, dotted)));
      const summary = (of: string): FileSummary => {
        if (of === path) return own;
        recorder.summary(of);
        return summaryOf(of);
      };
      const usersOf = (of: string, name: string): readonly string[] | undefined => {
        recorder.importers();
        // Tests are not entry points of the program.
        return imports.usersOf(of, name)?.filter((user) => isTest || !programs.isTest(user));
      };
      const usesOf = (defining: string, using: string): readonly DefinedUse[] => {
        if (using === path) return ownUses().get(defining) ?? [];
        recorder.summary(using);
        return usesFrom(using).get(defining) ?? [];
      };
      const callersOf = (of: string, name: string) =>
        evidenceOfCallers(of, name, { summaryOf: summary, usersOf, usesOf });
      const importersOf = (of: string) => programs.importersOf(of, isTest);
      return {
        atEveryUse: (name) => callersOf(path, name),
        exported(dotted) {
          recorder.importers();
          const definition = definitionOf(path, dotted);
          if (!definition || definition.path === path || !isAboutGpus(definition.path)(definition.name))
            return undefined;
          const found = summary(definition.path).exports[definition.name];
          return found && { ...found, place: { path: definition.path, ...found.place } };
        },
        isBareModel(dotted) {
          recorder.importers();
          const definition = definitionOf(path, dotted);
          if (!definition || definition.path === path) return false;
          return summary(definition.path).models.includes(definition.name);
        },
        saversOf(fileName) {
          const suffix = suffixOf(fileName);
          if (suffix !== undefined) recorder.fileNames(suffix);
          return saversOf(path, fileName, { mentioning, definitionOf, summaryOf: summary });
        },
        kerasLoadBefore: (name) => loadBefore(path, name, { summaryOf: summary, usersOf, usesOf, definitionOf }),
        kerasSetup() {
          recorder.importers();
          const setups = [...importersOf(path), ...imports.importedBy(path)].flatMap((of) => summary(of).kerasSetup);
          const backend = setups.find((setup) => setup.backend)?.backend;
          const isTensorflow1 = setups.some((setup) => setup.isTensorflow1);
          return backend ? { backend, isTensorflow1 } : { isTensorflow1 };
        },
        gpuUses() {
          recorder.importers();
          return imports.importedBy(path).flatMap((of) => {
            return summary(of).gpuUses.map(({ framework, place }) => ({ framework, place: { path: of, ...place } }));
          });
        },
        callLeavingOut(name, parameter, position) {
          const isPassed = (argument: string) => argument === parameter || argument === String(position);
          const isLeavingOut = ({ name: of, use: { evidence, passes } }: DefinedUse) =>
            of === name && evidence.level === 'none' && passes?.some(isPassed) === false;
          for (const user of usersOf(path, name) ?? []) {
            const found = usesOf(path, user).find(isLeavingOut);
            if (found) return { path: user, ...found.use.place };
          }
          return undefined;
        },
        cpuOffer() {
          recorder.importers();
          // One of many programs that use a package offers the CPU for itself.
          if (programs.isInstallable(path)) return undefined;
          for (const of of [...importersOf(path), ...imports.importedBy(path)]) {
            const offer = summary(of).cpuOffer;
            if (offer) return { because: offer.because, place: { path: of, ...offer.place } };
          }
          return undefined;
        },
        cudaNeeds() {
          recorder.importers();
          const needs = programs.programOf(path).flatMap((of) => {
            return summary(of)
              .cudaNeeds.filter(({ isBelowMain }) => !isBelowMain || importersOf(of).length === 0)
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
          return isPartOfProgram && !programs.isInstallable(path) && imports.usersOf(path, name)?.length === 0;
        },
        facts() {
          recorder.importers();
          return imports.importedBy(path).flatMap((of) => {
            return summary(of).facts.map(({ because, place }) => ({ because, place: { path: of, ...place } }));
          });
        },
      };
    },
  };
}
