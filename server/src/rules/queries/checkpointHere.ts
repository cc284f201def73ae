import type { Checkpoint } from '../../checkpoint/checkpoint.ts';
import { enumerated } from '../../checkpoint/enumerated.ts';
import type { KerasModel } from '../../checkpoint/kerasModel.ts';
import { blockersUnder, loads } from '../../checkpoint/weightsOnly.ts';
import { backendOf, countOf, type Here, missingDevices } from './here.ts';
import { lambdaRefusal } from './kerasLambda.ts';
import { h5pyRefusal, type KerasRefusal, kerasRefusal } from './kerasVersions.ts';
import { onnxRefusal } from './onnxVersions.ts';
import { lackingCalls, newestScript, restoresElsewhere } from './torchFiles.ts';
import { lackingNames, ownNames } from './unpickledNames.ts';
import { isAtLeast } from './versions.ts';

/** What of a checkpoint decides whether it loads; its tensors are not looked at one by one. */
export interface Loadable
  extends Pick<
    Checkpoint,
    | 'format'
    | 'compression'
    | 'writtenBy'
    | 'holds'
    | 'keras'
    | 'onnx'
    | 'endpoints'
    | 'devices'
    | 'imports'
    | 'opcodes'
    | 'rebuilt'
    | 'script'
    | 'safety'
    | 'problems'
  > {
  /** The types of its tensors, each once; undefined where nobody looked. */
  readonly dtypes?: readonly string[];
}

/** What decides of a checkpoint, without its long lists. */
export function loadableOf({ tensors, metadata: _, about: __, filled: ___, ...rest }: Checkpoint): Loadable {
  return { ...rest, dtypes: [...new Set(tensors.map(({ dtype }) => dtype))] };
}

/**
 * Whether the format's usual loader, called with nothing but the path, loads a file here. `runs-code`: it does, and by
 * that runs code that the file brings or names; `unknown`: what is known does not tell.
 */
export type Outlook = 'loads' | 'fails' | 'runs-code' | 'unknown';

export interface CheckpointHere {
  readonly outlook: Outlook;
  /** The call that is judged: `torch.load(path)`. Undefined for a format that no one call loads. */
  readonly call?: string;
  /** Why, as sentences. */
  readonly because: readonly string[];
  /** What to write or to do instead, as sentences. */
  readonly remedies: readonly string[];
}

/** One thing that speaks for an outlook. */
interface Reason {
  readonly outlook: Outlook;
  readonly because: string;
  readonly remedy?: string;
}

/** The outlook on the whole is that of the gravest reason. */
const GRAVITY: readonly Outlook[] = ['loads', 'unknown', 'fails', 'runs-code'];

/** Judges whether a checkpoint loads on this machine, as a plain call of its loader would. */
export function judgeCheckpoint(file: Loadable, here: Here): CheckpointHere {
  switch (file.format) {
    case 'torch':
    case 'torch-legacy':
    case 'torch-tar':
      return judged('torch.load(path)', [
        ...damageIn(file),
        ...torchIn(here),
        ...formIn(file, here),
        ...unpickledBy(file, here),
        ...placed(file, here, MAP_LOCATION),
        ...onMetal(file, here),
      ]);
    case 'torchscript':
      return judged('torch.jit.load(path)', [
        ...damageIn(file),
        ...torchIn(here),
        ...scriptIn(file, here),
        ...placed(file, here, MAP_LOCATION),
      ]);
    case 'torch-package':
    case 'torch-export':
      return judged(undefined, [...torchIn(here), { outlook: 'unknown', because: file.safety.reason }]);
    case 'pickle':
    case 'joblib':
      return judged(file.format === 'joblib' ? 'joblib.load(path)' : 'pickle.load(file)', [
        ...damageIn(file),
        ...(file.format === 'joblib' ? notInstalled('joblib', here) : []),
        ...(file.compression === 'LZ4' ? notInstalled('lz4', here) : []),
        ...lacking(file, here),
        ...unpickled(file),
        ...(file.devices ? placed(file, here) : [NAMES_NO_DEVICE]),
      ]);
    case 'safetensors':
    case 'safetensors-index':
    case 'tensorflow-checkpoint':
    case 'gguf':
      // The shards of an index may be PyTorch's.
      return judged(LOADERS[file.format], [
        ...damageIn(file),
        ...(file.format === 'safetensors' ? notInstalled('safetensors', here) : []),
        ...unlessHarmless(file),
        ...(file.devices ? placed(file, here, MAP_LOCATION) : [NAMES_NO_DEVICE]),
      ]);
    case 'numpy':
    case 'numpy-archive':
      return judged('numpy.load(path)', numpyReasons(file, here));
    case 'onnx':
      return judged('onnxruntime.InferenceSession(path)', onnxReasons(file, here));
    case 'tflite':
      return judged('tf.lite.Interpreter(model_path=path)', [...damageIn(file), PROGRAM]);
    case 'keras':
    case 'hdf5':
    case 'saved-model':
      return judgeKeras(file, here);
    default:
      return judged(undefined, [
        { outlook: 'unknown', because: 'Whether what loads a file of this kind takes it is not looked at.' },
      ]);
  }
}

