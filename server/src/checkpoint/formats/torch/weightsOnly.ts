import type { Checkpoint } from '../../checkpoint.ts';
import { acceptsAliases, hasSafeGlobals, hasWeightsOnly, isAllowed, isKnownOpcode } from '../../pickle/allowList.ts';
import { callsUnknownTo } from '../../pickle/rebuilt.ts';
import { isWindowsOnly, type SafeGlobal, safeGlobalsFor } from '../../pickle/safeGlobals.ts';
import { isHarmless } from '../../verdicts.ts';

/** Reasons why `torch.load(..., weights_only=True)` rejects a file. */
export interface Blockers {
  /** Imports that are not on the list of allowed ones, in file order: `argparse.Namespace`. */
  readonly globals: readonly string[];
  /** Opcodes that the unpickler does not know, such as `STACK_GLOBAL` of protocol 4. */
  readonly opcodes: readonly string[];
  /** Contents whose calls are accepted only by newer releases of torch, as noun phrases. */
  readonly calls: readonly string[];
  /** Arguments for `torch.serialization.add_safe_globals` that make the file load; undefined if nothing helps. */
  readonly remedy?: readonly SafeGlobal[];
  /** True for a file that loads only on Windows, regardless of allowed globals. */
  readonly needsWindows: boolean;
}

/**
 * Returns why `weights_only=True` in a version of torch, such as `2.6.0`, rejects a file. Undefined if this is unknown:
 * torch does not have `weights_only`, `torch.load` does not unpickle such a file, the file could not be interpreted to
 * its end, or its calls are allowed but differ from those of plain data.
 */
export function blockersUnder(
  {
    imports,
    opcodes,
    filled,
    rebuilt = [],
    safety,
  }: Pick<Checkpoint, 'imports' | 'opcodes' | 'filled' | 'rebuilt' | 'safety'>,
  torch: string,
): Blockers | undefined {
  if (!opcodes || !hasWeightsOnly(torch)) return undefined;
  const globals = imports.map(({ name }) => name).filter((name) => !isAllowed(name, torch));
  const foreign = opcodes.filter((name) => !isKnownOpcode(name, torch));
  const calls = callsUnknownTo(torch, rebuilt).map(({ what, since }) => `${what} (torch ${since})`);
  // It is unknown whether calls other than those of plain data fail.
  if (globals.length + foreign.length === 0 && !filled) return undefined;
  const isListEnough = globals.length > 0 && foreign.length === 0 && calls.length === 0 && isHarmless(safety);
  const remedy = isListEnough && hasSafeGlobals(torch) ? safeGlobalsFor(globals, filled) : undefined;
  return {
    globals,
    opcodes: foreign,
    calls,
    // Since torch 2.6, an object can be passed together with its name in the file.
    remedy: remedy?.some(({ alias }) => alias !== undefined) && !acceptsAliases(torch) ? undefined : remedy,
    needsWindows: imports.some(({ name }) => isWindowsOnly(name)),
  };
}

/** True if nothing prevents the file from loading. */
export function loads({ globals, opcodes, calls }: Blockers): boolean {
  return globals.length === 0 && opcodes.length === 0 && calls.length === 0;
}
