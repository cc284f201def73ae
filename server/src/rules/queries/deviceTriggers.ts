/** Text that occurs in any file that names a device or passes a number as a device. */

import { GAP } from '../engine/code.ts';
import { lastPart, type Triggers } from '../engine/selector.ts';

/** Matches the rest of a line, without the word `for`. */
const NO_LOOP = String.raw`(?:(?!\bfor\b)[^\n]){0,200}`;
/** Matches earlier items of a display. */
const ITEMS = String.raw`(?:["'][\w:]{0,20}["'],[^\S\n]*){0,8}`;
/** Matches what precedes a string that is only compared. */
const COMPARED = [
  String.raw`[!=]=[^\S\n]*`,
  String.raw`(?:\bnot[^\S\n]+in|\b(?:if|elif|and|or|assert|while)\b${NO_LOOP}\bin)[^\S\n]*[[({]${ITEMS}`,
  String.raw`\bhasattr\([\w.]+,[^\S\n]*`,
  String.raw`\.startswith\(`,
].join('|');
/** Matches the rest of a key after its first string: `"cuda": x`, `("cuda", 8): x`. */
const KEY_END = String.raw`["'](?:,[^\S\n]*(?:\d+|None)\))?:`;
/** Matches `cuda`, but not in `== "cuda"`, `in ("cuda", "xpu")`, `{"cuda": x}` and the like, which place nothing. */
export const CUDA_WORD = [
  String.raw`\bcuda`,
  `(?<!(?:${COMPARED})["']cuda)`,
  String.raw`(?:(?!${KEY_END})|(?<!(?:^|\n)${NO_LOOP}[{,]\s*\(?["']cuda))`,
].join('');
/** Matches `"cuda"` and `"cuda:0"`, including in pieces: `"cuda:" "0"`, `f"cuda:{i}"`. */
const CUDA = new RegExp(String.raw`${CUDA_WORD}:?["'\\\d{%]`);
/** Matches `"/GPU:0"`, including in pieces: `"/GPU" ":0"`. */
const GPU = new RegExp(String.raw`[Gg][Pp][Uu](?::\d|:?\\|:?["']${GAP}\w{0,2}["'])`);
/**
 * Matches a number used as a device, which means a GPU: `.to(1)`, `torch.cuda.device(1)`, `device=0`,
 * `device_map={"": 0}`, `DataParallel(model, [0])`.
 */
const NUMBERED = new RegExp(
  String.raw`(?:to\(|device(?:_index)?\(|device(?:s|_ids)?\s*=\s*[[(]?|device_map\s*=${GAP}(?:\{[^{}]*:)?)${GAP}\d|(?:DataParallel\w*|DDP|data_parallel)\(.*[[,]${GAP}\d`,
);
/** Matches a name in the same places. */
const NAMED = new RegExp(
  String.raw`(?:to\(${GAP}(?:device\s*=\s*)?|device(?:s|_ids)?\s*=${GAP}|device_map\s*=${GAP}(?:\{[^{}]*:${GAP})?)(?=(?:\w+\.)*([A-Za-z_]\w*))`,
  'g',
);
/** Matches a number that is not the first operand of a calculation. */
const NUMBER = String.raw`\d(?![\w.]*[^\S\n]*[*+/%-](?![^\n]*\b(?:else|or|and)\b))`;
/** Matches the beginning of a line that assigns: `rank =`, `rank: int =`, or `self.rank, size =`. */
const TARGETS = String.raw`^[^\S\n]*(?:([\w.]+)[^\S\n]*(?::[^=\n]*)?|([\w.]+(?:[^\S\n]*,[^\S\n]*[\w.]+)+)[^\S\n]*)=`;
/** Matches the assignment of a number, from the equals sign, which is the fastest part to find. */
const ASSIGNED = new RegExp(String.raw`=(?<=${TARGETS})${GAP}(?:([[(]${GAP}\d|${NUMBER})|\d)`, 'gm');

/** The triggers for uses of devices. */
export const DEVICE_TRIGGERS: Triggers = { patterns: [CUDA, GPU, NUMBERED], isIn: isNumberNamed };

/** True if a name that is used as a device is assigned a number. */
function isNumberNamed(code: string): boolean {
  const names = new Set(Array.from(code.matchAll(NAMED), ([, name = '']) => name));
  if (names.size === 0) return false;
  for (const [, target, targets, number] of code.matchAll(ASSIGNED)) {
    const assigned = targets ?? (number && target);
    if (assigned?.split(/[\s,]+/).some((each) => names.has(lastPart(each)))) return true;
  }
  return false;
}
