/** The import graph of a project, based only on the text of import statements. */
import { basename, dirname } from 'node:path';
import { memoizeByText, once } from '../python/semantic/memoize.ts';
import { push } from '../python/semantic/multimap.ts';
import { possibleLastParts, type ScannedImport } from './importScan.ts';
import { type Modules, relativeLevel, within } from './modules.ts';
import type { TextFacts } from './textFacts.ts';

/** A name, and the file that defines it. */
export interface DefinedName {
  readonly path: string;
  readonly name: string;
}

export interface Imports {
  /**
   * Returns the other files that may use a top-level name of a file, shortest first; undefined if there are too many.
   */
  usersOf(path: string, name: string): readonly string[] | undefined;
  /** Returns the files that always run with a file: those that it imports, directly or indirectly, except itself. */
  importedBy(path: string): readonly string[];
  /** Returns the files that run a file, nearest first: those that import it, directly or indirectly, except itself. */
  importersOf(path: string): readonly string[];
  /** Returns the definition of a dotted name within the project, followed through files that re-export it. */
  definitionOf(path: string, dotted: string): DefinedName | undefined;
}

/** The files whose imports are followed. */
interface ImportSources {
  list(): readonly string[];
  factsOf(path: string): Pick<TextFacts, 'imports' | 'length'>;
  textOf(path: string): string;
}

/** An import, as seen from the imported file. */
interface Importer {
  readonly path: string;
  /** The imported name; undefined for the module itself, `*` for all names. */
  readonly name: string | undefined;
  /** The local name in the importing file. */
  readonly as: string;
}

/** Maximum number of imports followed to find the users of one name. */
const MAX_IMPORTERS = 64;
/** Maximum number of files visited to find the imports of a file. */
const MAX_IMPORTED = 32;
/** Maximum number of re-exports that are followed. */
const MAX_STEPS = 8;

