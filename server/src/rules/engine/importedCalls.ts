/** Can code call what a library has? That is told by its imports, before anything is parsed. */
import { canonicalName, hasSeveralNames } from '../../python/semantic/canonicalNames.ts';

/** `import a.b as c, d`, `from a import (b, c as d)` */
const IMPORT = /(?:\bfrom[\s\\]+([.\w]+)[\s\\]*)?\bimport\b[\s\\]*(?:\(([\w\s\\,*]*)\)|((?:[\w., \t*]|\\\r?\n)*))/g;
const AS = /\s+as\s+/;
const DOT = /[\s\\]*\.[\s\\]*/;

/**
 * Tells whether code may call one of the qualified names: something that an import brings leads there, as it is spelled or
 * as the value of another name. Where that cannot be told, it may.
 */
export function importedCalls(qualified: readonly string[]): (code: string) => boolean {
  const callables = new Set(qualified);
  const modules = new Set(
    qualified.flatMap((name) => Array.from(name.matchAll(/\./g), (dot) => name.slice(0, dot.index))),
  );
  const libraries = [...modules].filter((module) => !module.includes('.'));
  const isCallable = (name: string) => callables.has(canonicalName(name));
  const isOnTheWay = (name: string) => modules.has(canonicalName(name)) || hasSeveralNames(name);

  return (code) => {
    const meanings = new Map(libraries.map((library) => [library, library]));
    let isReached = false;
    const rest = code.replaceAll(IMPORT, (_, module?: string, inBrackets?: string, list = '') => {
      for (const item of (inBrackets ?? list).split(',')) {
        const [name = '', alias] = item.replaceAll('\\', ' ').trim().split(AS);
        const [top = ''] = name.split('.');
        const own = alias ?? (module === undefined ? top : name);
        const meaning = module !== undefined ? `${module}.${name}` : alias !== undefined ? name : top;
        // With a star anything comes; and one name may stand for two things.
        if (name === '*' || isCallable(meaning)) isReached = true;
        if (!isOnTheWay(meaning)) continue;
        if ((meanings.get(own) ?? meaning) !== meaning) isReached = true;
        meanings.set(own, meaning);
      }
      return '';
    });
    if (isReached) return true;
    for (const [path] of rest.matchAll(pathsFrom(meanings.keys()))) {
      const [first = '', ...parts] = path.split(DOT);
      let meaning = meanings.get(first) ?? first;
      for (const part of parts) {
        meaning = `${meaning}.${part}`;
        if (isCallable(meaning)) return true;
      }
      // The module itself is the value of something.
      if (isOnTheWay(meaning)) return true;
    }
    return false;
  };
}

/** Dotted paths that begin with one of the names. */
function pathsFrom(names: Iterable<string>): RegExp {
  return new RegExp(String.raw`\b(?<![."'])(?:${[...names].join('|')})\b(?:[\s\\]*\.[\s\\]*\w+)*`, 'g');
}
