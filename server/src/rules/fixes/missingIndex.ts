/** GPU204: use an index that exists, or test whether the given one exists. */

import type { Program } from '../../guards/program.ts';
import { isNumber, stringOf } from '../../python/semantic/literals.ts';
import type { Fix } from '../edits/fix.ts';
import { replacement } from '../edits/placement.ts';
import type { Knowledge } from '../engine/contract.ts';
import type { DeviceLiteral } from '../queries/deviceUses.ts';
import { visibleSettingsOf } from '../queries/visibleDevices.ts';
import { fixesOfIndex } from './deviceIndex.ts';
import { isSound } from './soundness.ts';

/** The devices that a program can use at a place. */
export interface Visible {
  readonly count: number;
  /** The program's own value of `CUDA_VISIBLE_DEVICES`, if it decides. */
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
  // If the program itself hides the GPU, a test for it would fail on every machine.
  if (named !== undefined) return there;
  const guarded = fixesOfIndex(program, literal, index, 'flag', known);
  const titles = new Set(guarded.map(({ title }) => title));
  return [...guarded, ...there.filter(({ title }) => hasDevices(literal, known) && !titles.has(title))];
}

/** False if the installed torch is known not to find a GPU, regardless of the machine. */
function hasDevices({ node }: DeviceLiteral, { here }: Knowledge): boolean {
  const isOfTorch = isNumber(node) || stringOf(node)?.startsWith('cuda');
  return !isOfTorch || here?.devices.cuda?.count !== 0;
}

/**
 * Safe if the program selected this GPU and, outside of the selection, refers to it by the same number; otherwise the
 * GPU changes.
 */
function toIndex(program: Program, literal: DeviceLiteral, place: number): Fix {
  const { start, end } = literal.node;
  const text = deviceLike(literal, Math.max(0, place), program);
  const tier = place >= 0 && visibleSettingsOf(program).all.length === 1 ? 'safe' : 'suggestion';
  return { title: `Replace with \`${text}\``, tier, edits: [replacement(start, end, text)] };
}

/** Returns the index of the machine's GPU in the program's own list, or -1. */
function placeIn(named: string, index: number): number {
  return named.split(',').findIndex((entry) => entry.trim() === String(index));
}

/** Returns the same form with another GPU. */
function deviceLike({ node }: DeviceLiteral, index: number, program: Program): string {
  return program.text.slice(node.start, node.end).replace(/\d+(?=["']*$)/, String(index));
}
