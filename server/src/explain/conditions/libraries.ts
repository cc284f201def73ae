import { jaxHas } from '../../published/releases/jaxReleases.ts';
import { tensorflowHas, tensorflowReleaseOf } from '../../published/releases/tensorflowReleases.ts';
import { compareVersions } from '../../published/versions.ts';
import { knownValue } from '../../stack/facts/facts.ts';
import { type Condition, shown } from './condition.ts';
import { notPrinted } from './diagnosed.ts';

/** A library with its folder, except in a loader's message that it cannot find or read the library. */
const LYING =
  /(?<![\w.])\/[\w./-]{1,160}\/(lib[a-z]\w*)\.so\.(\d[\d.]*\d|\d)(?![\d.]*['"]?:? ?(?:cannot|undefined|version|file too| is empty))/gi;

/** Places where a text shows copies of the missing library, and whether one has the requested number. */
const lying: Condition = ({ text, parts: { library = '' } }) => {
  const [, stem, number] = library.match(/^(lib\w+)\.so\.(\d[\d.]*)$/) ?? [];
  if (stem === undefined || number === undefined) return undefined;
  const copies = [...text.matchAll(LYING)].filter(([, name]) => name === stem);
  const [first] = copies;
  if (first === undefined) return undefined;
  const same = copies.find(
    ([, , its = '']) => its === number || its.startsWith(`${number}.`) || number.startsWith(`${its}.`),
  );
  return shown(same !== undefined, `the text shows ${(same ?? first)[0]}`);
};

/** TensorFlow's log lines up to 2.12 about opening CUDA libraries; not JAX's, which includes TensorFlow's sources. */
const OLD_LOG =
  /(?<!org_tensorflow\/)\btensorflow\/stream_executor\/\w+|(?<!external\/[^\n]{0,200})Could not load dynamic library/;

/** The same in TensorFlow from 2.15 on. */
const NEW_LOG = /\bexternal\/local_(?:xla|tsl)\/\w+/;

/** Conditions on requested CUDA libraries, and on existing ones, by name. */
export const libraryConditions = {
  /** Old releases of JAX are built for cuDNN 8. */
  'jax-before-cudnn-9': ({ facts }) => {
    const version = facts && knownValue(facts.frameworks.jax)?.version;
    return shown(version !== undefined && !jaxHas('cudnn_9', version));
  },
  /** For a package with a separate page of wheels for each torch release. */
  'of-pyg': ({ text, parts: { distribution } }) => {
    const isSo =
      /^torch-(?:scatter|sparse|cluster)$/.test(distribution ?? '') ||
      /\btorch[_-](?:scatter|sparse|cluster|spline)/.test(text);
    return shown(isSo);
  },
  'wheel-of-other-abi': ({ text, parts: { abi, torchRelease } }) => {
    const named = [...text.matchAll(/cxx11abi(TRUE|FALSE)[\w.-]{0,60}\.whl/g)].find(([, its]) => its !== abi);
    return abi === undefined || named === undefined
      ? undefined
      : shown(
          true,
          `a wheel is of cxx11abi${named[1]}, and PyTorch's wheels of torch ${torchRelease} are of cxx11abi${abi}`,
        );
  },
  /** The text shows the library in a folder that the loader does not search. */
  'library-lies-elsewhere': (situation) => {
    const found = lying(situation);
    return found?.holds ? found : undefined;
  },
  /** The text shows the library only with other version numbers. */
  'library-of-other-number': (situation) => {
    const found = lying(situation);
    return found && !found.holds ? shown(true, found.evidence) : undefined;
  },
  /** Releases without the extra for CUDA's libraries; libraries from before CUDA 11 belong to these releases. */
  'tensorflow-before-extra': ({ text, parts: { tensorflowRelease, libraryCuda } }) => {
    if (tensorflowRelease === undefined) {
      if (NEW_LOG.test(text)) return shown(false);
      return libraryCuda !== undefined || OLD_LOG.test(text) ? shown(true) : undefined;
    }
    return shown(!tensorflowHas('and_cuda', tensorflowRelease));
  },
  'tensorflow-of-conda-and-cuda-12': ({ text }) => shown(NEW_LOG.test(text) && /conda|miniforge|mamba/.test(text)),
  /** Its wheel does not find the NVIDIA wheels of its extra. */
  'tensorflow-misses-wheels': ({ parts: { tensorflowRelease = '' } }) => {
    const release = tensorflowReleaseOf(tensorflowRelease);
    return shown(release?.andCuda === true && !release.findsWheels);
  },
  /** The cuDNN in a text is older than the one TensorFlow was built with, or has another major version. */
  'reported-cudnn-too-old-or-new': (situation) => {
    const { text, parts } = situation;
    const { tensorflowRelease, tensorflowCudnn } = parts;
    const reported = /\bcudnn(?: version)?[:= v]{0,3}(\d{1,2}\.\d[\d.]*)(?!\w)/i.exec(text)?.[1];
    if (reported === undefined || tensorflowCudnn === undefined) return notPrinted(situation);
    const isOther = Number.parseInt(reported, 10) !== Number.parseInt(tensorflowCudnn, 10);
    return isOther || compareVersions(reported, tensorflowCudnn) < 0
      ? shown(
          true,
          `the text names cuDNN ${reported}, and TensorFlow ${tensorflowRelease} is built with ${tensorflowCudnn}`,
        )
      : undefined;
  },
} satisfies Record<string, Condition>;
