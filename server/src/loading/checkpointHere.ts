/** Whether a checkpoint loads on this machine, and if not, why. */
import { enumerated } from '../checkpoint/enumerated.ts';
import { FORMATS } from '../checkpoint/formats/index.ts';
import { isHarmless } from '../checkpoint/verdicts.ts';
import type { Here } from './here.ts';
import { judgeKeras } from './kerasHere.ts';
import { onnxRefusal } from './onnxVersions.ts';
import { type CheckpointHere, damageIn, judged, type Loadable, notInstalled, type Reason } from './outlook.ts';
import { formIn, lacking, MAP_LOCATION, onMetal, placed, scriptIn, torchIn, unpickledBy } from './torchHere.ts';
import { lackingNames, ownNames } from './unpickledNames.ts';

/** Judges whether a checkpoint loads on this machine, as a plain call of its loader would. */
export function judgeCheckpoint(file: Loadable, here: Here): CheckpointHere {
  const call = FORMATS[file.format].loading?.call;
  if (file.misfits && isHarmless(file.safety) && damageIn(file).length === 0)
    return judged(
      'PeftModel.from_pretrained(base, folder)',
      file.misfits.map((because) => ({ outlook: 'fails', because })),
    );
  switch (file.format) {
    case 'torch':
    case 'torch-legacy':
    case 'torch-tar':
      return judged(call, [
        ...damageIn(file),
        ...torchIn(here),
        ...formIn(file, here),
        ...unpickledBy(file, here),
        ...placed(file, here, MAP_LOCATION),
        ...onMetal(file, here),
      ]);
    case 'torchscript':
      return judged(call, [
        ...damageIn(file),
        ...torchIn(here),
        ...scriptIn(file, here),
        ...placed(file, here, MAP_LOCATION),
      ]);
    case 'torch-package':
    case 'torch-export':
      return judged(call, [...torchIn(here), { outlook: 'unknown', because: file.safety.reason }]);
    case 'pickle':
    case 'joblib':
      return judged(call, [
        ...damageIn(file),
        ...(file.format === 'joblib' ? notInstalled('joblib', here) : []),
        ...(file.compression === 'LZ4' ? notInstalled('lz4', here) : []),
        ...lacking(file, here),
        ...unpickled(file),
        ...(file.devices ? placed(file, here) : [NAMES_NO_DEVICE]),
      ]);
    case 'safetensors':
      return judged(here.torch === null ? WITH_NUMPY : call, [
        ...damageIn(file),
        ...notInstalled('safetensors', here),
        ...(here.torch === null ? withNumpy(file, here) : withTorch(file, here)),
        ...unlessHarmless(file),
        NAMES_NO_DEVICE,
      ]);
    case 'numpy':
    case 'numpy-archive':
      return judged(call, numpyReasons(file, here));
    case 'onnx':
      return judged(call, onnxReasons(file, here));
    case 'tflite':
      return judged(call, [...damageIn(file), PROGRAM]);
    case 'diffusers-pipeline':
      return judged(pipelineCall(file), [
        ...damageIn(file),
        ...torchIn(here),
        ...notInstalled('diffusers', here),
        ...unlessHarmless(file),
        NAMES_NO_DEVICE,
      ]);
    case 'keras':
    case 'hdf5':
    case 'saved-model':
      return judgeKeras(file, here);
    default:
      if (call === undefined)
        return judged(call, [
          { outlook: 'unknown', because: 'Whether what loads a file of this kind takes it is not looked at.' },
        ]);
      // The shards of an index may be PyTorch's.
      return judged(call, [
        ...damageIn(file),
        ...(file.format === 'tensorflow-checkpoint' && here.tensorflow === null ? [NO_TENSORFLOW] : []),
        ...unlessHarmless(file),
        ...(file.devices ? placed(file, here, MAP_LOCATION) : [NAMES_NO_DEVICE]),
      ]);
  }
}

