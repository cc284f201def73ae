import { printedSigns } from '../../pasted/printedSigns.ts';
import { compareVersions } from '../../published/versions.ts';
import { knownValue } from '../../stack/facts/facts.ts';
import { type Condition, shown } from './condition.ts';
import { onJetson } from './system.ts';

/** Based on a version or a name in a message. */
function onPart(name: string, isSo: (part: string) => boolean): Condition {
  return ({ parts: { [name]: part } }) => (part === undefined ? undefined : shown(isSo(part)));
}

/** Programs' messages about a library that they could not load; other libraries in a text exist, or were only tried. */
const NOT_LOADED = /(?:Could not load library|Unable to load any of|Could not locate)[^\n]{0,200}/;

/** True if a library in the text has a major version; the missing one takes precedence over others. */
function names(library: RegExp, major: string): Condition {
  return ({ text }) => {
    const [said, linux, windows] = library.exec(NOT_LOADED.exec(text)?.[0] ?? '') ?? library.exec(text) ?? [];
    return said === undefined ? undefined : shown((linux ?? windows) === major);
  };
}

/** TensorFlow's messages about the loaded kernel module and the opened libcuda, and the kernel's own message. */
const VERSIONS =
  /kernel version (?<module>\d[\d.]*\d)\S* does not match DSO version (?<library>\d[\d.]*\d)|client has the version (?<client>\d[\d.]*\d), but[\s\S]{0,24}?this kernel module has the version (?<loaded>\d[\d.]*\d)/;

/** Based on the opened libcuda and the kernel module. */
function onLibcuda(isSo: (library: string, module: string) => boolean): Condition {
  return ({ text }) => {
    const found = VERSIONS.exec(text)?.groups ?? {};
    const { module = found.loaded, library = found.client } = found;
    if (module === undefined || library === undefined) return undefined;
    return shown(
      isSo(library, module),
      `according to the message, libcuda is version ${library}, and the kernel module is version ${module}`,
    );
  };
}

/** Based on the minor version of the Python 3 that runs, or that the text's folders or requirements show. */
function onPython(isSo: (minor: number) => boolean): Condition {
  return ({ facts, text }) => {
    const known =
      (facts && knownValue(facts.interpreter)?.version) ??
      printedSigns(text).python ??
      /\bpython={1,2}(3\.\d{1,2})\b/.exec(text)?.[1];
    const minor = known?.match(/^3\.(\d+)/)?.[1];
    return shown(minor !== undefined && isSo(Number(minor)));
  };
}

const beforePython39 = onPython((minor) => minor < 9);

/** Conditions on numbers in a message, by name. */
export const textConditions = {
  'on-python-before-3-9': beforePython39,
  /** Current PyTorch indexes have nothing for a Jetson or for a Python this old. */
  'without-newest-builds': (situation) => (onJetson(situation)?.holds ? onJetson : beforePython39)(situation),
  'asks-for-cudnn-8': names(/libcudnn\w*\.so\.(\d)|cudnn\w*64_(\d)/, '8'),
  'asks-for-tensorrt-8': names(/libnvinfer\w*\.so\.(\d+)|nvinfer\w*_(\d+)\.dll/, '8'),
  'asks-for-cuda-11': names(/lib(?:cublas|cublasLt|cudart)\.so\.(\d+)|cublas(?:Lt)?64_(\d+)/, '11'),
  /** A library from before CUDA 11 has the minor version in its name, and its cuDNN is version 7 or older. */
  'library-before-cuda-11': onPart('library', (library) =>
    /\.so\.(?:[789]|10)\.\d|libcudnn\.so\.[4-7]\b|64_(?:[5-7]|80|9[0-2]|10[0-2]?)\.dll/.test(library),
  ),
  'driver-runs-cuda-11': onPart('driverCuda', (cuda) => Number.parseInt(cuda, 10) === 11),
  'driver-runs-cuda-12': onPart('driverCuda', (cuda) => Number.parseInt(cuda, 10) >= 12),
  /** TensorFlow and JAX for CUDA 12, which load cuDNN from wheels, are built with cuDNN 8.8 and newer. */
  'cudnn-of-wheels': onPart('builtCudnn', (cudnn) => compareVersions(cudnn, '8.8') >= 0),
  'libcuda-older-than-module': onLibcuda((library, module) => compareVersions(library, module) < 0),
  /** A driver update, without `cuda-compat`, which has its own branch. */
  'libcuda-of-same-branch': onLibcuda((library, module) => library.split('.')[0] === module.split('.')[0]),
  /** A frame or a line of the traceback. */
  'reads-a-model': ({ text }) => {
    const sign =
      /\bin (?:\w*deserializ\w*|from_config|load_model|model_from_\w+)\b|\b(?:deserialize\w*|load_model|from_config|model_from_\w+)\(|\bdeserializing class\b/.exec(
        text,
      )?.[0];
    return shown(sign !== undefined, `the text names ${sign}`);
  },
  'cudnn-is-newer': ({ parts: { builtCudnn, foundCudnn } }) =>
    builtCudnn === undefined || foundCudnn === undefined
      ? undefined
      : shown(compareVersions(foundCudnn, builtCudnn) > 0),
  /** Between DataParallel's replicas; before torch 1.8 messages name GPUs only by number. */
  'differs-between-replicas': ({ text, message = '' }) => {
    const [gpus] = /cuda:(\d+)\b[^\n]{1,60}cuda:(?!\1\b)\d+/.exec(message) ?? [];
    const [numbers] = /device \d+ does not equal \d+/.exec(text) ?? [];
    const [replicas] = /\bDataParallel\(|data_parallel\.py|replica \d+ on device/i.exec(text) ?? [];
    const differing = gpus ?? numbers;
    if (differing === undefined) return shown(false);
    if (replicas !== undefined) return shown(true, `the text names ${replicas} and "${differing}"`);
    return numbers === undefined ? shown(false) : undefined;
  },
  'names-keras-file': onPart('path', (path) => /\.(?:h5|hdf5|keras)$/.test(path)),
  /** The GPUs of hosted notebooks are NVIDIA GPUs, whatever machine runs the browser. */
  'on-notebook-service': ({ text, facts }) => {
    const service = printedSigns(text).container ?? (facts && knownValue(facts.container));
    return shown(service === 'Google Colab' || service === 'Kaggle', `the program runs on ${service}`);
  },
} satisfies Record<string, Condition>;
