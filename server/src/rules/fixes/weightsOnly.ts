/** GPU102, GPU503: checkpoints that contain code or classes besides tensors and plain data. */

import type { Blockers } from '../../checkpoint/formats/torch/weightsOnly.ts';
import { allowingLines, type SafeGlobal } from '../../checkpoint/pickle/safeGlobals.ts';
import type { Program } from '../../guards/program.ts';
import { firstTorchWith } from '../../published/releases/torchReleases.ts';
import { isSince } from '../../published/specifier.ts';
import type { Argument } from '../../python/semantic/arguments.ts';
import type { Call } from '../../python/syntax/nodes.ts';
import { startOf } from '../../python/syntax/walk.ts';
import { addArgument, hasBrackets } from '../edits/arguments.ts';
import type { Fix, FixTier } from '../edits/fix.ts';
import { indentOf, newlineAt, startsLine } from '../edits/layout.ts';
import { insertion, replacement } from '../edits/placement.ts';
import type { Knowledge } from '../engine/contract.ts';
import { statementAround } from '../queries/blocks.ts';
import { torchAt } from './modules.ts';
import { inOrder } from './offers.ts';
import { isSound } from './soundness.ts';

/**
 * Returns the fix that sets `weights_only=True`; `argument` is the explicit `weights_only=False`. Safe only for a file
 * that is known to load with it, since other files are then rejected.
 */
export function fixesOfUnsafeLoad(
  program: Program,
  call: Call,
  argument: Argument | undefined,
  known: Knowledge,
  tier: FixTier = 'suggestion',
): Fix[] {
  if (!isSound(program, call) || !hasBrackets(program, call) || !knowsWeightsOnly(known, argument)) return [];
  const title = argument ? 'Replace `weights_only=False` with `weights_only=True`' : 'Add `weights_only=True`';
  return [{ title, tier, edits: set(program, call, argument, 'True') }];
}

/** False for a torch without the parameter. A project that already uses the parameter needs a torch that has it. */
export function knowsWeightsOnly({ torchVersion, torchRequirement }: Knowledge, argument?: Argument): boolean {
  return isSince(firstTorchWith('weights_only'), {
    version: torchVersion,
    ...(!argument && { requirement: torchRequirement }),
  });
}

/** Returns advice for a rejected file; both ways are for users who trust the file. */
export function fixesOfRefused(
  program: Program,
  call: Call,
  argument: Argument | undefined,
  blockers: Blockers,
): Fix[] {
  // For a newer tensor format, the remedy is a newer torch.
  if (blockers.needsWindows || blockers.calls.length > 0) return [];
  if (!isSound(program, call) || !hasBrackets(program, call)) return [];
  const allowing = blockers.remedy && allowGlobals(program, call, blockers.remedy);
  const edits = set(program, call, argument, 'False');
  const trusting: Fix = { title: 'Pass `weights_only=False` if you trust the file', tier: 'display', edits };
  return allowing ? [allowing, trusting] : [trusting];
}

function set(program: Program, call: Call, argument: Argument | undefined, value: string) {
  return argument
    ? [replacement(argument.value.start, argument.value.end, value)]
    : addArgument(program, call, `weights_only=${value}`);
}

const MOST_ALLOWED = 16;

/** Inserts `torch.serialization.add_safe_globals([argparse.Namespace])` before the statement. */
function allowGlobals(program: Program, call: Call, globals: readonly SafeGlobal[]): Fix | undefined {
  const statement = statementAround(call);
  const torch = torchAt(program, call);
  if (!statement || !torch || globals.length > MOST_ALLOWED || !startsLine(program, startOf(statement)))
    return undefined;
  const after = newlineAt(program, startOf(statement)) + indentOf(program, startOf(statement));
  const own = insertion(
    startOf(statement),
    allowingLines(globals, torch.text)
      .map((line) => line + after)
      .join(''),
  );
  const title = 'Allow the imported classes with `add_safe_globals` if you trust the file';
  return { ...inOrder({ title, edits: [...torch.edits, own] }), tier: 'display' };
}
