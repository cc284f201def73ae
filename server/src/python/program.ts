/** A parsed program: what rules ask their questions of. */
import type { GuardNames } from './conditions.ts';
import { loadGrammar } from './grammar.ts';
import { lineStarts, placeIn } from './lines.ts';
import { type Masked, mask } from './mask.ts';
import { type Meaning, meaningAfterFunction, meaningAfterModule, meaningOf } from './meaning.ts';
import { once } from './once.ts';
import { moved, type Parsed, parse } from './parse.ts';
import type { EditedFunction } from './reparse.ts';
import type { Place, Source, Span } from './source.ts';
import type { FunctionDef, Statement } from './syntax.ts';

/** Offsets are UTF-16 offsets into `text`. */
export interface Program extends Meaning {
  readonly source: Source;
  /** All cells' texts joined by one line feed each. */
  readonly text: string;
  /** The statements of each cell; one list for a script. */
  readonly cells: readonly (readonly Statement[])[];
  /** True when some part of the program is not Python that the parser could read. */
  readonly hasErrors: boolean;
  /** The same span as offsets into the text of the cell that it lies in. */
  toCell(span: Span): { readonly cell: number; readonly start: number; readonly end: number };
  /** Where an offset is, as LSP counts. Lines end at LF, CRLF or CR. */
  placeOf(offset: number): Place;
  /** The offset of a place; characters beyond the line's end are clamped to it. */
  offsetOf(place: Place): number;
  /** What was read of each cell. */
  readonly parsed: readonly Parsed[];
  /** What the next `parseProgram` takes over. */
  readonly read: readonly ReadCell[];
  readonly remembered: Remembered;
}

interface ReadCell {
  readonly masked: Masked;
  readonly parsed: Parsed;
}

/** What a program or an earlier version of it meant when somebody asked last. */
interface Remembered {
  last?: {
    readonly meaning: Meaning;
    readonly guardNames: GuardNames;
    /** The statements of each cell. */
    readonly cells: readonly (readonly Statement[])[];
  };
  /** The functions that were edited since; what was replaced in them is known of a single edit only. */
  readonly edits: Map<FunctionDef, EditedFunction>;
}

export interface ParseOptions {
  /** Names that the project declares to mean "a GPU is there". */
  readonly guardNames?: GuardNames;
}

const NO_GUARD_NAMES: GuardNames = { decorators: new Set(), functions: new Set(), variables: new Set() };

/** Loads the grammar; must have been awaited once before the first `parseProgram`. */
export const loadParser = loadGrammar;

/**
 * Parses a source. Handing in the program's previous state makes it incremental: cells and statements whose text did
 * not change are taken over. The previous program must not be used afterwards.
 */
export function parseProgram(source: Source, previous?: Program, options: ParseOptions = {}): Program {
  const starts: number[] = [];
  let length = 0;
  for (const cell of source.cells) {
    starts.push(length);
    length += cell.text.length + 1;
  }
  const text =
    source.cells.length === 1 ? (source.cells[0]?.text ?? '') : source.cells.map((cell) => cell.text).join('\n');
  const read = readCells(source, starts, previous?.read ?? []);
  const parsed = read.map((cell) => cell.parsed);
  const remembered: Remembered = previous?.remembered ?? { edits: new Map() };
  for (const { editedFunction: edited } of parsed) {
    if (!edited) continue;
    const { declaration } = edited;
    const first = remembered.edits.get(declaration);
    remembered.edits.set(declaration, first ? { declaration, before: first.before } : edited);
  }
  // While a text is broken, nobody may ask what it means.
  const meaning = once(() => recall(remembered, parsed, options.guardNames ?? NO_GUARD_NAMES));

  const lines: (readonly number[])[] = [];
  const textOf = (cell: number) => source.cells[cell]?.text ?? '';
  const linesOf = (cell: number) => {
    lines[cell] ??= lineStarts(textOf(cell));
    return lines[cell];
  };
  const cellAt = (offset: number) => placeIn(starts, offset);
  return {
    source,
    text,
    get cells() {
      return parsed.map((cell) => cell.body);
    },
    hasErrors: parsed.some((cell) => cell.hasErrors),
    get flow() {
      return meaning().flow;
    },
    get names() {
      return meaning().names;
    },
    get values() {
      return meaning().values;
    },
    get guards() {
      return meaning().guards;
    },
    get conclusions() {
      return meaning().conclusions;
    },
    parsed,
    read,
    remembered,
    toCell(span) {
      const cell = cellAt(span.start);
      const base = starts[cell] ?? 0;
      return { cell, start: span.start - base, end: span.end - base };
    },
    placeOf(offset) {
      const cell = cellAt(offset);
      const local = offset - (starts[cell] ?? 0);
      const line = placeIn(linesOf(cell), local);
      return { cell, line, character: local - (linesOf(cell)[line] ?? 0) };
    },
    offsetOf({ cell, line, character }) {
      const own = linesOf(cell);
      const start = own[Math.min(line, own.length - 1)] ?? 0;
      const next = own[line + 1];
      const end = next === undefined ? textOf(cell).length : next - (textOf(cell).startsWith('\r\n', next - 2) ? 2 : 1);
      return (starts[cell] ?? 0) + Math.min(start + character, end);
    },
  };
}

/** What the program means, taken over from what is remembered as far as the edits since leave that as it is. */
function recall(remembered: Remembered, parsed: readonly Parsed[], guardNames: GuardNames): Meaning {
  const { last, edits } = remembered;
  const cells = parsed.map(({ body }) => body);
  const isComparable = cells.length === last?.cells.length && last.guardNames === guardNames;
  let meaning = isComparable ? last.meaning : undefined;
  const [changed, ...more] = parsed.filter(({ body }, index) => body !== last?.cells[index]);
  if (changed) {
    const { editedModule: edited } = changed;
    const isAll = more.length === 0 && edits.size === 0 && edited && last?.cells.includes(edited.before);
    meaning = meaning && isAll ? meaningAfterModule(meaning, edited, cells, guardNames) : undefined;
  }
  for (const edited of edits.values()) meaning = meaning && meaningAfterFunction(meaning, edited, guardNames);
  meaning ??= meaningOf(cells, guardNames, last?.meaning);
  remembered.last = { meaning, guardNames, cells };
  edits.clear();
  return meaning;
}

/** Reads each cell by itself, so that one that is broken hides nothing of the others. */
function readCells(source: Source, starts: readonly number[], previous: readonly ReadCell[]): ReadCell[] {
  const unused = new Map<string, ReadCell[]>();
  for (const old of previous) unused.set(old.masked.source, [...(unused.get(old.masked.source) ?? []), old]);
  const kept = source.cells.map(({ text }) => unused.get(text)?.shift());
  const left = [...unused.values()].flat();
  return source.cells.map(({ text }, index) => {
    const base = starts[index] ?? 0;
    const same = kept[index];
    if (same) return { masked: same.masked, parsed: moved(same.parsed, base) };
    // The old text that stood at this place, or any other that is left, is what was edited.
    const at = previous[index];
    const edited = at && left.includes(at) ? at : previous.length === source.cells.length ? undefined : left[0];
    if (edited) left.splice(left.indexOf(edited), 1);
    const masked = mask(text, edited?.masked);
    return { masked, parsed: parse(masked.text, base, edited?.parsed) };
  });
}
