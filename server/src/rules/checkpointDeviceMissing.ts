import type { Program } from '../guards/program.ts';
import { type Here, missingDevices } from '../loading/here.ts';
import { NOT_ON_METAL } from '../loading/torchHere.ts';
import { argumentFor } from '../python/semantic/arguments.ts';
import type { Call, Expression } from '../python/syntax/nodes.ts';
import type { Observation } from './engine/contract.ts';
import { fitted, message, quoted } from './engine/message.ts';
import { on, type Rule } from './engine/rule.ts';
import { NO_LOADERS } from './engine/selector.ts';
import { fixesOfLoad } from './fixes/mapLocation.ts';
import { loadersOf, unplacedLoad } from './queries/loaderCalls.ts';
import { quotedPath, type Reading, readings } from './queries/readerCalls.ts';
import { shownCode } from './queries/shownCode.ts';

/** GPU501: a checkpoint needs a device that this machine does not have. */
export const checkpointDeviceMissing: Rule = {
  code: 'GPU501',
  name: 'checkpoint-device-missing',
  summary: 'A checkpoint was saved from a device that this machine does not have.',
  reports: 'a checkpoint with tensors on a device that this machine lacks',
  severity: 'error',
  outranks: { GPU101: 'omitted' },
  isAboutFiles: true,
  listener: on(readings, (reading, { program, known, isTestFile, aboutFile, evidenceAt, report }) => {
    const { call, isHandled } = reading;
    if (!known.here || isHandled) return;
    const onMetal = metalMessageOf(reading, known.here, program);
    if (onMetal !== undefined) {
      report({
        span: { start: call.func.start, end: call.end },
        level: 'flag',
        reasons: aboutFile,
        message: onMetal,
      });
      return;
    }
    if (evidenceAt(call).level !== 'none') return;
    const load = unplacedLoad(loadersOf(call, program, NO_LOADERS), NO_LOADERS);
    const missing = load && messageOf(reading, load.loader['device-parameter'], known.here, program);
    if (!missing) return;
    report({
      span: { start: call.func.start, end: call.end },
      level: 'flag',
      reasons: aboutFile,
      message: missing,
      fixes: () => fixesOfLoad(program, call, load.loader['device-parameter'], load.none, isTestFile, known),
    });
  }),
};

/**
 * Returns the message for a call that loads tensors to Apple's GPU in a type that it does not support; undefined if the
 * call may work.
 */
function metalMessageOf(reading: Reading, here: Here, program: Program): string | undefined {
  if (!here.devices.mps?.count || !reading.reader.name.startsWith('torch.')) return undefined;
  const place = argumentFor(reading.args, 'map_location', 1).argument?.value;
  const device = place && isTorchDevice(place, program) ? place.args[0] : place;
  const literals = device ? program.values.literalsOf(device) : [];
  if (literals.length === 0 || literals.some(({ value }) => !/^mps(:0)?$/.test(String(value)))) return undefined;
  const dtypes = reading.files.map(({ summary }) => summary.tensors.dtypes.find((each) => NOT_ON_METAL.includes(each)));
  const [dtype] = dtypes;
  if (dtype === undefined || dtypes.includes(undefined)) return undefined;
  return message`Loading to \`mps\` fails: ${quoted(quotedPath(reading))} has ${dtype} tensors. Load to \`cpu\` and convert them to float32 first.`;
}

function isTorchDevice(value: Expression, program: Program): value is Call {
  return value.kind === 'Call' && program.names.calleeOf(value).qualified.includes('torch.device');
}

/**
 * Returns the message for missing devices; undefined if the load may work. If the path matches several files, all must
 * fail.
 */
function messageOf(
  reading: Reading,
  parameter: string,
  here: Here,
  program: Program,
): Observation['message'] | undefined {
  const missing = reading.files.map(({ summary }) => missingDevices(summary.devices ?? [], here)[0]);
  const [first] = missing;
  if (!first || missing.includes(undefined)) return undefined;
  const { func } = reading.call;
  const [device = '', ...more] = first.devices;
  const devices = `\`${device}\`${more.length > 0 ? ` and ${more.length} more` : ''}`;
  const [name, path] = [shownCode(program, func), quotedPath(reading)];
  const fails = `${name} fails here without \`${parameter}\``;
  return fitted(
    `${fails}: ${path} needs ${devices}, but ${first.because}.`,
    `${fails}: the file needs ${devices}, but ${first.because}.`,
    `${fails}: ${first.because}.`,
    `This load fails here: ${first.because}.`,
  );
}
