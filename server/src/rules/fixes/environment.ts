/** `CUDA_VISIBLE_DEVICES` and related variables, which CUDA reads once, when it is first used. */

import type { Program } from '../../guards/program.ts';
import { callTaking } from '../../python/semantic/arguments.ts';
import { stringOf } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { Statement } from '../../python/syntax/nodes.ts';
import { statementAround } from '../queries/blocks.ts';

const FROZEN = /^CUDA_(VISIBLE_DEVICES|DEVICE_ORDER)$/;

interface Setting {
  /** Absent for a notebook's `%env`. */
  readonly statement?: Statement;
  readonly end: number;
}

/** Returns the places where the program sets variables that CUDA reads on first use. */
export const settingsOf = memoize((program: Program): readonly Setting[] => [
  ...byPython(program),
  ...byMagic(program),
]);

function byPython(program: Program): Setting[] {
  return program.index.strings.flatMap((string) => {
    if (!FROZEN.test(stringOf(string) ?? '')) return [];
    const around = string.parent;
    const statement = statementAround(string);
    if (!statement) return [];
    const isAssigned =
      around?.kind === 'Subscript' && around.parent?.kind === 'Assign' && around.parent.targets.includes(around);
    const call = callTaking(string);
    const isGiven = call?.func.kind === 'Attribute' && /^(setdefault|putenv|update)$/.test(call.func.attr);
    return isAssigned || isGiven || around?.kind === 'Dict' ? [{ statement, end: statement.end }] : [];
  });
}

function byMagic(program: Program): Setting[] {
  return [...program.text.matchAll(/^[ \t]*%(?:set_)?env[ \t]+CUDA_(?:VISIBLE_DEVICES|DEVICE_ORDER).*$/gm)].map(
    (match) => ({ end: match.index + match[0].length }),
  );
}
