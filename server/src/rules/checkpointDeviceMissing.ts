import type { Program } from '../guards/program.ts';
import { conditionsOf } from '../python/semantic/annotations.ts';
import type { Observation, Rule } from './engine/contract.ts';
import { fixesOfLoad } from './fixes/mapLocation.ts';
import { type Here, missingDevices } from './queries/here.ts';
import { loadersOf, NO_LOADERS, unplacedLoad } from './queries/loaderCalls.ts';
import { type Reading, readingsIn, shownPath } from './queries/readerCalls.ts';
import { isTestFile } from './queries/testFile.ts';

/** GPU501: a checkpoint wants its tensors on a device that this machine does not have. */
export const checkpointDeviceMissing: Rule = {
  code: 'GPU501',
  name: 'checkpoint-device-missing',
  summary: 'A checkpoint was saved from a device that this machine does not have.',
  severity: 'error',
  replaces: ['GPU101'],
  isAboutFiles: true,
  check(program, report, known) {
    const { here } = known;
    if (!here) return;
    const isTest = isTestFile(program.source.path);
    for (const reading of readingsIn(program, known)) {
      const { call, isHandled } = reading;
      if (isHandled || program.guards.evidenceAt(conditionsOf(call)).level !== 'none') continue;
      const load = unplacedLoad(loadersOf(call, program, NO_LOADERS), NO_LOADERS);
      const message = load && messageOf(reading, load.loader['device-parameter'], here, program);
      if (!message) continue;
      const fixes = () => fixesOfLoad(program, call, load.loader['device-parameter'], load.none, isTest, known);
      report({
        span: { start: call.func.start, end: call.end },
        verdict: isTest ? 'hint' : 'flag',
        message,
        fixes,
      });
    }
  },
};

/** Undefined where the load may do; of several files that may be meant, it must fail for each. */
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
  const devices = first.devices.map((device) => `\`${device}\``).join(', ');
  return `${shownPath(reading)} holds tensors of ${devices}, and ${first.because}: \`${program.text.slice(func.start, func.end)}\` without \`${parameter}\` fails here.`;
}
