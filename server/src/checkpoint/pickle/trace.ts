import type { Pickle } from './interpret.ts';
import type { CallResult, Value } from './symbols.ts';

/** Maximum number of lines, of parts of a container and of characters of text that are shown. */
const MOST_LINES = 500;
const MOST_PARTS = 8;
const LONGEST_TEXT = 120;
/** Maximum nesting level of containers that are shown. */
const DEEPEST = 4;

/**
 * Returns the effects of unpickling as Python-like lines in file order: each call, the parts that are then added to its
 * result, and finally the return value. Nothing is run.
 */
export function traceOf({ calls, value, trouble, effects }: Pickle): string[] {
  const names = new Map<Value, string>(calls.map((call, index) => [call, `_${index + 1}`]));
  const lines: string[] = [];
  for (const call of calls.slice(0, MOST_LINES)) lines.push(...linesOf(call, names));
  if (calls.length > MOST_LINES) lines.push(`# and ${calls.length - MOST_LINES} more calls`);
  if (value !== undefined) lines.push(`return ${shown(value, names)}`);
  for (const { what } of effects) lines.push(`# It ${what}.`);
  if (trouble !== undefined) lines.push(`# The trace ends here: the pickle ${trouble}.`);
  return lines;
}

function linesOf(call: CallResult, names: ReadonlyMap<Value, string>): string[] {
  const name = names.get(call) as string;
  const args = listed(call.args, names, DEEPEST);
  const made = call.skipsInit
    ? `${shown(call.callee, names)}.__new__(${args})`
    : `${shown(call.callee, names)}(${args})`;
  const lines = [`${name} = ${made}`];
  if (call.items) lines.push(`${name}.extend([${listed(call.items, names, DEEPEST)}])`);
  if (call.entries) lines.push(`${name}.update({${entriesIn(call.entries, names, DEEPEST)}})`);
  if (call.state !== undefined) lines.push(`${name}.__setstate__(${shown(call.state, names)})`);
  return lines;
}

function shown(value: Value, names: ReadonlyMap<Value, string>, depth = DEEPEST): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return textOf(value);
  if (typeof value !== 'object') return String(value);
  const name = names.get(value);
  if (name !== undefined) return name;
  if (depth === 0) return '…';
  switch (value.kind) {
    case 'global':
      return value.fullName;
    case 'raw':
      return `<${value.length} ${value.isText ? 'characters' : 'bytes'}>`;
    case 'list':
      return `[${listed(value.items, names, depth)}]`;
    case 'tuple':
      return `(${listed(value.items, names, depth)}${value.items.length === 1 ? ',' : ''})`;
    case 'dict':
      return `{${entriesIn(value.entries, names, depth)}}`;
    case 'persistent':
      return `persistent_load(${shown(value.id, names, depth - 1)})`;
    default:
      return '?';
  }
}

function listed(items: readonly Value[], names: ReadonlyMap<Value, string>, depth: number): string {
  return limited(items, (item) => shown(item, names, depth - 1));
}

function entriesIn(entries: readonly [Value, Value][], names: ReadonlyMap<Value, string>, depth: number): string {
  return limited(entries, ([key, item]) => `${shown(key, names, depth - 1)}: ${shown(item, names, depth - 1)}`);
}

function limited<T>(parts: readonly T[], show: (part: T) => string): string {
  const texts = parts.slice(0, MOST_PARTS).map(show);
  if (parts.length > MOST_PARTS) texts.push(`… ${parts.length - MOST_PARTS} more`);
  return texts.join(', ');
}

function textOf(text: string): string {
  return text.length > LONGEST_TEXT ? `${JSON.stringify(text.slice(0, LONGEST_TEXT))}…` : JSON.stringify(text);
}