/** The call that loads a pipeline, with the variant that it needs. */
function pipelineCall({ pipeline }: Loadable): string | undefined {
  const { call } = FORMATS['diffusers-pipeline'].loading ?? {};
  const variant = pipeline?.neededVariant;
  return variant === undefined ? call : call?.replace(')', `, variant="${variant}")`);
}

const WITH_NUMPY = 'safetensors.numpy.load_file(path)';

/** What the library has no types of NumPy for: each that it writes was tried with safetensors 0.8 and NumPy 2.4. */
const NOT_OF_NUMPY = /^(bfloat16|float[48]_|float6_)/;

/** What safetensors needs where it makes arrays of NumPy. */
function withNumpy({ dtypes = [] }: Loadable, here: Here): Reason[] {
  const lacking = dtypes.filter((dtype) => NOT_OF_NUMPY.test(dtype));
  if (lacking.length === 0) return notInstalled('numpy', here);
  const because = `It holds tensors of ${enumerated(lacking)}, which NumPy does not have, and the selected Python has no torch.`;
  return [{ outlook: 'fails', because, remedy: 'Install torch.' }];
}

/** What it needs where it makes tensors of PyTorch: their types. */
function withTorch({ dtypes = [] }: Loadable, here: Here): Reason[] {
  const names = dtypes.map((dtype) => ({ name: `torch.${dtype}`, standing: 'allowed' }) as const);
  return lackingNames(names, here).map((each) => ({ outlook: 'fails', ...each }));
}

const NO_TENSORFLOW: Reason = { outlook: 'fails', because: 'The selected Python has no TensorFlow.' };

/** Of a file that can be read in more than one way, nothing good is said. */
function unlessHarmless({ safety }: Loadable): Reason[] {
  return isHarmless(safety) ? [] : [{ outlook: 'unknown', because: safety.reason }];
}

function unpickled({ safety, imports }: Loadable): Reason[] {
  const { verdict, reason } = safety;
  if (verdict === 'dangerous') return [{ outlook: 'runs-code', because: reason, remedy: 'Do not unpickle it.' }];
  if (isHarmless(safety)) return [];
  const own = ownNames(imports);
  return [{ outlook: 'unknown', because: reason }, ...(own ? [{ outlook: 'unknown', because: own } as const] : [])];
}

const NAMES_NO_DEVICE: Reason = {
  outlook: 'loads',
  because: 'The format names no devices: the program that loads it chooses one.',
};

const PROGRAM: Reason = {
  outlook: 'unknown',
  because: 'Whether what loads it has all of its operators is not looked at.',
};

/** NumPy refuses Python objects; those in an archive only when their array is asked for. */
function numpyReasons(file: Loadable, here: Here): Reason[] {
  const { verdict, reason } = file.safety;
  const lacking = notInstalled('numpy', here);
  if (verdict === 'no-code') return [...damageIn(file), ...lacking, NAMES_NO_DEVICE];
  if (verdict === 'not-checked') return [...lacking, { outlook: 'unknown', because: reason }];
  const outlook = file.format === 'numpy' ? 'fails' : 'unknown';
  const because = 'It holds Python objects, which `numpy.load` gives out with `allow_pickle=True` only.';
  return [...lacking, { outlook, because }];
}

function onnxReasons(file: Loadable, { onnxruntime }: Here): Reason[] {
  const reasons = [...damageIn(file), PROGRAM];
  if (onnxruntime === null) reasons.push({ outlook: 'fails', because: 'The selected Python has no ONNX Runtime.' });
  const refusal = onnxruntime && file.onnx ? onnxRefusal(file.onnx, onnxruntime) : undefined;
  if (refusal !== undefined)
    reasons.push({
      outlook: 'fails',
      because: `${refusal.replace(/^i/, 'I')}.`,
      remedy: 'Update ONNX Runtime, or write the model with the older versions.',
    });
  return reasons;
}
