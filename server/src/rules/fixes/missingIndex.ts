/** GPU204: an index that is there, or the same one where it is. */

import type { Program } from '../../guards/program.ts';
import { isNumber, stringOf } from '../../python/semantic/literals.ts';
import type { Fix } from '../edits/fix.ts';
import { replacement } from '../edits/placement.ts';
import type { Knowledge } from '../engine/contract.ts';
import type { DeviceLiteral } from '../queries/deviceUses.ts';
import { visibleSettingsOf } from '../queries/visibleDevices.ts';
import { fixesOfIndex } from './deviceIndex.ts';
import { isSound } from './soundness.ts';

/** What a program can use where a device is named. */
export interface Visible {
  readonly count: number;
  /** The program's own value of `CUDA_VISIBLE_DEVICES`, where that is what decides. */
  readonly named?: string;
}

export function fixesOfMissingIndex(
  program: Program,
  literal: DeviceLiteral,
  index: number,
  visible: Visible,
  known: Knowledge,
): Fix[] {
  const { node } = literal;
  if (!isSound(program, node)) return [];
  const { count, named } = visible;
  const place = named === undefined ? -1 : placeIn(named, index);
  const there = count > 0 ? [toIndex(program, literal, place)] : [];
  // Where the program itself hides the GPU, asking for it would find it nowhere, on this machine as on any other.
  if (named !== undefined) return there;
  const guarded = fixesOfIndex(program, literal, index, 'flag', known);
  const titles = new Set(guarded.map(({ title }) => title));
  return [...guarded, ...there.filter(({ title }) => hasDevices(literal, known) && !titles.has(title))];
}

/** False where the installed torch is known to find no GPU, whatever the machine has. */
function hasDevices({ node }: DeviceLiteral, { here }: Knowledge): boolean {
  const isOfTorch = isNumber(node) || stringOf(node)?.startsWith('cuda');
  return !isOfTorch || here?.devices.cuda?.count !== 0;
}

/** Safe where the program chose the very GPU and calls it by the number that it has outside; else it is another one. */
function toIndex(program: Program, literal: DeviceLiteral, place: number): Fix {
  const { start, end } = literal.node;
  const text = deviceLike(literal, Math.max(0, place), program);
  const tier = place >= 0 && visibleSettingsOf(program).all.length === 1 ? 'safe' : 'suggestion';
  return { title: `Replace with \`${text}\``, tier, edits: [replacement(start, end, text)] };
}

/** Where the machine's GPU of that number stands in the program's own list: the index that it has there, or -1. */
function placeIn(named: string, index: number): number {
  return named.split(',').findIndex((entry) => entry.trim() === String(index));
}

/** The same way to name another GPU. */
function deviceLike({ node }: DeviceLiteral, index: number, program: Program): string {
  return program.text.slice(node.start, node.end).replace(/\d+(?=["']*$)/, String(index));
}
