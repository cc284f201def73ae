/**
 * Determines whether PyTorch's loaders can read a file here, based on its form, its imports, and the devices of its
 * tensors.
 */

import { enumerated, enumeratedCode } from '../checkpoint/enumerated.ts';
import { blockersUnder, loads } from '../checkpoint/formats/torch/weightsOnly.ts';
import { allowingCode, type SafeGlobal } from '../checkpoint/pickle/safeGlobals.ts';
import { isHarmless } from '../checkpoint/verdicts.ts';
import { newestScript } from '../published/releases/torchFiles.ts';
import { firstTorchWith, torchHas } from '../published/releases/torchReleases.ts';
import { isAtLeast } from '../published/versions.ts';
import { backendOf, countOf, type Here, missingDevices } from './here.ts';
import type { Loadable, OutlookReason } from './outlook.ts';
import { lackingCalls, lackingNames, mapLocationMovesAll } from './unpickledNames.ts';

export function torchReasons({ torch }: Here): OutlookReason[] {
  return torch === null ? [{ outlook: 'fails', because: 'The selected Python has no torch.', lacks: 'torch' }] : [];
}

export function formatReasons({ format }: Loadable, { torch }: Here): OutlookReason[] {
  if (format !== 'torch' || !torch || torchHas('zip_files', torch)) return [];
  const because = `The file is in the ZIP format of torch ${firstTorchWith('zip_files')} and newer, which torch ${torch} does not read.`;
  return [
    {
      outlook: 'fails',
      because,
      remedy: 'Save it with a newer torch and `_use_new_zipfile_serialization=False`, or update torch.',
    },
  ];
}

/** Returns the requirements of a TorchScript program for the torch version that loads it. */
export function scriptReasons({ script }: Loadable, { torch }: Here): OutlookReason[] {
  if (!script || !torch) return [];
  const { format, writtenSince } = script;
  const newest = newestScript(torch);
  if (newest !== undefined && format > newest)
    return [
      {
        outlook: 'fails',
        because: `Its format version is ${format}, but torch ${torch} reads at most ${newest}.`,
        remedy: 'Update torch, or save the program with the older one.',
      },
    ];
  if (writtenSince === undefined || isAtLeast(torch, writtenSince)) return [];
  const because = `torch ${writtenSince} or newer wrote it; whether torch ${torch} has all of its operators was not checked.`;
  return [{ outlook: 'unknown', because }];
}

export function lackingReasons({ imports, rebuilt }: Loadable, here: Here): OutlookReason[] {
  const found = [...lackingNames(imports, here), ...lackingCalls(rebuilt, here)];
  return found.map((each) => ({ outlook: 'fails', ...each }));
}

/** Missing names fail with and without `weights_only=True`, which may report another error first. */
export function unpicklingReasons(file: Loadable, here: Here): OutlookReason[] {
  const reasons = lackingReasons(file, here);
  return reasons.length > 0 ? reasons : defaultLoadReasons(file, here);
}

function defaultLoadReasons(file: Loadable, { torch }: Here): OutlookReason[] {
  const { verdict, reason } = file.safety;
  if (verdict === 'not-checked') return [{ outlook: 'unknown', because: reason }];
  const isSafe = isHarmless(file.safety) && verdict !== 'refused';
  const since = `torch ${firstTorchWith('weights_only_default')} and newer reject it by default`;
  if (!torch) {
    const because = `The version of torch that would load it is unknown: ${since}; older versions unpickle it.`;
    return isSafe ? [] : [{ outlook: 'unknown', because }];
  }
  if (torchHas('weights_only_default', torch)) return weightsOnlyReasons(file, torch);
  if (isHarmless(file.safety)) return [];
  return [
    {
      outlook: 'runs-code',
      because: `torch ${torch} unpickles it and so runs any code that the file names: ${since}; older versions do not.`,
      remedy: '`weights_only=True` rejects it.',
    },
  ];
}

/** Returns why a torch version in which `weights_only=True` is the default rejects a file. */
function weightsOnlyReasons(file: Loadable, torch: string): OutlookReason[] {
  const blockers = blockersUnder(file, torch);
  if (!blockers) return [{ outlook: 'unknown', because: `Whether torch ${torch} accepts it was not checked.` }];
  if (loads(blockers)) return [];
  const { globals, opcodes, calls, remedy } = blockers;
  const those = enumeratedCode([...globals, ...opcodes], 3);
  const unknown = globals.length + opcodes.length > 0 ? those : enumerated(calls);
  const because = `\`weights_only=True\`, the default of torch ${torch}, does not know ${unknown}.`;
  return [{ outlook: 'fails', because, ...(isHarmless(file.safety) && { remedy: allowingRemedy(remedy) }) }];
}

/** Suggests how to allow plain data. */
function allowingRemedy(globals: readonly SafeGlobal[] | undefined): string {
  return globals
    ? `It contains plain data; \`${allowingCode(globals)}\` allows it.`
    : 'It contains plain data: pass `weights_only=False`.';
}

/**
 * Determines whether the tensors' devices exist here, since torch restores tensors to the devices from which they were
 * saved.
 */
export function deviceReasons({ devices, rebuilt }: Loadable, here: Here, usual?: string): OutlookReason[] {
  if (devices === undefined)
    return [{ outlook: 'unknown', because: 'The devices that its tensors were saved on could not be read.' }];
  const remedy = usual !== undefined && !mapLocationMovesAll(rebuilt, here) ? ON_CPU_FIRST : usual;
  const missing = missingDevices(devices, here);
  if (missing.length > 0)
    return missing.map(({ devices: those, because }, index) => ({
      outlook: 'fails',
      because: `The file contains tensors saved on ${enumeratedCode(those)}, and ${because}.`,
      remedy: index === 0 ? remedy : undefined,
    }));
  const others = devices.filter((device) => !ANYWHERE.includes(device));
  if (others.length === 0) return [{ outlook: 'loads', because: 'All of its tensors were saved from the CPU.' }];
  if (others.every((device) => countOf(device, here)))
    return [
      { outlook: 'loads', because: `Its tensors were saved on ${enumeratedCode(others)}, which this machine has.` },
    ];
  const because = `The file contains tensors saved on ${enumeratedCode(others)}; whether this machine has such a device is unknown.`;
  const backends = [...new Set(others.flatMap((device) => backendOf(device) ?? []))];
  const importing =
    backends.length > 0 ? `The program must import ${backends.join(' and ')} before it loads the file.` : '';
  return [{ outlook: 'unknown', because: `${because} ${importing}`.trim(), remedy }];
}

/** Types that Metal lacks. `torch.load` moves tensors to Metal only on request. */
export const NOT_ON_METAL: readonly string[] = ['float64', 'complex128'];

export function metalNotes({ dtypes = [] }: Loadable, { devices }: Here): OutlookReason[] {
  const lacking = dtypes.filter((dtype) => NOT_ON_METAL.includes(dtype));
  if (lacking.length === 0 || !devices.mps?.count) return [];
  const because = `With \`map_location="mps"\` it fails: the file contains ${lacking.join(' and ')} tensors, which Apple GPUs do not support.`;
  return [{ outlook: 'loads', because }];
}

export const MAP_LOCATION = 'With `map_location="cpu"`, it loads into RAM on any machine.';

const ON_CPU_FIRST =
  '`map_location` does not move tensors of this form: move them to the CPU before saving, or update torch.';

/** Devices that every torch build supports. */
const ANYWHERE = ['cpu', 'meta'];