/** What loads the file, where it is not installed. */
function notInstalled(library: string, { packages }: Here): Reason[] {
  if (!packages || packages.includes(library)) return [];
  const because = `The selected Python has no ${library}.`;
  return [{ outlook: 'fails', because, remedy: `Install it with \`pip install ${library}\`.` }];
}

/** The usual loaders of formats that PyTorch's own do not read. */
const LOADERS = {
  safetensors: 'safetensors.torch.load_file(path)',
  'safetensors-index': 'from_pretrained(folder)',
  'tensorflow-checkpoint': 'tf.train.load_checkpoint(path)',
  gguf: 'llama_cpp.Llama(model_path=path)',
} as const;

/** Of a file that can be read in more than one way, nothing good is said. */
function unlessHarmless({ safety: { verdict, reason } }: Loadable): Reason[] {
  return verdict === 'no-code' || verdict === 'weights-only' || verdict === 'refused'
    ? []
    : [{ outlook: 'unknown', because: reason }];
}

function judged(call: string | undefined, reasons: readonly Reason[]): CheckpointHere {
  const outlook = GRAVITY.findLast((each) => reasons.some((reason) => reason.outlook === each)) ?? 'unknown';
  const grave = reasons.filter((reason) => reason.outlook === outlook);
  return {
    outlook,
    call,
    because: grave.map(({ because }) => because),
    remedies: grave.flatMap(({ remedy }) => remedy ?? []),
  };
}

/** What is wrong with the file itself; what is wrong with its safety, or with that of a shard, is judged for itself. */
function damageIn({ problems, safety }: Loadable): Reason[] {
  return problems.filter((each) => !each.endsWith(safety.reason)).map((because) => ({ outlook: 'fails', because }));
}

function torchIn({ torch }: Here): Reason[] {
  return torch === null ? [{ outlook: 'fails', because: 'The selected Python has no torch.' }] : [];
}

/** The form that `torch.save` writes since then: https://github.com/pytorch/pytorch/releases/tag/v1.6.0 */
const ZIP_SINCE = '1.6';

function formIn({ format }: Loadable, { torch }: Here): Reason[] {
  if (format !== 'torch' || !torch || isAtLeast(torch, ZIP_SINCE)) return [];
  const because = `It is a ZIP file, the form that torch ${ZIP_SINCE} brought, and torch ${torch} does not read that.`;
  return [
    {
      outlook: 'fails',
      because,
      remedy: 'Save it with a newer torch and `_use_new_zipfile_serialization=False`, or update torch.',
    },
  ];
}

