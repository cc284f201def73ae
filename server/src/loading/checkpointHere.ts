/** Determines whether a checkpoint loads on this machine, and if not, why. */
import { enumerated } from '../checkpoint/enumerated.ts';
import { FORMATS } from '../checkpoint/formats/index.ts';
import { isHarmless } from '../checkpoint/verdicts.ts';
import { modelsOfOnnxruntime } from '../published/releases/onnxruntimeReleases.ts';
import type { Here } from './here.ts';
import { judgeKeras } from './kerasHere.ts';
import {
  type CheckpointHere,
  combineReasons,
  damageReasons,
  type Loadable,
  missingLibraries,
  type OutlookReason,
} from './outlook.ts';
import {
  deviceReasons,
  formatReasons,
  lackingReasons,
  MAP_LOCATION,
  metalNotes,
  scriptReasons,
  torchReasons,
  unpicklingReasons,
} from './torchHere.ts';
import { lackingNames, ownNames } from './unpickledNames.ts';

/** Determines whether a plain call to a checkpoint's loader loads it on this machine. */
export function judgeCheckpoint(file: Loadable, here: Here): CheckpointHere {
  const call = FORMATS[file.format].loading?.call;
  if (file.misfits && isHarmless(file.safety) && damageReasons(file).length === 0)
    return combineReasons(
      'PeftModel.from_pretrained(base, folder)',
      file.misfits.map((because) => ({ outlook: 'fails', because })),
    );
  switch (file.format) {
    case 'torch':
    case 'torch-legacy': {
      const others = [
        ...damageReasons(file),
        ...torchReasons(here),
        ...formatReasons(file, here),
        ...unpicklingReasons(file, here),
      ];
      // Where something else stops the file, `map_location` alone does not make it load.
      const usual = others.some(({ outlook }) => outlook === 'fails') ? undefined : MAP_LOCATION;
      return combineReasons(call, [...others, ...deviceReasons(file, here, usual), ...metalNotes(file, here)]);
    }
    case 'torchscript':
      return combineReasons(call, [
        ...damageReasons(file),
        ...torchReasons(here),
        ...scriptReasons(file, here),
        ...deviceReasons(file, here, MAP_LOCATION),
      ]);
    case 'torch-package':
    case 'torch-export':
      return combineReasons(call, [...torchReasons(here), { outlook: 'unknown', because: file.safety.reason }]);
    case 'pickle':
    case 'joblib':
      return combineReasons(call, [
        ...damageReasons(file),
        ...missingLibraries(file.format === 'joblib' ? ['joblib'] : [], here),
        ...lackingReasons(file, here),
        ...pickleReasons(file),
        ...(file.devices ? deviceReasons(file, here) : [NAMES_NO_DEVICE]),
      ]);
    case 'safetensors':
      return combineReasons(here.torch === null ? WITH_NUMPY : call, [
        ...damageReasons(file),
        ...missingLibraries(['safetensors', ...(here.torch === null ? ['numpy'] : [])], here),
        ...(here.torch === null ? numpyTypeReasons(file) : torchTypeReasons(file, here)),
        ...safetyReasons(file),
        NAMES_NO_DEVICE,
      ]);
    case 'numpy':
    case 'numpy-archive':
      return combineReasons(call, numpyReasons(file, here));
    case 'onnx':
      return combineReasons(call, onnxReasons(file, here));
    case 'diffusers-pipeline':
      return combineReasons(pipelineCall(file), [
        ...damageReasons(file),
        ...torchReasons(here),
        ...missingLibraries(['diffusers'], here),
        ...safetyReasons(file),
        NAMES_NO_DEVICE,
      ]);
    case 'keras':
    case 'hdf5':
    case 'saved-model':
      return judgeKeras(file, here);
    default:
      if (call === undefined)
        return combineReasons(call, [
          { outlook: 'unknown', because: 'Not checked: whether its loader accepts this file.' },
        ]);
      // The shards of an index may be PyTorch files.
      return combineReasons(call, [
        ...damageReasons(file),
        ...(file.format === 'tensorflow-checkpoint' && here.tensorflow === null ? [NO_TENSORFLOW] : []),
        ...safetyReasons(file),
        ...(file.devices ? deviceReasons(file, here, MAP_LOCATION) : [NAMES_NO_DEVICE]),
      ]);
  }
}

