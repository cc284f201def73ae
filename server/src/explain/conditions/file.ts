import type { Checkpoint, Format } from '../../checkpoint/checkpoint.ts';
import { FORMATS } from '../../checkpoint/formats/index.ts';
import { damagesIn } from '../../checkpoint/verdicts.ts';
import { hereFrom, missingDevices } from '../../loading/here.ts';
import { type Condition, type ShownFact, shown } from './condition.ts';

function onFile(look: (checkpoint: Checkpoint, path: string) => ShownFact | undefined): Condition {
  return ({ checkpoint }) => checkpoint && look(checkpoint.checkpoint, checkpoint.path);
}

function isA(...formats: Format[]): Condition {
  return onFile(({ format, size }, path) =>
    shown(formats.includes(format), `${path} is ${FORMATS[format].noun} and has ${size} bytes`),
  );
}

/** The content found in a checkpoint file. */
const OTHER_FILES: readonly Format[] = ['git-lfs-pointer', 'html', 'json', 'text'];

/** Conditions on the file that failed to load, by name. */
export const fileConditions = {
  'file-is-pointer': isA('git-lfs-pointer'),
  'file-is-web-page': isA('html'),
  'file-is-empty': isA('empty'),
  'file-is-torch': isA('torch', 'torch-legacy'),
  'file-is-torchscript': isA('torchscript'),
  'file-is-torch-export': isA('torch-export'),
  'file-is-pickle': isA('pickle'),
  'file-is-safetensors': isA('safetensors'),
  'file-is-hdf5': isA('hdf5'),
  'file-is-keras': isA('keras'),
  'file-is-saved-model': isA('saved-model'),
  'file-is-damaged': onFile((checkpoint, path) => {
    const damages = damagesIn(checkpoint);
    // A complete file of another kind is not damaged.
    if (OTHER_FILES.includes(checkpoint.format)) return undefined;
    return shown(damages.length > 0, damages.length > 0 ? `${path}: ${damages[0]}` : `${path} can be read completely`);
  }),
  /** Space may have been freed since, so that more of it excludes nothing. */
  'disk-full': ({ checkpoint: { path, free } = { path: '' } }) =>
    free !== undefined && free < 2 ** 27
      ? shown(true, `${Math.floor(free / 2 ** 20)} MiB are free beside ${path}`)
      : undefined,
  'file-has-globals': onFile(({ imports, safety }, path) => {
    const others = imports.filter(({ standing }) => standing !== 'allowed').map(({ name }) => name);
    if (safety.verdict === 'not-checked') return undefined;
    return shown(
      others.length > 0,
      others.length > 0 ? `${path} names ${others.slice(0, 4).join(', ')}` : `${path} names nothing but tensors`,
    );
  }),
  'file-from-missing-gpu': ({ checkpoint, facts }) => {
    const devices = checkpoint?.checkpoint.devices;
    if (!checkpoint || !devices) return undefined;
    const saved = `${checkpoint.path} contains tensors that were saved on ${devices.join(', ')}`;
    if (!devices.some((device) => device !== 'cpu')) return shown(false, saved);
    if (!facts) return undefined;
    const [missing] = missingDevices(devices, hereFrom(facts));
    return shown(missing !== undefined, missing ? `${saved}, and ${missing.because}` : saved);
  },
} satisfies Record<string, Condition>;
