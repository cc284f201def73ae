/** What PyTorch's loaders say to a file here: whether they read its form, what they unpickle, and where they put its tensors. */

import { enumerated } from '../checkpoint/enumerated.ts';
import { blockersUnder, loads } from '../checkpoint/formats/torch/weightsOnly.ts';
import { allowingCode, type SafeGlobal } from '../checkpoint/pickle/safeGlobals.ts';
import { isHarmless } from '../checkpoint/verdicts.ts';
import { firstTorchWith, torchHas } from '../published/releases/torchReleases.ts';
import { isAtLeast } from '../published/versions.ts';
import { backendOf, countOf, type Here, missingDevices } from './here.ts';
import { type Loadable, listed, type Reason } from './outlook.ts';
import { lackingCalls, newestScript, restoresElsewhere } from './torchFiles.ts';
import { lackingNames } from './unpickledNames.ts';

export function torchIn({ torch }: Here): Reason[] {
  return torch === null ? [{ outlook: 'fails', because: 'The selected Python has no torch.' }] : [];
}

export function formIn({ format }: Loadable, { torch }: Here): Reason[] {
  if (format !== 'torch' || !torch || torchHas('zip_files', torch)) return [];
  const because = `It is a ZIP file, the form that torch ${firstTorchWith('zip_files')} brought, and torch ${torch} does not read that.`;
  return [
    {
      outlook: 'fails',
      because,
      remedy: 'Save it with a newer torch and `_use_new_zipfile_serialization=False`, or update torch.',
    },
  ];
}

/** What a program in TorchScript needs of the torch that loads it. */
export function scriptIn({ script }: Loadable, { torch }: Here): Reason[] {
  if (!script || !torch) return [];
  const { format, writtenSince } = script;
  const newest = newestScript(torch);
  if (newest !== undefined && format > newest)
    return [
      {
        outlook: 'fails',
        because: `Its format is of version ${format}, and torch ${torch} reads none above ${newest}.`,
        remedy: 'Update torch, or write the program with the older one.',
      },
    ];
  if (writtenSince === undefined || isAtLeast(torch, writtenSince)) return [];
  const because = `torch ${writtenSince} or newer wrote it, and whether torch ${torch} has all of its operators is not looked at.`;
  return [{ outlook: 'unknown', because }];
}

export function lacking({ imports, rebuilt }: Loadable, here: Here): Reason[] {
  const found = [...lackingNames(imports, here), ...lackingCalls(rebuilt, here)];
  return found.map((each) => ({ outlook: 'fails', ...each }));
}

/** What is lacking fails either way: with `weights_only=True`, which may say something else first, and without. */
export function unpickledBy(file: Loadable, here: Here): Reason[] {
  const reasons = lacking(file, here);
  return reasons.length > 0 ? reasons : weightsOnly(file, here);
}

function weightsOnly(file: Loadable, { torch }: Here): Reason[] {
  const { verdict, reason } = file.safety;
  if (verdict === 'not-checked') return [{ outlook: 'unknown', because: reason }];
  const isSafe = isHarmless(file.safety) && verdict !== 'refused';
  const since = `torch ${firstTorchWith('weights_only_default')} and newer refuse it by default`;
  if (!torch) {
    const because = `Which torch would load it is not known: ${since}, older ones unpickle it.`;
    return isSafe ? [] : [{ outlook: 'unknown', because }];
  }
  if (torchHas('weights_only_default', torch)) return refused(file, torch);
  if (isHarmless(file.safety)) return [];
  return [
    {
      outlook: 'runs-code',
      because: `torch ${torch} unpickles it, and by that runs whatever the file names: ${since}, older ones do not.`,
      remedy: 'Pass `weights_only=True`, which refuses it.',
    },
  ];
}

/** What a torch says whose default is `weights_only=True`. */
function refused(file: Loadable, torch: string): Reason[] {
  const blockers = blockersUnder(file, torch);
  if (!blockers) return [{ outlook: 'unknown', because: `Whether torch ${torch} takes it was not checked.` }];
  if (loads(blockers)) return [];
  const { globals, opcodes, calls, isOldFormat, remedy } = blockers;
  const those = listed([...globals, ...opcodes].slice(0, 3));
  const unknown = globals.length + opcodes.length > 0 ? those : enumerated(calls);
  const why = isOldFormat ? 'never takes files of this form' : `does not know ${unknown}`;
  const because = `\`weights_only=True\`, the default of torch ${torch}, ${why}.`;
  return [{ outlook: 'fails', because, ...(isHarmless(file.safety) && { remedy: allowing(remedy) }) }];
}

/** How plain data is let through. */
function allowing(globals: readonly SafeGlobal[] | undefined): string {
  return globals
    ? `It holds plain data, and is allowed by \`${allowingCode(globals)}\`.`
    : 'It holds plain data: pass `weights_only=False`.';
}

/** Where torch puts the tensors: on the devices that they were saved on. */
export function placed({ devices, rebuilt }: Loadable, here: Here, usual?: string): Reason[] {
  if (devices === undefined)
    return [{ outlook: 'unknown', because: 'The devices that its tensors were saved on could not be read.' }];
  const remedy = usual !== undefined && !restoresElsewhere(rebuilt, here) ? ON_CPU_FIRST : usual;
  const missing = missingDevices(devices, here);
  if (missing.length > 0)
    return missing.map(({ devices: those, because }, index) => ({
      outlook: 'fails',
      because: `It holds tensors that were saved on ${listed(those)}, and ${because}.`,
      remedy: index === 0 ? remedy : undefined,
    }));
  const others = devices.filter((device) => !ANYWHERE.includes(device));
  if (others.length === 0) return [{ outlook: 'loads', because: 'All of its tensors were saved from the CPU.' }];
  if (others.every((device) => countOf(device, here)))
    return [{ outlook: 'loads', because: `Its tensors were saved on ${listed(others)}, which this machine has.` }];
  const because = `It holds tensors that were saved on ${listed(others)}; whether this machine has that is not known.`;
  const backends = [...new Set(others.flatMap((device) => backendOf(device) ?? []))];
  const importing = backends.length > 0 ? `The program has to import ${backends.join(' and ')} before it loads.` : '';
  return [{ outlook: 'unknown', because: `${because} ${importing}`.trim(), remedy }];
}

/** Metal has no such type; what of it was saved from elsewhere is not brought there by `torch.load` unless it is told to. */
export const NOT_ON_METAL: readonly string[] = ['float64', 'complex128'];

export function onMetal({ dtypes = [] }: Loadable, { devices }: Here): Reason[] {
  const lacking = dtypes.filter((dtype) => NOT_ON_METAL.includes(dtype));
  if (lacking.length === 0 || !devices.mps?.count) return [];
  const because = `With \`map_location="mps"\` it fails: it holds tensors of ${lacking.join(' and ')}, which Apple's GPUs do not have.`;
  return [{ outlook: 'loads', because }];
}

export const MAP_LOCATION = 'With `map_location="cpu"` they all come into main memory, on every machine.';

const ON_CPU_FIRST =
  'No `map_location` moves tensors of this form: the program that saves it has to bring them to the CPU first, or torch be updated.';

/** Devices that every torch has. */
const ANYWHERE = ['cpu', 'meta'];