/** Returns the call that loads a pipeline, with the variant that it needs. */
function pipelineCall({ pipeline }: Loadable): string | undefined {
  const { call } = FORMATS['diffusers-pipeline'].loading ?? {};
  const variant = pipeline?.neededVariant;
  return variant === undefined ? call : call?.replace(')', `, variant="${variant}")`);
}

const WITH_NUMPY = 'safetensors.numpy.load_file(path)';

/**
 * Types that safetensors cannot load as NumPy arrays. Each type that it writes was tested with safetensors 0.8 and
 * NumPy 2.4.
 */
const NOT_IN_NUMPY = /^(bfloat16|float[48]_|float6_)/;

/** Returns the types that prevent safetensors from creating NumPy arrays. */
function numpyTypeReasons({ dtypes = [] }: Loadable): OutlookReason[] {
  const lacking = dtypes.filter((dtype) => NOT_IN_NUMPY.test(dtype));
  if (lacking.length === 0) return [];
  const because = `The file contains ${enumerated(lacking)} tensors, which NumPy does not support, and the selected Python has no torch.`;
  return [{ outlook: 'fails', because, remedy: 'Install torch.' }];
}

/** Returns the types that prevent safetensors from creating PyTorch tensors. */
function torchTypeReasons({ dtypes = [] }: Loadable, here: Here): OutlookReason[] {
  const names = dtypes.map((dtype) => ({ name: `torch.${dtype}`, standing: 'allowed' }) as const);
  return lackingNames(names, here).map((each) => ({ outlook: 'fails', ...each }));
}

const NO_TENSORFLOW: OutlookReason = {
  outlook: 'fails',
  because: 'The selected Python has no TensorFlow.',
  lacks: 'TensorFlow',
};

/** The result of loading a file is unknown if it can be read in more than one way. */
function safetyReasons({ safety }: Loadable): OutlookReason[] {
  return isHarmless(safety) ? [] : [{ outlook: 'unknown', because: safety.reason }];
}

function pickleReasons({ safety, imports }: Loadable): OutlookReason[] {
  const { verdict, reason } = safety;
  if (verdict === 'dangerous') return [{ outlook: 'runs-code', because: reason, remedy: 'Do not unpickle it.' }];
  if (isHarmless(safety)) return [];
  const own = ownNames(imports);
  return [{ outlook: 'unknown', because: reason }, ...(own ? [{ outlook: 'unknown', because: own } as const] : [])];
}

const NAMES_NO_DEVICE: OutlookReason = {
  outlook: 'loads',
  because: 'The format stores no devices: the loading program chooses one.',
};

const PROGRAM: OutlookReason = {
  outlook: 'unknown',
  because: 'Not checked: whether the installed runtime has all of its operators.',
};

/** NumPy rejects Python objects. In an archive, it does so only when their array is accessed. */
function numpyReasons(file: Loadable, here: Here): OutlookReason[] {
  const { verdict, reason } = file.safety;
  const lacking = missingLibraries(['numpy'], here);
  if (verdict === 'no-code') return [...damageReasons(file), ...lacking, NAMES_NO_DEVICE];
  if (verdict === 'not-checked') return [...lacking, { outlook: 'unknown', because: reason }];
  const outlook = file.format === 'numpy' ? 'fails' : 'unknown';
  const because = 'It contains Python objects, which `numpy.load` loads only with `allow_pickle=True`.';
  return [...lacking, { outlook, because }];
}

function onnxReasons(file: Loadable, { onnxruntime }: Here): OutlookReason[] {
  const reasons = [...damageReasons(file), PROGRAM];
  if (onnxruntime === null)
    reasons.push({ outlook: 'fails', because: 'The selected Python has no ONNX Runtime.', lacks: 'ONNX Runtime' });
  const newest = onnxruntime ? modelsOfOnnxruntime(onnxruntime) : undefined;
  if (!newest || !file.onnx) return reasons;
  const { irVersion, opset = 0 } = file.onnx;
  const because =
    irVersion > newest.ir
      ? `Its IR version is ${irVersion}, but ONNX Runtime ${onnxruntime} reads at most ${newest.ir}.`
      : `It uses opset ${opset}, but ONNX Runtime ${onnxruntime} supports at most ${newest.opset}.`;
  const remedy = 'Update ONNX Runtime, or export the model with an older opset and IR version.';
  return irVersion > newest.ir || opset > newest.opset ? [...reasons, { outlook: 'fails', because, remedy }] : reasons;
}
