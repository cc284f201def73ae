/** The index of a project: what its files mean to each other, found out when somebody asks. */

import { type ParseOptions, type Program, parseProgram } from '../guards/program.ts';
import type { ProjectView } from '../guards/projectView.ts';
import type { Source } from '../python/semantic/source.ts';
import { mayNeedGpu } from '../rules/queries/gpuOnly.ts';
import { isTestFile } from '../rules/queries/testFile.ts';
import { evidenceOfCallers } from './callers.ts';
import { type ScannedImport, scanImports } from './importScan.ts';
import { createImports, type DefinedName, definitionIn } from './imports.ts';
import { type MentionedFiles, mentionedFiles, scanFileNames, suffixOf } from './mentionedFiles.ts';
import { createModules } from './modules.ts';
import { saversOf } from './savers.ts';
import { summarize } from './summarize.ts';
import type { FileSummary } from './summary.ts';

/** The files of a project as they are read, on disk or in an editor. */
export interface ProjectFiles {
  readonly root: string;
  /** The paths of all Python files and notebooks. */
  list(): readonly string[];
  /** True for a file or folder of the project. */
  has(path: string): boolean;
  /** Undefined for what cannot be read. */
  read(path: string): Source | undefined;
  /** The text of a file, in which only ASCII can be relied on; empty for what cannot be read. */
  asciiOf(path: string): string;
  /** True where the text may hold the ASCII word. Takes less time than to look at the text. */
  mayHold(path: string, word: string): boolean;
}

export interface ProjectIndex {
  /** The rest of the project as the program of a file sees it. `asked` is told what its findings depend on. */
  viewFor(program: Program, asked?: Asked): ProjectView;
}

/** Told what the findings of a file depend on besides its text. */
export interface Asked {
  /** The summary of a file. */
  summary(path: string): void;
  /** Which files import a file. */
  importers(path: string): void;
  /** Which files mention data files. */
  fileNames(): void;
}

const NOBODY: Asked = { summary() {}, importers() {}, fileNames() {} };

/** Without any of these words a file says nothing about GPUs by what it exports. */
const ABOUT_GPUS = /cuda|gpu|accelerator|nccl|cpu|distributed|ddp/i;

export function createProjectIndex(files: ProjectFiles, options: Pick<ParseOptions, 'guardNames'> = {}): ProjectIndex {
  const scanned = new Map<string, { readonly imports: readonly ScannedImport[]; readonly length: number }>();
  const summaries = new Map<string, FileSummary | undefined>();
  const mentioned = new Map<string, MentionedFiles>();
  const modules = createModules(files);

  const scan = (path: string) => {
    const known = scanned.get(path);
    if (known) return known;
    const text = files.asciiOf(path);
    const fresh = { imports: scanImports(text), length: text.length };
    scanned.set(path, fresh);
    return fresh;
  };
  const imports = createImports(
    {
      list: files.list,
      importsOf: (path) => scan(path).imports,
      lengthOf: (path) => scan(path).length,
      textOf: files.asciiOf,
    },
    modules,
  );

  /** True where what defines the name mentions GPUs. Of what is defined under some condition, its whole file is looked at. */
  const isAboutGpus = ({ path, name }: DefinedName): boolean => {
    const text = files.asciiOf(path);
    return ABOUT_GPUS.test(definitionIn(text, name) ?? text);
  };

  const isOfProject = (path: string) => (dotted: string) => modules.mayHave(path, dotted);

  const summaryOf = (path: string): FileSummary | undefined => {
    if (!summaries.has(path)) {
      const source = files.read(path);
      summaries.set(path, source && { ...summarize(parseProgram(source, options), isOfProject(path)) });
    }
    return summaries.get(path);
  };

  const namesWith = (suffix: string) =>
    files
      .list()
      .flatMap((path) =>
        files.mayHold(path, suffix) ? [[path, scanFileNames(files.asciiOf(path), suffix)] as const] : [],
      );
  const mentioning = (fileName: string): readonly string[] => {
    const suffix = suffixOf(fileName);
    if (suffix === undefined) return [];
    const known = mentioned.get(suffix) ?? mentionedFiles(namesWith(suffix));
    mentioned.set(suffix, known);
    return known.of(fileName);
  };

  return {
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
      const usersOf = (of: string, name: string): readonly string[] => {
        asked.importers(of);
        // Tests are no entries of the program.
        return imports.usersOf(of, name).filter((user) => isTest || !isTestFile(user, files.root));
      };
      return {
        atEveryUse: (name) => evidenceOfCallers(path, name, { summaryOf: summary, usersOf, definitionOf }),
        exported(dotted) {
          const definition = definitionOf(path, dotted);
          if (!definition || definition.path === path || !isAboutGpus(definition)) return undefined;
          const found = summary(definition.path)?.exports[definition.name];
          return found && { ...found, place: { path: definition.path, ...found.place } };
        },
        saversOf(fileName) {
          asked.fileNames();
          return saversOf(path, fileName, { mentioning, definitionOf, summaryOf: summary });
        },
        facts: () =>
          imports.importedBy(path).flatMap((of) => {
            asked.summary(of);
            if (!mayNeedGpu(files.asciiOf(of))) return [];
            return (summaryOf(of)?.facts ?? []).map(({ because, place }) => ({
              because,
              place: { path: of, ...place },
            }));
          }),
      };
    },
  };
}
