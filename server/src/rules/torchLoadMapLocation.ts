import type { Program } from '../guards/program.ts';
import { conditionsOf } from '../python/semantic/annotations.ts';
import { callTaking } from '../python/semantic/arguments.ts';
import { filePathOf } from '../python/semantic/filePaths.ts';
import type { Call } from '../python/syntax/nodes.ts';
import type { Knowledge, Rule } from './engine/contract.ts';
import { fixesOfLoad } from './fixes/mapLocation.ts';
import { type LoaderCall, loadsIn, NO_LOADERS, unplacedLoad } from './queries/loaderCalls.ts';
import { isSavedBefore } from './queries/savedPaths.ts';
import { isTestFile } from './queries/testFile.ts';

/** GPU101: a loader restores tensors to the device that they were saved on. */
export const torchLoadMapLocation: Rule = {
  code: 'GPU101',
  name: 'torch-load-map-location',
  summary: 'A checkpoint is loaded onto the device that it was saved on.',
  severity: 'warning',
  check(program, report, known) {
    const isTest = isTestFile(program.source.path);
    const own = known.loaders ?? NO_LOADERS;
    for (const { call, loaders } of loadsIn(program, own)) {
      const found = unplacedLoad(loaders, own);
      if (!found || holdsOnlyCpu(found, program, known)) continue;
      const { loader, args, none } = found;
      const isHint =
        isTest ||
        loader.trap === 'url' ||
        program.guards.evidenceAt(conditionsOf(call)).level !== 'none' ||
        becomesNumpy(call, program) ||
        isSavedBefore(call, args[0]?.value, program);
      report({
        span: { start: call.func.start, end: call.end },
        verdict: isHint ? 'hint' : 'flag',
        message: `\`${program.text.slice(call.func.start, call.func.end)}\` without \`${loader['device-parameter']}\` restores tensors to the device they were saved on, and fails where that device is missing.`,
        fixes: () => fixesOfLoad(program, call, loader['device-parameter'], none, isHint, known),
      });
    }
  },
};

/** True when the program settles the path, and the checkpoint there was saved from the CPU. */
function holdsOnlyCpu({ args }: LoaderCall, program: Program, { checkpointsAt }: Knowledge): boolean {
  if (!checkpointsAt) return false;
  const path = args.map(({ value }) => filePathOf(value, program)).find((each) => each !== undefined);
  const files = path ? checkpointsAt(path) : [];
  return files.length > 0 && files.every(({ summary }) => summary.devices?.every((device) => device === 'cpu'));
}

/** `torch.load(f).numpy()`, `torch.from_numpy(torch.load(f))` */
function becomesNumpy(call: Call, program: Program): boolean {
  const around = call.parent;
  if (around?.kind === 'Attribute' && around.attr === 'numpy') return around.parent?.kind === 'Call';
  const outer = callTaking(call);
  return outer !== undefined && program.names.qualify(outer.func).includes('torch.from_numpy');
}
