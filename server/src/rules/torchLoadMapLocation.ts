import { reasonsOf } from '../guards/evidence.ts';
import type { Program } from '../guards/program.ts';
import type { Reason } from '../guards/reason.ts';
import { conditionsOf } from '../python/semantic/annotations.ts';
import { without } from '../python/semantic/pathConditions.ts';
import type { Call, Node, Try } from '../python/syntax/nodes.ts';
import type { Knowledge } from './engine/contract.ts';
import { message, quoted } from './engine/message.ts';
import { on, type Rule } from './engine/rule.ts';
import { NO_LOADERS } from './engine/selector.ts';
import { fixesOfForeignArgument, fixesOfLoad, fixesOfNoDevice } from './fixes/mapLocation.ts';
import { gpuNeedAround } from './queries/cudaSites.ts';
import { reasonsOfContent } from './queries/dataLoads.ts';
import {
  foreignLocation,
  hasTrap,
  type Load,
  type LoaderCall,
  loaderCalls,
  noDeviceGiven,
  pathOfLoad,
  unplacedLoad,
} from './queries/loaderCalls.ts';
import { shownCode } from './queries/shownCode.ts';

const failsAgain = ({ handlers }: Try, loads: readonly Load[]): boolean =>
  loads.some((load) => !hasDevice(load) && handlers.some((handler) => isInside(load.call, handler)));

const hasDevice = ({ loaders }: Load): boolean => unplacedLoad(loaders, NO_LOADERS) === undefined;

const isInside = (call: Call, node: Node): boolean => node.start <= call.start && call.end <= node.end;

/** GPU101: a loader restores tensors to the device that they were saved from. */
export const torchLoadMapLocation: Rule = {
  code: 'GPU101',
  name: 'torch-load-map-location',
  summary: 'A checkpoint is loaded onto the device that it was saved on.',
  reports: 'a checkpoint that is restored to the device it was saved on',
  severity: 'warning',
  outranks: { GPU102: 'hint' },
  listener: on(loaderCalls, (load, { program, known, aboutFile, matchesOf, report }) => {
    const { call, loaders } = load;
    const span = { start: call.func.start, end: call.end };
    const name = quoted(shownCode(program, call.func));
    const wrong = noDeviceGiven(loaders);
    if (wrong) {
      const { loader, argument } = wrong;
      const parameter = loader['device-parameter'];
      const location = quoted(shownCode(program, argument.value));
      report({
        span,
        level: 'flag',
        reasons: aboutFile,
        message: message`${name} fails for every tensor: \`${parameter}\` is ${location}, which is not a device.`,
        fixes: () => fixesOfNoDevice(program, argument, parameter),
      });
      return;
    }
    const found = unplacedLoad(loaders, known.loaders ?? NO_LOADERS);
    const foreign = found && foreignLocation(call, found, program);
    if (foreign) {
      const parameter = found.loader['device-parameter'];
      report({
        span,
        level: 'flag',
        reasons: aboutFile,
        message: message`\`load_state_dict\` raises a TypeError: \`${parameter}\` belongs in the call of ${name} inside it.`,
        fixes: () => fixesOfForeignArgument(program, call, foreign),
      });
      return;
    }
    if (!found || !hasTrap(found.loader, known) || holdsOnlyCpu(found, program, known)) return;
    const { loader, args, none } = found;
    const reasons: readonly Reason[] = [
      ...aboutFile,
      ...(loader.trap === 'url' ? [{ because: 'published files are usually saved from the CPU' }] : []),
      ...guardsOf(load, matchesOf(loaderCalls), program),
      ...reasonsOfContent(call, args[0]?.value, program),
      ...gpuNeedAround(call, program),
    ];
    const isHint = reasons.length > 0;
    report({
      span,
      level: 'flag',
      reasons,
      message: message`${name} without \`${loader['device-parameter']}\` fails where the checkpoint's GPU is missing.`,
      fixes: () => fixesOfLoad(program, call, loader['device-parameter'], none, isHint, known),
    });
  }),
};

/** True if the program determines the path and the checkpoint there was saved from the CPU. */
function holdsOnlyCpu(load: LoaderCall, program: Program, { checkpointsAt }: Knowledge): boolean {
  if (!checkpointsAt) return false;
  const path = pathOfLoad(load, program);
  const files = path ? checkpointsAt(path) : [];
  return files.length > 0 && files.every(({ summary }) => summary.devices?.every((device) => device === 'cpu'));
}

/** Returns the guards of a load; a handler that loads without a device itself does not count. */
function guardsOf({ call }: Load, loads: readonly Load[], program: Program): readonly Reason[] {
  let conditions = conditionsOf(call);
  for (let at = conditions; at; at = at.outer) {
    if (at.kind !== 'try' || at.statement.kind !== 'Try') continue;
    if (failsAgain(at.statement, loads)) conditions = without(conditions, at);
  }
  return reasonsOf(program.guards.evidenceAt(conditions));
}
