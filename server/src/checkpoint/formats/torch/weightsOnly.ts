import type { Checkpoint } from '../../checkpoint.ts';
import { hasSafeGlobals, hasWeightsOnly, isAllowed, isKnownOpcode, takesAliases } from '../../pickle/allowList.ts';
import { callsUnknownTo } from '../../pickle/rebuilt.ts';
import { isOfWindows, type SafeGlobal, safeGlobalsFor } from '../../pickle/safeGlobals.ts';
import { isHarmless } from '../../verdicts.ts';

/** What keeps `torch.load(..., weights_only=True)` from loading a file. */
export interface Blockers {
  /** Imports that are not on the list, in the file's order: `argparse.Namespace`. */
  readonly globals: readonly string[];
  /** Opcodes that the unpickler does not know, such as those of protocol 4: `STACK_GLOBAL`. */
  readonly opcodes: readonly string[];
  /** What it holds that a newer torch makes by the same functions, as noun phrases. */
  readonly calls: readonly string[];
  /** True for a file of a form that `weights_only=True` never reads, whatever is in it. */
  readonly isOldForm: boolean;
  /** What `torch.serialization.add_safe_globals` must be given for the file to load; undefined where nothing helps. */
  readonly remedy?: readonly SafeGlobal[];
  /** True for a file that loads on Windows only, whatever is allowed. */
  readonly needsWindows: boolean;
}

/**
 * What `weights_only=True` of a torch, as `2.6.0`, finds against a file. Undefined when that is not known: that torch
 * has no `weights_only`, `torch.load` does not unpickle such a file, it could not be interpreted to its end, or its calls
 * are allowed but not those of plain data.
 */
export function blockersUnder(
  {
    format,
    imports,
    opcodes,
    filled,
    rebuilt = [],
    safety,
  }: Pick<Checkpoint, 'format' | 'imports' | 'opcodes' | 'filled' | 'rebuilt' | 'safety'>,
  torch: string,
): Blockers | undefined {
  if (!opcodes || !hasWeightsOnly(torch)) return undefined;
  const isOldForm = format === 'torch-tar';
  const globals = imports.map(({ name }) => name).filter((name) => !isAllowed(name, torch));
  const foreign = opcodes.filter((name) => !isKnownOpcode(name, torch));
  const calls = callsUnknownTo(torch, rebuilt).map(({ what, since }) => `${what} (torch ${since})`);
  // Of calls that are not those of plain data, nobody knows whether they fail.
  if (globals.length + foreign.length === 0 && !isOldForm && !filled) return undefined;
  const isListEnough =
    globals.length > 0 && foreign.length === 0 && calls.length === 0 && !isOldForm && isHarmless(safety);
  const remedy = isListEnough && hasSafeGlobals(torch) ? safeGlobalsFor(globals, filled) : undefined;
  return {
    globals,
    opcodes: foreign,
    calls,
    isOldForm,
    // The name in the file can be told beside an object since torch 2.6.
    remedy: remedy?.some(({ alias }) => alias !== undefined) && !takesAliases(torch) ? undefined : remedy,
    needsWindows: imports.some(({ name }) => isOfWindows(name)),
  };
}

/** True when there is nothing that keeps the file from loading. */
export function loads({ globals, opcodes, calls, isOldForm }: Blockers): boolean {
  return globals.length === 0 && opcodes.length === 0 && calls.length === 0 && !isOldForm;
}
