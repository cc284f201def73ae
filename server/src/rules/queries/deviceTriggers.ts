/** What the code of a file always holds that writes out a device, or gives a number where one is taken. */

import type { Triggers } from '../engine/selector.ts';

/** `"cuda"`, `"cuda:0"`, `"/GPU:0"`, also in pieces: `"cuda:" "0"`. */
const NAMED_DEVICE = /(?:cuda|gpu):?["'\\\d]/i;

/** A number where a device is taken, which is a GPU's: `.to(1)`, `device=0`, `DataParallel(model, [0])`. */
const NUMBERED = [
  /to\(\s*\d/,
  /device(?:s|_ids)?\s*=\s*[[(]?\s*\d/,
  /DataParallel\w*\(.*[[,]\s*\d/,
  /DDP\(.*[[,]\s*\d/,
  /data_parallel\(.*[[,]\s*\d/,
];
/** A name in the same places, and names that are assigned numbers. */
const NAMED = [
  /to\(\s*(?:device\s*=\s*)?(?:\w+\.)*([A-Za-z_]\w*)/g,
  /device(?:s|_ids)?\s*=\s*(?:\w+\.)*([A-Za-z_]\w*)/g,
];
const ASSIGNMENT = /=[^\S\n]*[[(]?\s*\d/g;
/** What stands before the equals sign: `rank`, `self.rank, size`, `rank: int`. */
const TARGETS = /^[^\S\n]*([\w.]+(?:[^\S\n]*,[^\S\n]*[\w.]+)*)[^\S\n]*(?::[^=\n]*)?$/;

/** For what takes a device. */
export const DEVICE_TRIGGERS: Triggers = {
  patterns: [NAMED_DEVICE],
  isIn: (code) => NUMBERED.some((pattern) => pattern.test(code)) || isNumberNamed(code),
};

/** True where a name that a device is taken from is assigned a number. */
function isNumberNamed(code: string): boolean {
  const names = new Set(NAMED.flatMap((pattern) => Array.from(code.matchAll(pattern), ([, name = '']) => name)));
  if (names.size === 0) return false;
  let line = 0;
  for (const { index } of code.matchAll(ASSIGNMENT)) {
    for (let end = code.indexOf('\n', line); end >= 0 && end < index; end = code.indexOf('\n', line)) line = end + 1;
    const targets = TARGETS.exec(code.slice(line, index))?.[1] ?? '';
    if (targets.split(/[\s,.]+/).some((name) => names.has(name))) return true;
  }
  return false;
}
