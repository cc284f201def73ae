import { compare } from '@renovatebot/pep440';
import { distributionOf, packageOfModule } from '../../published/knownPackages.ts';
import { historyOf, type NameHistory } from '../../published/releases/packageNames.ts';
import { packageVersion } from '../../stack/facts/installed.ts';
import { type Condition, type ShownFact, type Situation, shown } from './condition.ts';

type Parts = Situation['parts'];

/**
 * The public name of an internal module: Keras 3.3 to 3.9 has "keras.api.layers", TensorFlow
 * "tensorflow._api.v2.config", and its Keras 2 "keras.api._v2.keras.layers".
 */
function publicName(module: string): string {
  return module
    .replace(/^tensorflow(?:_core)?\.(?:_api\.v2\.)?/, 'tensorflow.')
    .replace(/^(?:tensorflow\.python\.)?keras\.api\._v2\./, 'tensorflow.')
    .replace(/^keras\.api\.(?!_)/, 'keras.');
}

/** The module from which a message requests a name. */
function moduleIn({ package: root, module = root }: Parts): string | undefined {
  return module === undefined ? undefined : publicName(module);
}

/** Based on the name that a message requests from a package. */
function historyIn(parts: Parts): NameHistory | undefined {
  const module = moduleIn(parts);
  return module === undefined || parts.name === undefined ? undefined : historyOf(module, parts.name);
}

/** The package from which a message requests a name. */
function packageIn(parts: Parts): string | undefined {
  return parts.package ?? moduleIn(parts)?.split('.')[0];
}

/** The package from which a message requests a name, its distribution name, and its releases, for placeholders. */
export function historyParts(parts: Parts): Readonly<Record<string, string>> {
  const { came, left } = historyIn(parts) ?? {};
  const [root] = (packageIn(parts) ?? '').split('.');
  return {
    ...(root && parts.name !== undefined && { package: root, ...distributionParts(root) }),
    ...(came !== undefined && { came }),
    ...(left !== undefined && { left }),
  };
}

/** Each release is built for one torch release, which pip installs from PyPI, regardless of the installed build. */
const OF_ONE_TORCH = /^torch(?:audio|vision)$/;

function distributionParts(module: string): Parts {
  const distribution = distributionOf(module) ?? (packageOfModule(module)?.framework ? module : undefined);
  return distribution === undefined
    ? {}
    : { packageName: distribution, ...(OF_ONE_TORCH.test(module) && { ofOneTorch: module }) };
}

function onHistory(look: (history: NameHistory, release: string | undefined, subject: string) => ShownFact): Condition {
  return ({ parts, facts }) => {
    const subject = packageIn(parts);
    if (subject === undefined) return undefined;
    return look(historyIn(parts) ?? {}, packageVersion(facts, subject), subject);
  };
}

/** Based on the release that removed a name, within a range. */
function leftWithin(from: string, below: string): Condition {
  return ({ parts }) => {
    const { left } = historyIn(parts) ?? {};
    if (left === undefined) return shown(false);
    const isSo = compare(left, from) >= 0 && compare(left, below) < 0;
    return shown(isSo, `${parts.package} no longer has it from ${left} on (the wheels of ${parts.package})`);
  };
}

/** A frame inside a package; frames of Keras and TensorFlow belong to the callee. */
const FRAME = /(?:site|dist)-packages[\\/](?!(?:keras|tensorflow|tensorflow_core|tf_keras)[\\/])(?<module>\w+)[\\/]/g;

/**
 * The last frame in a package before the message, or else a known package that the code imports: `asker` is its module,
 * and `askerPackage` is its distribution name, if known.
 */
export function askerParts(parts: Parts, text: string, end: number): Parts {
  const [asked] = (parts.package ?? parts.module ?? '').split('.');
  const frames = [...text.matchAll(FRAME)].filter(({ groups }) => groups?.module !== asked);
  const frame = frames.findLast(({ index }) => index < end) ?? frames.at(-1);
  const imported = [...text.matchAll(/(?:from|import) (\w+)/g)].map(([, module = '']) => module);
  const asker =
    frame?.groups?.module ??
    imported.find(
      (module) => module !== asked && !packageOfModule(module)?.foundation && distributionOf(module) !== undefined,
    );
  const askerPackage = asker === undefined ? undefined : distributionOf(asker);
  return { ...(asker !== undefined && { asker }), ...(askerPackage !== undefined && { askerPackage }) };
}

/** The distribution names of the two incompatible packages, if known: those to install `together`. */
export function togetherParts({ askerPackage, packageName, ofOneTorch }: Parts): Parts {
  const [together, togetherToo] = [askerPackage, ofOneTorch ? undefined : packageName].filter(
    (each) => each !== undefined,
  );
  return { ...(together !== undefined && { together }), ...(togetherToo !== undefined && { togetherToo }) };
}

/** Conditions on the name that a message requests from a package. */
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
      `${subject} no longer has it from ${left} on${have} (the wheels of ${subject})`,
    );
  }),
  'left-with-keras-2-4': leftWithin('0', '2.5'),
  'left-before-keras-3': leftWithin('2.5', '3'),
  'left-with-keras-3': leftWithin('3', '4'),
  'asked-by-package': ({ parts: { asker } }) => shown(asker !== undefined),
  'asked-by-known-package': ({ parts: { asker, askerPackage } }) => shown(askerPackage !== undefined, `${asker} asks`),
} satisfies Record<string, Condition>;