export function createImports({ list, factsOf, textOf }: ImportSources, modules: Modules): Imports {
  const importsOf = memoizeByText((path): readonly ScannedImport[] => JSON.parse(factsOf(path).imports));

  /** Returns the imports, by the words in them that may be the last part of a module name. */
  const byLastPart = once(() => {
    const found = new Map<string, { readonly path: string; readonly imported: ScannedImport }[]>();
    for (const path of list())
      for (const imported of importsOf(path))
        for (const word of new Set(possibleLastParts(imported))) push(found, word, { path, imported });
    return found;
  });

  /** Returns the importers of each file that an import with this word as its last part may mean. */
  const importersWith = memoizeByText((word): ReadonlyMap<string, readonly Importer[]> => {
    const importers = new Map<string, Importer[]>();
    for (const { path, imported } of byLastPart().get(word) ?? []) {
      const { module, name, as } = imported;
      const whole = modules.find(path, module);
      if (whole !== undefined) push(importers, whole, { path, name, as: as ?? module });
      const member = name === word ? modules.find(path, within(module, name)) : undefined;
      if (member !== undefined) push(importers, member, { path, name: undefined, as: as ?? word });
    }
    return importers;
  });

  const importersOf = memoizeByText((file): readonly Importer[] => {
    const stem = basename(file, '.py');
    // A package is imported by the name of its folder, or only by dots.
    const words = stem === '__init__' ? [basename(dirname(file)), ''] : [stem];
    return words.flatMap((word) => importersWith(word).get(file) ?? []);
  });

  const users = memoizeByText((path) => memoizeByText((name) => findUsers(path, name)));

  const findUsers = (path: string, name: string): readonly string[] | undefined => {
    const found = new Set<string>();
    const seen = new Set<string>();
    let looked = 0;
    /** `wanted` is undefined for the module itself. */
    const visit = (file: string, wanted: string | undefined, steps: number) => {
      const key = `${file}\0${wanted ?? ''}`;
      if (seen.has(key) || steps > MAX_STEPS) return;
      seen.add(key);
      if (looked > MAX_IMPORTERS) return;
      for (const { path: by, name: taken, as } of importersOf(file)) {
        if (wanted !== undefined && taken !== undefined && taken !== '*' && taken !== wanted) continue;
        if (++looked > MAX_IMPORTERS) return;
        // A use through the module must spell the name in the text.
        const isNamed = wanted === undefined || (taken !== undefined && taken !== '*') || textOf(by).includes(wanted);
        if (by !== path && isNamed) found.add(by);
        // Other files may import a name from a file that has imported it.
        visit(by, taken === '*' ? wanted : as, steps + 1);
      }
    };
    visit(path, name, 0);
    if (looked > MAX_IMPORTERS) return undefined;
    return [...found].sort((one, other) => factsOf(one).length - factsOf(other).length || (one < other ? -1 : 1));
  };

  const definitions = new Map<string, DefinedName | undefined>();
  const definitionOf = (path: string, dotted: string, steps = 0): DefinedName | undefined => {
    if (!modules.mayContain(path, dotted)) return undefined;
    const key = `${path}\0${dotted}`;
    if (!definitions.has(key)) definitions.set(key, findDefinition(path, dotted, steps));
    return definitions.get(key);
  };

  const findDefinition = (path: string, dotted: string, steps: number): DefinedName | undefined => {
    const level = relativeLevel(dotted);
    const parts = dotted.slice(level).split('.');
    for (let length = parts.length - 1; length >= (level > 0 ? 0 : 1); length--) {
      const file = modules.find(path, '.'.repeat(level) + parts.slice(0, length).join('.'));
      if (file === undefined) continue;
      const [first = '', ...others] = parts.slice(length);
      return steps > MAX_STEPS ? undefined : definedIn(file, first, others, steps);
    }
    return undefined;
  };

  /** Resolves a name in a file by following the file's imports. */
  const definedIn = (file: string, first: string, others: readonly string[], steps: number): DefinedName => {
    const own = { path: file, name: [first, ...others].join('.') };
    const reexported = importsOf(file).findLast(({ as }) => as === first);
    if (reexported?.name !== undefined)
      return definitionOf(file, [within(reexported.module, reexported.name), ...others].join('.'), steps + 1) ?? own;
    const stars = importsOf(file).filter(({ name }) => name === '*');
    if (stars.length === 0 || defines(file, first)) return own;
    for (const { module } of stars) {
      const found = definitionOf(file, [within(module, first), ...others].join('.'), steps + 1);
      if (found && defines(found.path, first)) return found;
    }
    return own;
  };

  const definedNames = memoizeByText(
    (file) => new Set(Array.from(textOf(file).matchAll(DEFINED), ([, declared, assigned]) => declared ?? assigned)),
  );
  /** True if the top level of the file defines the name. */
  const defines = (file: string, name: string): boolean => definedNames(file).has(name);

  /** Returns the files that run with a file because it imports them, for each of its imports. */
  const runWith = memoizeByText((file): readonly (readonly string[])[] =>
    importsOf(file).flatMap(({ module, name, isNested }) => {
      if (isNested) return [];
      const member = name === undefined || name === '*' ? undefined : modules.find(file, within(module, name));
      const found = [modules.find(file, module), member].filter((imported) => imported !== undefined);
      return found.length > 0 ? [found] : [];
    }),
  );

  const importedBy = memoizeByText((path) => reachedFrom(path, runWith, MAX_IMPORTED));
  const importersEach = memoizeByText((file) =>
    Array.from(new Set(importersOf(file).map(({ path }) => path)), (path) => [path]),
  );
  const importing = memoizeByText((path) => reachedFrom(path, importersEach, MAX_IMPORTERS));

  return { usersOf: (path, name) => users(path)(name), importedBy, importersOf: importing, definitionOf };
}

/** Returns the files that lists of files lead to, directly or indirectly, without the first one, up to about a maximum. */
function reachedFrom(
  path: string,
  nextOf: (file: string) => readonly (readonly string[])[],
  max: number,
): readonly string[] {
  const found = new Set([path]);
  for (const file of found) {
    if (found.size > max) break;
    for (const next of nextOf(file)) {
      for (const each of next) found.add(each);
      if (found.size > max) break;
    }
  }
  found.delete(path);
  return [...found];
}

/** Matches a name that the top level of a text defines. */
const DEFINED = /^(?:(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)|(\w+)[ \t]*[:=])/gm;

/** The text of the name's top-level definition; undefined if there is none, or only a conditional one. */
export function definitionIn(text: string, name: string): string | undefined {
  const start = new RegExp(`^(?:(?:async[ \\t]+)?def|class)[ \\t]+${name}\\b|^${name}\\b[ \\t]*[:=]`, 'm').exec(
    text,
  )?.index;
  if (start === undefined) return undefined;
  const next = /\n[^\s#)\]}]/g;
  next.lastIndex = start;
  return text.slice(start, next.exec(text)?.index);
}
