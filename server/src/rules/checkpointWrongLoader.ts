import type { Format } from '../checkpoint/checkpoint.ts';
import type { FoundCheckpoint } from '../checkpoint/checkpointCache.ts';
import { FORMATS } from '../checkpoint/formats/index.ts';
import type { Program } from '../guards/program.ts';
import { kerasRefusal } from '../loading/kerasVersions.ts';
import { firstTorchWith, torchHas } from '../published/releases/torchReleases.ts';
import type { Knowledge } from './engine/contract.ts';
import { message, quoted, withCause } from './engine/message.ts';
import { on, type Rule } from './engine/rule.ts';
import { fixesOfWrongLoader } from './fixes/rightLoader.ts';
import { usesLegacyKeras } from './queries/legacyKeras.ts';
import { quotedPath, type Reading, readings } from './queries/readerCalls.ts';
import { shownCode } from './queries/shownCode.ts';
import { isWeightsOnly } from './queries/weightsOnlyCall.ts';

/** GPU502: a file is not in the format of its loader. */
export const checkpointWrongLoader: Rule = {
  code: 'GPU502',
  name: 'checkpoint-wrong-loader',
  summary: 'A file is not in a format that its loader can read.',
  reports: 'a file that is not in the format of its loader, or is not a checkpoint',
  severity: 'error',
  outranks: { GPU101: 'omitted', GPU102: 'omitted', GPU301: 'omitted', GPU501: 'omitted', GPU503: 'omitted' },
  isAboutFiles: true,
  listener: on(readings, (reading, { program, known, aboutFile, report }) => {
    if (reading.isHandled) return;
    const reasons = reading.files.map((file) => refusalOf(file, reading, program, known));
    const [reason] = reasons;
    if (reason === undefined || reasons.includes(undefined)) return;
    const { call, files } = reading;
    const name = quoted(shownCode(program, call.func));
    const span = { start: call.func.start, end: call.end };
    const formats = new Set(files.map(({ summary }) => summary.format));
    const [format] = formats;
    report({
      span,
      level: 'flag',
      reasons: aboutFile,
      ...withCause(
        span,
        [message`${name} cannot read ${quoted(quotedPath(reading))}.`, message`${name} cannot read this file.`],
        reason.replace(/\.$/, ''),
      ),
      fixes: () => (formats.size === 1 && format ? fixesOfWrongLoader(program, reading, format, known) : []),
    });
  }),
};

/** Formats that are read completely, so that any damage prevents loading. */
const WHOLE: ReadonlySet<Format> = new Set(['torch', 'torch-legacy', 'safetensors']);

/** Returns a clause, with a period, that explains why the reader certainly cannot load a file; undefined if it may. */
function refusalOf({ summary, path }: FoundCheckpoint, reading: Reading, program: Program, known: Knowledge) {
  const { reader } = reading;
  const { format, problems, safety, holds } = summary;
  const { kind, noun, loading } = FORMATS[format];
  if (loading?.readers?.includes(reader.family)) {
    const damage = WHOLE.has(format) ? problems.find((problem) => problem !== safety.reason) : undefined;
    if (damage !== undefined) return lowerFirst(damage);
    if (reader.name.startsWith('keras.') && holds === 'weights')
      return 'it contains only weights, which `model.load_weights` reads.';
    const installed = known.here?.keras;
    const isKeras3Refusal = format === 'saved-model' && installed && !usesLegacyKeras(program);
    const refusal = isKeras3Refusal ? kerasRefusal(summary, installed) : undefined;
    return refusal && `${refusal.because}.`;
  }
  if (loading?.sometimesReaders?.includes(reader.family)) return perhaps(format, path, reading, known);
  // A file of unknown format may be valid, and a folder may contain files that the reader uses.
  if (format === 'folder' || format === 'unknown') return undefined;
  if (kind === 'checkpoint') return `it is ${noun}${loading?.by ? `, which ${loading.by}` : ''}.`;
  // The reader's own sentence says what to do.
  return problems[0] !== undefined ? lowerFirst(problems[0]) : undefined;
}

/** Returns the reason for a rejection that depends on the version of PyTorch. */
function perhaps(format: Format, path: string, reading: Reading, { torchVersion }: Knowledge): string | undefined {
  if (reading.reader.name !== 'torch.load') return undefined;
  if (format === 'torchscript') {
    const isRefused = isWeightsOnly(reading.args, torchVersion) === true;
    return isRefused ? `it is ${FORMATS.torchscript.noun}, which \`weights_only=True\` rejects.` : undefined;
  }
  if (format !== 'safetensors') return undefined;
  if (!path.endsWith('.safetensors')) return `it is ${FORMATS.safetensors.noun}.`;
  if (torchVersion === undefined)
    return `it is ${FORMATS.safetensors.noun}, which only torch ${firstTorchWith('safetensors')} and newer read.`;
  return torchHas('safetensors', torchVersion)
    ? undefined
    : `it is ${FORMATS.safetensors.noun}, and this is torch ${torchVersion}.`;
}

const lowerFirst = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1);
