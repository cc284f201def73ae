/** Decides from a program's imports, before parsing, whether its code can call functions of a library. */
import { canonicalName, hasSeveralNames } from '../../python/semantic/canonicalNames.ts';

/** `import a.b as c, d`, `from a import (b, c as d)` */
const IMPORT = /(?:\bfrom[\s\\]+([.\w]+)[\s\\]*)?\bimport\b[\s\\]*(?:\(([\w\s\\,*]*)\)|((?:[\w., \t*]|\\\r?\n)*))/g;
const AS = /\s+as\s+/;
/** Matches the text before the first argument of `getattr` or `hasattr`. */
const ASKS = /\b(get|has)attr\($/;
const LONGEST_ASKING = 9;
const DOT = /[\s\\]*\.[\s\\]*/;

/**
 * True if code may call one of the qualified names, through an import or an alias of it, or if this cannot be decided.
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
        // A star import brings in everything, and one name may have two meanings.
        if (name === '*' || isCallable(meaning)) isReached = true;
        if (!isOnTheWay(meaning)) continue;
        if ((meanings.get(own) ?? meaning) !== meaning) isReached = true;
        meanings.set(own, meaning);
      }
      return '';
    });
    if (isReached) return true;
    for (const { index, 1: path = '', 2: attribute } of rest.matchAll(pathsFrom(meanings.keys()))) {
      const [first = '', ...parts] = path.split(DOT);
      const asks = attribute && ASKS.exec(rest.slice(Math.max(0, index - LONGEST_ASKING), index))?.[1];
      if (asks === 'has') continue;
      if (asks === 'get' && attribute) parts.push(attribute);
      let meaning = meanings.get(first) ?? first;
      for (const part of parts) {
        meaning = `${meaning}.${part}`;
        if (isCallable(meaning)) return true;
      }
      // The module itself is assigned.
      if (isOnTheWay(meaning)) return true;
    }
    return false;
  };
}

/**
 * Matches the dotted paths in code that begin with one of the names: `torch.load`, `getattr(torch, "load")`. What ends
 * at a quote is the end of a string.
 */
function pathsFrom(names: Iterable<string>): RegExp {
  const path = String.raw`\b(?<![."'])((?:${[...names].join('|')})\b(?:[\s\\]*\.[\s\\]*\w+)*)(?!["'])`;
  return new RegExp(String.raw`${path}(?:\s*,\s*["'](\w+)["'])?`, 'g');
}
