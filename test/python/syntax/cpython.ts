/** CPython in WebAssembly, as the reference for our syntax trees. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { loadPyodide } from 'pyodide';
import { parseModule } from '../../../server/src/python/syntax/parse.ts';
import { type Dump, dumpOf } from './pythonTree.ts';

export interface Reference {
  readonly version: string;
  /**
   * Returns the first difference in one line; undefined if there is none, and `invalid` if CPython rejects the text.
   */
  compare(text: string): string | undefined;
}

export const INVALID = 'CPython does not read it';

/** Starts CPython, which takes seconds. */
export async function startReference(): Promise<Reference> {
  const python = await loadPyodide();
  python.runPython(await readFile(path.join(import.meta.dirname, 'dump.py'), 'utf8'));
  const dump = python.globals.get('dump');
  const names: string[] = python.runPython('names()').toJs();
  const classes = new Map(names.map((name, index) => [name, index]));
  const theirs = (text: string): Dump | undefined => {
    const result = dump(text.replace(/^\ufeff/, ''));
    if (typeof result === 'string') return undefined;
    const [numbers, texts] = result;
    const view = numbers.getBuffer('i32');
    const copy = { numbers: Int32Array.from(view.data), texts: texts === '' ? [] : texts.split('\0') };
    view.release();
    numbers.destroy();
    result.destroy();
    return copy;
  };
  return {
    version: python.runPython('sys.version.split()[0]'),
    compare(text) {
      const expected = theirs(text);
      if (!expected) return INVALID;
      const module = parseModule(text);
      const error = module.errors[0];
      if (error) return `offset ${error.start}: ${error.message}`;
      return differenceOf(dumpOf(module, text, classes), expected, names, text);
    },
  };
}

function differenceOf(ours: Dump, theirs: Dump, names: readonly string[], text: string): string | undefined {
  let node = 0;
  for (let at = 0; at < Math.max(ours.numbers.length, theirs.numbers.length); at++) {
    const number = theirs.numbers[at];
    if (ours.numbers[at] === number) {
      if ((number ?? -1) >= 0 && names[number ?? 0] !== undefined) node = at;
      continue;
    }
    const around = (dump: Dump) => [...dump.numbers.slice(Math.max(0, at - 8), at + 6)].join(' ');
    return `number ${at} (near ${names[theirs.numbers[node] ?? 0]}): ours ... ${around(ours)}, CPython's ... ${around(theirs)}`;
  }
  for (let at = 0; at < Math.max(ours.texts.length, theirs.texts.length); at++) {
    const [our, their] = [ours.texts[at] ?? '', theirs.texts[at] ?? ''];
    if (our === their || isNamed(our, their, text)) continue;
    return `text ${at}: ours ${JSON.stringify(our.slice(0, 200))}, CPython's ${JSON.stringify(their.slice(0, 200))}`;
  }
  return undefined;
}

/** True if they differ only in characters written by name, for which our parser has a substitute. */
function isNamed(our: string, their: string, text: string): boolean {
  if (!text.includes('\\N{')) return false;
  const [ours, theirs] = [[...unpacked(our)], [...unpacked(their)]];
  return ours.length === theirs.length && ours.every((one, at) => one === theirs[at] || one === '\ufffd');
}

/** Reverses `portable`. */
function unpacked(text: string): string {
  return text.replace(/\ufdd0([0-9a-f]*)$/, (_all, digits) => Buffer.from(digits, 'hex').toString('utf16le'));
}
