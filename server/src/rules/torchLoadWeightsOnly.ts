import { blockersUnder, loads } from '../checkpoint/formats/torch/weightsOnly.ts';
import type { CheckpointSummary } from '../checkpoint/summary.ts';
import type { Program } from '../guards/program.ts';
import type { Reason } from '../guards/reason.ts';
import { firstTorchWith } from '../published/releases/torchReleases.ts';
import { keepsOut } from '../published/specifier.ts';
import { isAtLeast } from '../published/versions.ts';
import { type Argument, argumentFor } from '../python/semantic/arguments.ts';
import { isBoolean } from '../python/semantic/literals.ts';
import { spanOf } from '../python/semantic/source.ts';
import type { Call } from '../python/syntax/nodes.ts';
import type { Knowledge, Observation } from './engine/contract.ts';
import { message, quoted } from './engine/message.ts';
import { on, type Rule } from './engine/rule.ts';
import { fixesOfUnsafeLoad } from './fixes/weightsOnly.ts';
import { type LoaderCall, loaderCalls } from './queries/loaderCalls.ts';
import { readerCallOf } from './queries/readerCalls.ts';
import { decisionsAt, isOwnStateDict, loadsSafelyElsewhere } from './queries/safeLoads.ts';
import { shownCode } from './queries/shownCode.ts';

/** GPU102: a loader may run code in a checkpoint. */
export const torchLoadWeightsOnly: Rule = {
  code: 'GPU102',
  name: 'torch-load-weights-only',
  summary: 'A checkpoint is allowed to execute code while it is loaded.',
  reports: '`weights_only=False`, which lets a checkpoint run code',
  severity: 'warning',
  // The argument of a partial is reported once, at the partial, for all of its calls.
  listener: on(loaderCalls, ({ call, loaders }, { program, known, aboutFile, report }) => {
    const found = loaders.find(({ loader }) => loader['weights-only'] !== undefined);
    const unsafe = found && unsafetyOf(call, found, program, oldTorchOf(known));
    if (!unsafe) return;
    const files = filesOf(call, program, known);
    // For a file that cannot be loaded in any other way, the finding is only a hint.
    const isNeeded = areRefused(files);
    const areSafe = loadSafely(files, known);
    const unproven = reasonsAgainstSafe(found, unsafe, program);
    const reasons: readonly Reason[] = [
      ...aboutFile,
      ...(isNeeded ? [{ because: '`weights_only=True` rejects this file' }] : decisionsAt(call, program)),
      ...(isNeeded || (areSafe && unsafe.argument) ? [] : unproven),
    ];
    const isHint = reasons.length > 0;
    const tier = !isHint && areSafe ? 'safe' : 'suggestion';
    report({
      ...unsafe,
      ...(areSafe && unproven.length > 0 ? RUNS_NO_CODE : {}),
      level: 'flag',
      reasons,
      fixes: () =>
        isNeeded || needMore(files, known) ? [] : fixesOfUnsafeLoad(program, call, unsafe.argument, known, tier),
    });
  }),
};

/** The mark for a file that was read: it runs no code, so the call is only as safe as the next file. */
const RUNS_NO_CODE = {
  severity: 'information',
  message: 'This file runs no code when it loads. `weights_only=True` loads it too, and holds for the next file.',
} as const;

/**
 * Returns the reasons why it is not known whether the file loads with `weights_only=True`; empty if there is evidence
 * that it does.
 */
function reasonsAgainstSafe({ args }: LoaderCall, { argument }: Unsafety, program: Program): readonly Reason[] {
  if (!argument) return [{ because: "the default of the project's torch decides, not the call" }];
  const path = args[0]?.value;
  if (path && (loadsSafelyElsewhere(path, program) || isOwnStateDict(path, program))) return [];
  return [{ because: 'there is no evidence that `weights_only=True` loads this file' }];
}

function filesOf(call: Call, program: Program, { checkpointsAt }: Knowledge): readonly CheckpointSummary[] {
  const found = checkpointsAt && readerCallOf(call, program);
  return found ? checkpointsAt(found.path).map(({ summary }) => summary) : [];
}

/** True for files that need more than tensors and contain nothing that is known to be harmful. */
function areRefused(files: readonly CheckpointSummary[]): boolean {
  return (
    files.length > 0 && files.every(({ safety: { verdict } }) => verdict === 'refused' || verdict === 'needs-trust')
  );
}

/** True for files that load with `weights_only=True` in the installed torch, or in any version if that is unknown. */
function loadSafely(
  files: readonly CheckpointSummary[],
  { torchVersion = firstTorchWith('weights_only') }: Knowledge,
): boolean {
  const areLoaded = files.map((file) => blockersUnder(file, torchVersion)).every((found) => found && loads(found));
  return files.length > 0 && areLoaded;
}

/** True if `weights_only=True` rejects one of the files, so that a program that needs the file would fail. */
function needMore(
  files: readonly CheckpointSummary[],
  { torchVersion = firstTorchWith('weights_only') }: Knowledge,
): boolean {
  return files.some((file) => {
    const blockers = file.safety.verdict === 'dangerous' ? undefined : blockersUnder(file, torchVersion);
    return blockers !== undefined && !loads(blockers);
  });
}

interface Unsafety extends Pick<Observation, 'span' | 'message'> {
  /** The explicit `weights_only=False`. */
  readonly argument?: Argument;
}

function unsafetyOf(
  call: Call,
  { loader, args }: LoaderCall,
  program: Program,
  oldTorch: string | undefined,
): Unsafety | undefined {
  // Another unpickler does not accept `weights_only=True`, and naming one is deliberate.
  if (args.some(({ name }) => name === 'pickle_module')) return undefined;
  const name = quoted(shownCode(program, call.func));
  const { argument, maybe } = argumentFor(args, 'weights_only', undefined);
  if (argument) {
    const isFalse = isBoolean(argument.value, false);
    const text = message`${name} can run any code in the file: \`weights_only=False\`.`;
    return isFalse ? { argument, span: spanOf(argument), message: text } : undefined;
  }
  if (maybe || !oldTorch || loader['weights-only'] !== true || hasThreePositions(args)) return undefined;
  return {
    span: spanOf(call.func),
    message: message`${name} can run any code in the file: \`weights_only\` is off by default in ${quoted(oldTorch)}.`,
  };
}

/** In `torch.load(f, device, dill)`, the third argument is the unpickler. */
const hasThreePositions = (args: readonly Argument[]) => args.filter(({ name }) => name === undefined).length > 2;

/**
 * Returns a description of the torch whose default for `weights_only` is `False`; undefined if the default is `True` or
 * unknown.
 */
function oldTorchOf({ torchVersion, torchRequirement }: Knowledge): string | undefined {
  if (torchVersion !== undefined && !isAtLeast(torchVersion, firstTorchWith('weights_only_default')))
    return isAtLeast(torchVersion, firstTorchWith('weights_only')) ? `torch ${torchVersion}` : undefined;
  if (torchRequirement === undefined || keepsOut(torchRequirement, firstTorchWith('weights_only'))) return undefined;
  return keepsOut(torchRequirement, firstTorchWith('weights_only_default'))
    ? `the required torch${torchRequirement}`
    : undefined;
}
