/** The index of a project: what its files mean to each other, found out when somebody asks. */

import { type Program, parseProgram } from '../guards/program.ts';
import type { ExportedName, ProjectSaver, ProjectView } from '../guards/projectView.ts';
import { mayBeSameFile } from '../python/semantic/fileNames.ts';
import { once } from '../python/semantic/memoise.ts';
import { push } from '../python/semantic/multimap.ts';
import type { Source } from '../python/semantic/source.ts';
import { isTestFile } from '../rules/queries/testFile.ts';
import { evidenceOfCallers } from './callers.ts';
import { type ScannedImport, scanImports } from './importScan.ts';
import { mentionedFiles, scanFileNames } from './mentionedFiles.ts';
import { findModule } from './modules.ts';
import { summarize } from './summarize.ts';
import type { FileSummary } from './summary.ts';

/** The files of a project as they are read, on disk or in an editor. */
export interface ProjectFiles {
  readonly root: string;
  /** The paths of all Python files and notebooks. */
  list(): readonly string[];
  has(path: string): boolean;
  /** Undefined for what cannot be read. */
  read(path: string): Source | undefined;
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

/** An import of a file, as seen from the imported file. */
interface Importer {
  readonly path: string;
  /** The name that is taken; undefined for the module itself, `*` for all names. */
  readonly name: string | undefined;
  /** What it is called in the importing file. */
  readonly as: string;
}

/** Imports that hand on imports are followed this far. */
const FARTHEST = 8;

export function createProjectIndex(files: ProjectFiles): ProjectIndex {
  const imports = new Map<string, readonly ScannedImport[]>();
  const summaries = new Map<string, FileSummary | undefined>();
  const modules = new Map<string, string | undefined>();

  const textOf = (path: string) =>
    files
      .read(path)
      ?.cells.map(({ text }) => text)
      .join('\n') ?? '';

  const importsOf = (path: string): readonly ScannedImport[] => {
    const known = imports.get(path) ?? scanImports(textOf(path));
    imports.set(path, known);
    return known;
  };

  const moduleFrom = (path: string, module: string): string | undefined => {
    const key = `${path}\0${module}`;
    if (!modules.has(key)) modules.set(key, findModule(path, module, files));
    return modules.get(key);
  };

  const under = (module: string, name: string) => (module.endsWith('.') ? `${module}${name}` : `${module}.${name}`);

  const importers = once(() => {
    const found = new Map<string, Importer[]>();
    for (const path of files.list())
      for (const { module, name, as } of importsOf(path)) {
        const file = moduleFrom(path, module);
        const inner = name === undefined || name === '*' ? undefined : moduleFrom(path, under(module, name));
        if (file !== undefined) push(found, file, { path, name, as: as ?? module });
        if (inner !== undefined) push(found, inner, { path, name: undefined, as: as ?? '' });
      }
    return found;
  });

  const usersOf = (path: string, name: string): readonly string[] => {
    const users = new Set<string>();
    const seen = new Set<string>();
    /** `name` is undefined for the module itself. */
    const visit = (file: string, wanted: string | undefined, steps: number) => {
      const key = `${file}\0${wanted ?? ''}`;
      if (seen.has(key) || steps > FARTHEST) return;
      seen.add(key);
      for (const { path: by, name: taken, as } of importers().get(file) ?? []) {
        if (wanted !== undefined && taken !== undefined && taken !== '*' && taken !== wanted) continue;
        if (by !== path) users.add(by);
        // What a file imports others may import from it.
        visit(by, taken === '*' ? wanted : as, steps + 1);
      }
    };
    visit(path, name, 0);
    const isTest = isTestFile(path, files.root);
    return [...users].filter((user) => isTest || !isTestFile(user, files.root)).sort();
  };

  const definitionOf = (path: string, dotted: string, steps = 0): { path: string; name: string } | undefined => {
    const level = /^\.*/.exec(dotted)?.[0].length ?? 0;
    const parts = dotted.slice(level).split('.');
    for (let length = parts.length - 1; length >= (level > 0 ? 0 : 1); length--) {
      const file = moduleFrom(path, '.'.repeat(level) + parts.slice(0, length).join('.'));
      const [first = '', ...others] = parts.slice(length);
      if (file === undefined) continue;
      return steps > FARTHEST ? undefined : definedIn(file, first, others, steps);
    }
    return undefined;
  };

  /** A name of a file, or what it stands for where the file imports it. */
  const definedIn = (file: string, first: string, others: readonly string[], steps: number) => {
    const own = { path: file, name: [first, ...others].join('.') };
    const handedOn = importsOf(file).findLast(({ as }) => as === first);
    if (handedOn?.name !== undefined)
      return definitionOf(file, [under(handedOn.module, handedOn.name), ...others].join('.'), steps + 1) ?? own;
    const stars = importsOf(file).filter(({ name }) => name === '*');
    if (stars.length === 0 || defines(textOf(file), first)) return own;
    for (const { module } of stars) {
      const found = definitionOf(file, [under(module, first), ...others].join('.'), steps + 1);
      if (found && defines(textOf(found.path), first)) return found;
    }
    return own;
  };

  const summaryOf = (path: string): FileSummary | undefined => {
    if (!summaries.has(path)) summaries.set(path, summaryFrom(path));
    return summaries.get(path);
  };

  const summaryFrom = (path: string): FileSummary | undefined => {
    const source = files.read(path);
    return source && summarized(parseProgram(source));
  };

  const summarized = (program: Program): FileSummary =>
    summarize(program, (dotted) => isOfProject(program.source.path, dotted));

  const isOfProject = (path: string, dotted: string): boolean =>
    moduleFrom(path, dotted) !== undefined || definitionOf(path, dotted) !== undefined;

  const mentioned = once(() => mentionedFiles(files.list().map((path) => [path, scanFileNames(textOf(path))])));

  const saversOf = (
    path: string,
    fileName: string,
    summary: (of: string) => FileSummary | undefined,
  ): readonly ProjectSaver[] => {
    const found: ProjectSaver[] = [];
    for (const file of mentioned().of(fileName)) {
      const { saves = [], outside = [] } = summary(file) ?? {};
      for (const { fileName: saved, place, device } of saves)
        if (file !== path && saved !== undefined && mayBeSameFile(saved, fileName))
          found.push({ place: { path: file, ...place }, device });
      for (const { target, fileNames = {}, place } of outside)
        for (const [key, given] of Object.entries(fileNames)) {
          const definition = mayBeSameFile(given, fileName) ? definitionOf(file, target) : undefined;
          const helper =
            definition &&
            summary(definition.path)?.saves.find(
              ({ parameter }) =>
                parameter?.function === definition.name &&
                (parameter.name === key || String(parameter.position) === key),
            );
          if (definition && helper)
            found.push({
              place: { path: definition.path, ...helper.place },
              device: helper.device,
              calledAt: { path: file, ...place },
            });
        }
    }
    return found;
  };

  return {
    viewFor(program, asked = NOBODY) {
      const { path } = program.source;
      const own = once(() => summarized(program));
      const summary = (of: string) => {
        if (of === path) return own();
        asked.summary(of);
        return summaryOf(of);
      };
      const users = (of: string, name: string) => {
        asked.importers(of);
        return usersOf(of, name);
      };
      const questions = { summaryOf: summary, usersOf: users, definitionOf };
      return {
        atEveryUse: (name) => evidenceOfCallers(path, name, questions),
        exported(dotted): ExportedName | undefined {
          const definition = definitionOf(path, dotted);
          const found = definition && summary(definition.path)?.exports[definition.name];
          if (!definition || !found) return undefined;
          return { ...found, place: { path: definition.path, ...found.place } };
        },
        saversOf(fileName) {
          asked.fileNames();
          return saversOf(path, fileName, summary);
        },
        facts: () => [],
      };
    },
  };
}

/** True for a text whose top level defines the name. */
function defines(text: string, name: string): boolean {
  return new RegExp(`^(?:(?:async[ \\t]+)?def|class)[ \\t]+${name}\\b|^${name}\\b[ \\t]*[:=]`, 'm').test(text);
}
