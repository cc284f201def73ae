import { compare } from '@renovatebot/pep440';
import { packageVersion } from '../../stack/facts/installed.ts';
import { historyOf, type NameHistory } from '../../stack/releases/packageNames.ts';
import { type Condition, type Shown, type Situation, shown } from './condition.ts';

type Parts = Situation['parts'];

/** Of the name that a message asks a package for. Keras 3.3 to 3.9 calls its public modules "keras.api". */
function historyIn({ package: root, module = root, name }: Parts): NameHistory | undefined {
  return module === undefined || name === undefined
    ? undefined
    : historyOf(module.replace(/^keras\.api\.(?!_)/, 'keras.'), name);
}

/** The package that a message asks for a name, and its releases, for what sentences are filled with. */
export function historyParts(parts: Parts): Readonly<Record<string, string>> {
  const { came, left } = historyIn(parts) ?? {};
  const [root] = (parts.package ?? parts.module ?? '').split('.');
  return {
    ...(root && parts.name !== undefined && { package: root }),
    ...(came !== undefined && { came }),
    ...(left !== undefined && { left }),
  };
}

function onHistory(look: (history: NameHistory, release: string | undefined, subject: string) => Shown): Condition {
  return ({ parts, facts }) => {
    const subject = parts.package ?? parts.module?.split('.')[0];
    if (subject === undefined) return undefined;
    return look(historyIn(parts) ?? {}, packageVersion(facts, subject), subject);
  };
}

/** On the release with which a name left, from one on and up to another. */
function leftWithin(from: string, below: string): Condition {
  return ({ parts }) => {
    const { left } = historyIn(parts) ?? {};
    if (left === undefined) return shown(false, 'no release is known that has lost it');
    const isSo = compare(left, from) >= 0 && compare(left, below) < 0;
    return shown(isSo, `${parts.package} has it no more from ${left} on (the wheels of ${parts.package})`);
  };
}

/** A frame within a package that is not the one that is asked. */
const ASKING = /(?:site|dist)-packages[\\/](?!(?:keras|tensorflow|tensorflow_core|tf_keras)[\\/])(?<module>\w+)[\\/]/;

/** Packages that are installed under the name of their module, and what the others are called. */
const SAME_NAME =
  /^(?:tf_(?:slim|agents|keras_vis|explain)|tfjs_graph_converter|tensorflowjs|tensorflow_(?:hub|addons|text|probability|datasets|model_optimization|federated|recommenders|decision_forests|io)|keras_(?:cv|nlp|hub|tuner|bert|applications|preprocessing)|transformers|deepface|autokeras|spektral|shap|tf2onnx|segmentation_models|efficientnet|bert4keras|stellargraph|scikeras|gpflow|imgaug|pytorch_lightning|fastai|ultralytics|detectron2|torchmetrics)$/;
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['classification_models', 'image-classifiers'],
  ['kerastuner', 'keras-tuner'],
  ['official', 'tf-models-official'],
  ['retinaface', 'retina-face'],
  ['rl', 'keras-rl2'],
  ['tcn', 'keras-tcn'],
  ['vis', 'keras-vis'],
]);

function packageOf(module: string): string | undefined {
  return OTHER_NAMES.get(module) ?? (SAME_NAME.test(module) ? module.replaceAll('_', '-') : undefined);
}

/**
 * Of the last frame within a package, or of a known one that the code imports, `asker`, its module, and `askerPackage`,
 * what pip calls it where that is known: a guess could name a stranger's package.
 */
export function askerParts(text: string): Readonly<Record<string, string>> {
  const frame = [...text.matchAll(new RegExp(ASKING, 'g'))].at(-1)?.groups?.module;
  const imported = [...text.matchAll(/(?:from|import) (\w+)/g)].map(([, module = '']) => module);
  const asker = frame ?? imported.find((module) => packageOf(module) !== undefined);
  const askerPackage = asker === undefined ? undefined : packageOf(asker);
  return { ...(asker !== undefined && { asker }), ...(askerPackage !== undefined && { askerPackage }) };
}

/** Conditions on the name that a message asks a package for. */
export const nameConditions = {
  'name-came-later': onHistory(({ came, left }, release, subject) => {
    const isOlder = release === undefined ? left === undefined : came !== undefined && compare(release, came) < 0;
    const have = release === undefined ? '' : `, and ${release} is installed`;
    return shown(
      came !== undefined && isOlder,
      `the releases of ${subject} have it from ${came ?? 'the first'} on${have} (the wheels of ${subject})`,
    );
  }),
  'name-was-removed': onHistory(({ left }, release, subject) => {
    const isNewer = release === undefined || (left !== undefined && compare(release, left) >= 0);
    const have = release === undefined ? '' : `, and ${release} is installed`;
    return shown(
      left !== undefined && isNewer,
      left === undefined
        ? `the newest release of ${subject} still has it${have} (the wheels of ${subject})`
        : `${subject} has it no more from ${left} on${have} (the wheels of ${subject})`,
    );
  }),
  'left-with-keras-2-4': leftWithin('0', '2.5'),
  'left-before-keras-3': leftWithin('2.5', '3'),
  'left-with-keras-3': leftWithin('3', '4'),
  'asked-by-package': ({ parts: { asker } }) =>
    shown(asker !== undefined, asker === undefined ? 'no frame is in a package' : `${asker} asks`),
  'asked-by-known-package': ({ parts: { asker, askerPackage } }) =>
    shown(askerPackage !== undefined, askerPackage === undefined ? '' : `${asker} asks`),
} satisfies Record<string, Condition>;
