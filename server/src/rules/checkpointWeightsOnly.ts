import { enumerated, enumeratedCode } from '../checkpoint/enumerated.ts';
import { type Blockers, blockersUnder, loads } from '../checkpoint/formats/torch/weightsOnly.ts';
import type { CheckpointSummary } from '../checkpoint/summary.ts';
import { runsCode } from '../checkpoint/verdicts.ts';
import type { Program } from '../guards/program.ts';
import { weightsOnly } from '../published/releases/weightsOnly.ts';
import { argumentFor } from '../python/semantic/arguments.ts';
import { spanOf } from '../python/semantic/source.ts';
import type { Knowledge, Observation } from './engine/contract.ts';
import { message, quoted, withCause } from './engine/message.ts';
import { on, type Rule } from './engine/rule.ts';
import { fixesOfRefused, fixesOfUnsafeLoad } from './fixes/weightsOnly.ts';
import { quotedPath, type Reading, readings } from './queries/readerCalls.ts';
import { isWeightsOnly } from './queries/weightsOnlyCall.ts';

/** GPU503: `weights_only` does not match the contents of a checkpoint. */
export const checkpointWeightsOnly: Rule = {
  code: 'GPU503',
  name: 'checkpoint-weights-only',
  summary: 'A checkpoint is rejected by `weights_only=True`, or runs code when it is loaded without it.',
  reports: 'a checkpoint that `weights_only=True` rejects, or that would run code if loaded without it',
  severity: 'error',
  outranks: { GPU102: 'omitted' },
  isAboutFiles: true,
  listener: on(readings, (reading, { program, known, aboutFile, report }) => {
    if (reading.reader.name !== 'torch.load') return;
    const site = runningCode(reading, program, known) ?? refusal(reading, program, known);
    if (site) report({ ...site, level: 'flag', reasons: aboutFile });
  }),
};

type Site = Omit<Observation, 'level'>;

/** Returns the finding for a load that runs code in the file. */
function runningCode(reading: Reading, program: Program, known: Knowledge): Site | undefined {
  const { args, call, files } = reading;
  const isOn = isWeightsOnly(args, known.torchVersion);
  const safeties = files.map(({ summary }) => summary.safety);
  const isDangerous = safeties.every(({ verdict }) => verdict === 'dangerous');
  if (isOn !== false || !safeties.every(runsCode)) return undefined;
  const { argument } = argumentFor(args, 'weights_only', undefined);
  const names = namesOf(files[0]?.summary, isDangerous ? ['dangerous'] : ['unknown', 'dangerous']);
  if (names.length === 0) return undefined;
  const path = quoted(quotedPath(reading));
  const how = argument ? '`weights_only=False`' : `torch ${known.torchVersion}`;
  const called = quoted(listed(names, 1));
  const loadSpan = { start: call.func.start, end: call.end };
  return {
    span: argument ? spanOf(argument) : loadSpan,
    severity: isDangerous ? 'error' : 'warning',
    message: isDangerous
      ? message`Loading ${path} can run any code: it calls ${called} (${how}).`
      : message`Loading ${path} calls ${called}, which GPU Doctor does not know (${how}).`,
    related: names.length > 1 ? [{ span: loadSpan, message: `The file imports ${listed(names, MOST_NAMES)}.` }] : [],
    // The fix prevents the code from running by rejecting the file, so it is not offered for files that may be
    // harmless.
    fixes: () => (isDangerous ? fixesOfUnsafeLoad(program, call, argument, known) : []),
  };
}

/** Returns the finding for a file that `weights_only=True` rejects. */
function refusal(reading: Reading, program: Program, known: Knowledge): Site | undefined {
  const { args, call, files, isHandled } = reading;
  if (isHandled || isWeightsOnly(args, known.torchVersion) !== true || allowsGlobals(program)) return undefined;
  const blockers = files.map(({ summary }) => blockersUnder(summary, known.torchVersion ?? weightsOnly().newest));
  const [first] = blockers;
  if (!first || blockers.some((each) => !each || loads(each))) return undefined;
  const { argument } = argumentFor(args, 'weights_only', undefined);
  const how = argument ? '`weights_only=True`' : `\`weights_only=True\` (default of torch ${known.torchVersion})`;
  const isDangerous = files.some(({ summary }) => summary.safety.verdict === 'dangerous');
  const span = { start: call.func.start, end: call.end };
  const consequences = [message`${how} rejects ${quoted(quotedPath(reading))}.`, `${how} rejects this file.`] as const;
  const whole = withCause(span, consequences, reasonOf(first, MOST_NAMES));
  const short = withCause(span, consequences, reasonOf(first, 1));
  return {
    span,
    message: whole.related.length > 0 ? short.message : whole.message,
    related: whole.related,
    fixes: () => (isDangerous ? [] : fixesOfRefused(program, call, argument, first)),
  };
}

function reasonOf({ globals, opcodes, calls, needsWindows }: Blockers, most: number): string {
  if (needsWindows) return 'the file contains a Windows path, which only Windows can create';
  if (globals.length > 0) return `the file imports ${listed(globals, most)}`;
  if (opcodes.length === 0) return `the file contains ${enumerated(calls)}`;
  return `its pickle has ${listed(opcodes, most)} of a newer protocol`;
}

const ALLOWS = new Set(['safe_globals', 'add_safe_globals']);

/** A program that allows classes itself has already been reviewed for this problem. */
function allowsGlobals({ index }: Program): boolean {
  return index.callsSpelled(ALLOWS).length > 0;
}

/**
 * Classes that the program's author knows: the program's own classes, and PyTorch's layers and optimizers in a whole
 * model.
 */
const KNOWN_CLASSES = /^(__main__|torch\.nn\.modules|torch\.optim)\./;

function namesOf(summary: CheckpointSummary | undefined, standings: readonly string[]): string[] {
  return (summary?.imports ?? []).flatMap(({ name, standing }) =>
    standings.includes(standing) && (standing === 'dangerous' || !KNOWN_CLASSES.test(name)) ? [name] : [],
  );
}

/** The maximum number of names in a message, and the maximum length of each in characters. */
const MOST_NAMES = 3;
const LONGEST_NAME = 80;

/** Lists the first few of many names. They come from the file and may contain anything. */
function listed(names: readonly string[], most: number): string {
  return enumeratedCode(
    names.map((name) => name.replace(/[^\w.<>? -]/g, '?').slice(0, LONGEST_NAME)),
    most,
  );
}
