/** GPU204: an index that is there, or the same one where it is. */
import type { Program } from '../../guards/program.ts';
import type { Fix } from '../engine/contract.ts';
import type { DeviceLiteral } from '../queries/deviceUses.ts';
import { fixesOfIndex } from './deviceIndex.ts';
import { replacement } from './placement.ts';
import { isSound } from './soundness.ts';

/** What a program can use where a device is named. */
export interface Visible {
  readonly count: number;
  /** The program's own value of `CUDA_VISIBLE_DEVICES`, where that is what decides. */
  readonly named?: string;
}

export function fixesOfMissingIndex(program: Program, literal: DeviceLiteral, index: number, visible: Visible): Fix[] {
  const { node } = literal;
  if (!isSound(program, node)) return [];
  const { count, named } = visible;
  const there = count > 0 ? [toIndex(program, literal, named === undefined ? 0 : placeIn(named, index))] : [];
  // Where the program itself hides the GPU, asking for it would find it nowhere.
  if (named !== undefined) return there;
  const guarded = fixesOfIndex(program, literal, index, 'flag');
  const titles = new Set(guarded.map(({ title }) => title));
  return [...guarded, ...there.filter(({ title }) => !titles.has(title))];
}

function toIndex(program: Program, literal: DeviceLiteral, index: number): Fix {
  const { start, end } = literal.node.span;
  const text = deviceLike(literal, index, program);
  return { title: `Replace with \`${text}\``, tier: 'suggestion', edits: [replacement(start, end, text)] };
}

/** Where the machine's GPU of that number stands in the program's own list: the index that it has there. */
function placeIn(named: string, index: number): number {
  const place = named.split(',').findIndex((entry) => entry.trim() === String(index));
  return place < 0 ? 0 : place;
}

/** The same way to name another GPU. */
function deviceLike({ node }: DeviceLiteral, index: number, program: Program): string {
  return program.text.slice(node.span.start, node.span.end).replace(/\d+(?=["']*$)/, String(index));
}