/** What a program in TorchScript needs of the torch that loads it. */
function scriptIn({ script }: Loadable, { torch }: Here): Reason[] {
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

function lacking({ imports, rebuilt }: Loadable, here: Here): Reason[] {
  const found = [...lackingNames(imports, here), ...lackingCalls(rebuilt, here)];
  return found.map((each) => ({ outlook: 'fails', ...each }));
}

/** What is lacking fails either way: with `weights_only=True`, which may say something else first, and without. */
function unpickledBy(file: Loadable, here: Here): Reason[] {
  const reasons = lacking(file, here);
  return reasons.length > 0 ? reasons : weightsOnly(file, here);
}

/** The torch from which on `weights_only=True` is the default: https://pytorch.org/docs/stable/generated/torch.load.html */
const WEIGHTS_ONLY_SINCE = '2.6';

function weightsOnly(file: Loadable, { torch }: Here): Reason[] {
  const { verdict, reason } = file.safety;
  if (verdict === 'not-checked') return [{ outlook: 'unknown', because: reason }];
  const isSafe = verdict === 'weights-only' || verdict === 'no-code';
  const since = `torch ${WEIGHTS_ONLY_SINCE} and newer refuse it by default`;
  if (!torch) {
    const because = `Which torch would load it is not known: ${since}, older ones unpickle it.`;
    return isSafe ? [] : [{ outlook: 'unknown', because }];
  }
  if (isAtLeast(torch, WEIGHTS_ONLY_SINCE)) return refused(file, torch);
  if (isSafe || verdict === 'refused') return [];
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
  const { globals, opcodes, isOldForm } = blockers;
  const those = listed([...globals, ...opcodes].slice(0, 3));
  const why = isOldForm ? 'never takes files of this form' : `does not know ${those}`;
  return [{ outlook: 'fails', because: `\`weights_only=True\`, the default of torch ${torch}, ${why}.` }];
}

function unpickled({ safety, imports }: Loadable): Reason[] {
  const { verdict, reason } = safety;
  if (verdict === 'dangerous') return [{ outlook: 'runs-code', because: reason, remedy: 'Do not unpickle it.' }];
  if (verdict !== 'suspicious' && verdict !== 'not-checked') return [];
  const own = ownNames(imports);
  return [{ outlook: 'unknown', because: reason }, ...(own ? [{ outlook: 'unknown', because: own } as const] : [])];
}

/** Where torch puts the tensors: on the devices that they were saved on. */
function placed({ devices, rebuilt }: Loadable, here: Here, usual?: string): Reason[] {
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

function onMetal({ dtypes = [] }: Loadable, { devices }: Here): Reason[] {
  const lacking = dtypes.filter((dtype) => NOT_ON_METAL.includes(dtype));
  if (lacking.length === 0 || !devices.mps?.count) return [];
  const because = `With \`map_location="mps"\` it fails: it holds tensors of ${lacking.join(' and ')}, which Apple's GPUs do not have.`;
  return [{ outlook: 'loads', because }];
}

const MAP_LOCATION = 'With `map_location="cpu"` they all come into main memory, on every machine.';

const ON_CPU_FIRST =
  'No `map_location` moves tensors of this form: the program that saves it has to bring them to the CPU first, or torch be updated.';

/** Devices that every torch has. */
const ANYWHERE = ['cpu', 'meta'];

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

/** HDF5 files and SavedModels are of Keras where they say so. */
function judgeKeras(file: Loadable, here: Here): CheckpointHere {
  if (file.format !== 'keras' && !file.writtenBy?.startsWith('Keras'))
    return judged(file.format === 'saved-model' ? 'tf.saved_model.load(path)' : undefined, [
      ...(file.format === 'saved-model' ? damageIn(file) : []),
      { outlook: 'unknown', because: isUnread(file) ? file.safety.reason : 'It does not say that Keras wrote it.' },
    ]);
  // `tf.keras` is Keras 2 then, whatever Keras is installed beside it.
  const isLegacy = here.takesTfKeras === true && typeof here.tfKeras === 'string';
  const loader = isLegacy ? 'tf.keras.models.load_model(path)' : 'keras.models.load_model(path)';
  const call = file.holds === 'weights' ? 'model.load_weights(path)' : loader;
  return judged(call, kerasReasons(file, isLegacy ? { ...here, keras: here.tfKeras, tfKeras: undefined } : here));
}

/** A SavedModel that was read is not checked either: it is a program. */
const isUnread = ({ format, safety }: Loadable) => format === 'hdf5' && safety.verdict === 'not-checked';

/** What Keras would say to the file; where it puts the weights is up to its backend. */
function kerasReasons(file: Loadable, here: Here): Reason[] {
  const { keras } = here;
  // Of an HDF5 file only the library knows whether what is broken matters.
  const damage = file.format === 'hdf5' ? [] : damageIn(file);
  if (keras === null) return [...damage, { outlook: 'fails', because: 'The selected Python has no Keras.' }];
  return [...damage, readBy(file, keras, here)];
}

function readBy(file: Loadable, keras: string | undefined, here: Here): Reason {
  const refusal = (keras && refusalBy(file, keras, here)) || h5pyRefusal(file, here, keras);
  if (refusal) {
    const remedy = [refusal.remedy ?? [], otherKeras(file, keras, here) ?? []].flat().join(' ');
    return { outlook: 'fails', because: `${upperFirst(refusal.because)}.`, ...(remedy !== '' && { remedy }) };
  }
  if (!keras) return { outlook: 'unknown', because: 'Which Keras is installed is not known.' };
  const uncertain = file.keras && uncertaintyOf(file, file.keras, keras, here.devices);
  if (uncertain !== undefined) return { outlook: 'unknown', because: uncertain };
  if (file.safety.verdict !== 'no-code') return { outlook: 'unknown', because: file.safety.reason };
  return { outlook: 'loads', because: `Keras ${keras} reads it, and it names no devices.` };
}

function refusalBy(file: Loadable, keras: string, { python }: Here): KerasRefusal | undefined {
  return kerasRefusal(file, keras) ?? lambdaRefusal(file, keras, python);
}

/** Keras 2 under its own name, where it is installed too and knows all that Keras 3 refuses. */
function otherKeras(file: Loadable, keras: string | undefined, here: Here): string | undefined {
  const { tfKeras } = here;
  if (!keras || !isAtLeast(keras, '3') || !tfKeras || file.format === 'saved-model') return undefined;
  const isUncertain = !file.keras || uncertaintyOf(file, file.keras, tfKeras, here.devices) !== undefined;
  if (isUncertain || file.safety.verdict !== 'no-code' || refusalBy(file, tfKeras, here)) return undefined;
  return `tf_keras ${tfKeras}, which is installed too, reads it: \`tf_keras.models.load_model(path)\`.`;
}

const upperFirst = (clause: string) => clause.charAt(0).toUpperCase() + clause.slice(1);

const FIRST_KERAS_3 = /^(Keras )?3\.0\./;

/** What of a model depends on the program that loads it, or on what is done with it then. */
function uncertaintyOf(
  { format, writtenBy = '' }: Loadable,
  model: KerasModel,
  version: string,
  { cuda }: Here['devices'],
): string | undefined {
  const own = [...model.custom, ...model.customFunctions];
  if (own.length > 0)
    return `The program that loads it has to bring ${listed(own.slice(0, 3))}, by \`custom_objects\`.`;
  const needsGpu = model.classes.find(({ name }) => /^CuDNN(LSTM|GRU)$/.test(name));
  if (needsGpu && cuda?.count === 0)
    return `Its \`${needsGpu.name}\` computes on NVIDIA's GPUs only, and ${cuda.because}.`;
  // Seen to: 3.0.5 does not find its weights again, in either format, and nobody those that it wrote to HDF5.
  const isAround = model.classes.some(({ name }) => name === 'Bidirectional');
  const isOfFirst = FIRST_KERAS_3.test(version) || (format === 'hdf5' && FIRST_KERAS_3.test(writtenBy));
  if (isAround && isOfFirst) return 'Keras 3.0 does not find the weights of every `Bidirectional` again.';
  const attends = format === 'hdf5' && model.classes.some(({ name }) => name === 'MultiHeadAttention');
  return attends ? 'Versions of Keras differ in how they write `MultiHeadAttention` to HDF5.' : undefined;
}

/** `cuda:1` and `cuda:3` */
function listed(devices: readonly string[]): string {
  return enumerated(devices.map((device) => `\`${device}\``));
}
