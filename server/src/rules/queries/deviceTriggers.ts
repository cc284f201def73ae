/** Text that occurs in any file that names a device or passes a number as a device. */

import { GAP } from '../engine/code.ts';
import type { Triggers } from '../engine/selector.ts';

/**
 * Matches `"cuda"` and `"cuda:0"`, including in pieces: `"cuda:" "0"`, `f"cuda:{i}"`; but not `== "cuda"`, which places
 * nothing.
 */
const CUDA = /\bcuda(?<![!=]=[^\S\n]*["']cuda):?["'\\\d{%]/;
/** Matches `"/GPU:0"`, including in pieces: `"/GPU" ":0"`. */
const GPU = new RegExp(String.raw`[Gg][Pp][Uu](?::\d|:?\\|:?["']${GAP}\w{0,2}["'])`);
/**
 * Matches a number used as a device, which means a GPU: `.to(1)`, `torch.cuda.device(1)`, `device=0`,
 * `DataParallel(model, [0])`.
 */
const NUMBERED = new RegExp(
  String.raw`(?:to\(|device(?:_index)?\(|device(?:s|_ids)?\s*=\s*[[(]?)${GAP}\d|(?:DataParallel\w*|DDP|data_parallel)\(.*[[,]${GAP}\d`,
);
/** Matches a name in the same places. */
const NAMED = new RegExp(
  String.raw`(?:to\(${GAP}(?:device\s*=\s*)?|device(?:s|_ids)?\s*=${GAP})(?=(?:\w+\.)*([A-Za-z_]\w*))`,
  'g',
);
/** Matches a line that assigns a number to `rank`, to `self.rank, size` or to `rank: int`. */
const ASSIGNED = new RegExp(
  String.raw`[^\S\n]*([\w.]+(?:[^\S\n]*,[^\S\n]*[\w.]+)*)[^\S\n]*(?::[^=\n]*)?=[^\S\n]*[[(]?${GAP}\d`,
  'y',
);

/** The triggers for uses of devices. */
export const DEVICE_TRIGGERS: Triggers = { patterns: [CUDA, GPU, NUMBERED], isIn: isNumberNamed };

/** True if a name that is used as a device is assigned a number. */
function isNumberNamed(code: string): boolean {
  const names = new Set(Array.from(code.matchAll(NAMED), ([, name = '']) => name));
  for (const name of names) {
    for (let at = code.indexOf(name); at >= 0; ) {
      ASSIGNED.lastIndex = code.lastIndexOf('\n', at) + 1;
      const targets = ASSIGNED.exec(code)?.[1] ?? '';
      if (targets.split(/[\s,.]+/).includes(name)) return true;
      const lineEnd = code.indexOf('\n', at);
      at = lineEnd < 0 ? -1 : code.indexOf(name, lineEnd);
    }
  }
  return false;
}
