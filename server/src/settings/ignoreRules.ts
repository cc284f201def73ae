/** Edits a project's settings to ignore rules, and changes nothing else in the text. */
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../jsonObject.ts';
import { type Located, locateYaml } from '../located/located.ts';
import { locateToml } from '../located/toml.ts';
import type { Span } from '../python/semantic/source.ts';
import { readConfigurationText } from './configurationReader.ts';

/** A replacement in the text of a file. */
interface TextChange {
  readonly span: Span;
  readonly newText: string;
}

/**
 * Returns the changes that make the settings in a text ignore rules, in order; comments and formatting stay. Undefined
 * if all are already ignored, the settings contain mistakes, or no simple change has exactly that effect.
 */
export function ignoringRules(path: string, text: string, rules: readonly string[]): readonly TextChange[] | undefined {
  const folder = '/';
  const { settings: before, problems } = readConfigurationText(path, text, folder);
  const codes = rules.filter((code) => !before?.ignore?.includes(code));
  if (problems.length > 0 || codes.length === 0) return undefined;
  const lineBreak = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const changes = path.endsWith('.toml') ? inToml(text, codes, lineBreak) : inYaml(text, codes, lineBreak);
  const { settings: after } = readConfigurationText(path, withChanges(text, changes), folder);
  const { ignore = [], ...others } = after ?? {};
  const { ignore: ignored = [], ...othersBefore } = before ?? readConfigurationText('.yaml', '', folder).settings ?? {};
  const isRight = isDeepStrictEqual(ignore, [...ignored, ...codes]) && isDeepStrictEqual(others, othersBefore);
  return isRight ? changes : undefined;
}

/** Applies changes to a text; the changes are in order and do not overlap. */
export function withChanges(text: string, changes: readonly TextChange[]): string {
  let result = '';
  let copied = 0;
  for (const { span, newText } of changes) {
    result += text.slice(copied, span.start) + newText;
    copied = span.end;
  }
  return result + text.slice(copied);
}

const insertion = (at: number, newText: string): TextChange => ({ span: { start: at, end: at }, newText });

function inYaml(text: string, codes: readonly string[], lineBreak: string): TextChange[] {
  const located = locateYaml(text);
  const ignored = listIn(located.value);
  if (ignored === undefined) {
    const isOpen = text !== '' && !/[\r\n]$/.test(text);
    const key = located.keyAt(['ignore']);
    // A key without a value.
    if (isJsonObject(located.value) && 'ignore' in located.value)
      return [insertion(text.indexOf(':', key.end - 1) + 1, ` [${codes.join(', ')}]`)];
    return [insertion(text.length, `${isOpen ? lineBreak : ''}ignore: [${codes.join(', ')}]${lineBreak}`)];
  }
  const list = located.valueAt(['ignore']);
  if (text[list.start] === '[') return inBrackets(text, located, ignored, codes, lineBreak);
  const last = located.valueAt(['ignore', ignored.length - 1]);
  const [dash = '- '] = /[ \t]*-[ \t]+$/.exec(text.slice(0, last.start)) ?? [];
  return [insertion(endOfLine(text, last.end), codes.map((code) => `${lineBreak}${dash}${code}`).join(''))];
}

function inToml(text: string, codes: readonly string[], lineBreak: string): TextChange[] {
  const quoted = codes.map((code) => `"${code}"`);
  const located = locateToml(text, ['tool', 'gpu-doctor']);
  const ignored = listIn(located.value);
  if (ignored !== undefined) return inBrackets(text, located, ignored, quoted, lineBreak);
  const line = `ignore = [${quoted.join(', ')}]`;
  if (located.value === undefined) {
    const isOpen = text !== '' && !/[\r\n]$/.test(text);
    const gap = text.trim() === '' ? '' : lineBreak;
    return [insertion(text.length, `${isOpen ? lineBreak : ''}${gap}[tool.gpu-doctor]${lineBreak}${line}${lineBreak}`)];
  }
  // Right below the name of the table.
  return [insertion(endOfLine(text, located.valueAt([]).end), `${lineBreak}${line}`)];
}

/** Adds items to a list in square brackets, each on its own line if every present item has one. */
function inBrackets(
  text: string,
  located: Located,
  items: readonly unknown[],
  added: readonly string[],
  lineBreak: string,
): TextChange[] {
  const list = located.valueAt(['ignore']);
  if (items.length === 0) return [insertion(list.start + 1, added.join(', '))];
  const last = located.valueAt(['ignore', items.length - 1]);
  const rest = text.slice(last.end, list.end - 1);
  const [, comma] = /^\s*(,)?/.exec(rest) ?? [];
  const [indentation] = /(?<=[\r\n])[ \t]*$/.exec(text.slice(list.start, last.start)) ?? [];
  if (indentation === undefined || !/[\r\n]/.test(rest)) {
    const at = comma ? last.end + rest.indexOf(',') + 1 : last.end;
    return [insertion(at, added.map((item) => (comma ? ` ${item},` : `, ${item}`)).join(''))];
  }
  // Inserted after the comment of the last item, if any.
  const lines = added.map((item) => `${lineBreak}${indentation}${item}`).join(',') + (comma ? ',' : '');
  const inserted = insertion(endOfLine(text, last.end), lines);
  return comma ? [inserted] : [insertion(last.end, ','), inserted];
}

function endOfLine(text: string, offset: number): number {
  const end = text.slice(offset).search(/[\r\n]/);
  return end < 0 ? text.length : offset + end;
}

function listIn(value: unknown): readonly unknown[] | undefined {
  const list = isJsonObject(value) ? value.ignore : undefined;
  return Array.isArray(list) ? list : undefined;
}
