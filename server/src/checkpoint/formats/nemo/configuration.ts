import { isNameIn } from '../../../published/releases/libraryNames.ts';
import type { Budget } from '../../budget.ts';
import type { Safety } from '../../checkpoint.ts';
import { doubtAboutYaml, plainYamlIn } from '../../encodings/yaml.ts';
import { enumeratedCode } from '../../enumerated.ts';
import { isDangerous } from '../../pickle/dangerous.ts';
import { needsTrust, noCode, notChecked, suspicious } from '../../verdicts.ts';

/** Keys whose values NeMo, or Hydra on its behalf, imports and calls when it restores a model. */
const IMPORTING_KEYS: readonly string[] = ['target', '_target_', 'cls'];
/** Keys with which a part of transformers runs the code of the repository that it names. */
const TRUSTING = /trust_remote_code$/;
/** Text in the form of a class or a function in a module; file names end in small letters. */
const DOTTED = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/;

/**
 * OmegaConf's computed values, whose resolver may itself be computed (`${${a}:b}`), and the resolvers that return only
 * text and numbers.
 */
const RESOLVER = /\$\{\s*(?:([\w.]+)\s*:|[\w.]*(?=\$\{))/g;
const PLAIN_RESOLVERS = /^(now|oc\.env|oc\.select|add|sum|subtract|multiply|div|int_div|divide)$/;

/** Checks a model's YAML configuration for what is imported when the model is restored. */
export function judgeNemoConfiguration(text: string, budget: Budget): Safety {
  if (text.includes('python/')) return suspicious('Its configuration has YAML tags that create Python objects.');
  const doubt = doubtAbout(text);
  if (doubt !== undefined) return notChecked(`its configuration ${doubt}`);
  const read = namesIn(text, budget);
  if (!read) return notChecked('its configuration could not be read');
  const { names, trusting, unknown } = read;
  const computed = names.filter((name) => name.includes('${'));
  if (computed.length > 0)
    return suspicious(
      `Its configuration computes the name ${enumeratedCode(computed)}, which restoring the model imports and calls.`,
    );
  const dangerous = names.filter(isHarmful);
  if (dangerous.length > 0) {
    const reason = `Its configuration names ${enumeratedCode(dangerous)}, which can run code or access files and which restoring the model calls.`;
    return { verdict: 'dangerous', reason };
  }
  if (trusting)
    return needsTrust(`Its configuration sets \`${trusting}\`: restoring the model runs code of a repository.`);
  const foreign = names.filter((name) => !isKnownClass(name));
  if (foreign.length === 0)
    return unknown.length === 0
      ? noCode('NeMo')
      : notChecked(`its configuration names ${enumeratedCode(unknown)}, and GPU Doctor does not know what uses it`);
  return needsTrust(`Its configuration names ${enumeratedCode(foreign)}, which restoring the model imports and calls.`);
}

/** Returns why PyYAML may read YAML text differently, as a clause. */
function doubtAbout(text: string): string | undefined {
  const unlike = doubtAboutYaml(text);
  if (unlike !== undefined) return unlike;
  const resolver = [...text.matchAll(RESOLVER)]
    .map(([whole, name = whole]) => name)
    .find((name) => !PLAIN_RESOLVERS.test(name));
  return resolver === undefined ? undefined : `computes values with \`${resolver}\`, which is not checked`;
}

/**
 * True for a harmful name. Since a dotted name does not show where the module ends, each part could lead to another
 * module.
 */
function isHarmful(name: string): boolean {
  const [module = '', ...rest] = name.split('.');
  return isDangerous(module, rest.join('.'));
}

interface Names {
  /** The names that NeMo imports. */
  readonly names: readonly string[];
  /** A key that is set and with which a repository's code runs. */
  readonly trusting: string | undefined;
  /** Names under keys that no known release imports. */
  readonly unknown: readonly string[];
}

/** Returns the names in a configuration; undefined for other text, and for tags that create other objects. */
function namesIn(text: string, budget: Budget): Names | undefined {
  const document = plainYamlIn(text, budget);
  if (!document) return undefined;
  const names = new Set<string>();
  const unknown = new Set<string>();
  let trusting: string | undefined;
  let root: unknown;
  try {
    root = document.toJS();
  } catch {
    // Aliases that lead nowhere, or that would repeat too much.
    return undefined;
  }
  const waiting = [root];
  // An alias may refer to an enclosing node.
  const seen = new Set<unknown>();
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [key, part] of Object.entries(value)) {
      if (TRUSTING.test(key) && part) trusting = key;
      if (typeof part !== 'string') waiting.push(part);
      else if (IMPORTING_KEYS.includes(key)) names.add(part);
      else if (DOTTED.test(part) && !isKnownClass(part) && (isHarmful(part) || /\.[A-Z]\w*$/.test(part)))
        unknown.add(part);
    }
  }
  return { names: [...names], trusting, unknown: [...unknown] };
}

/** PyTorch modules with layers, losses, optimizers and schedules. */
const TORCH_MODULE =
  /^torch\.(nn|nn\.modules\.(activation|adaptive|batchnorm|container|conv|distance|dropout|flatten|fold|instancenorm|linear|loss|normalization|padding|pixelshuffle|pooling|rnn|sparse|transformer|upsampling)|optim|optim\.(adadelta|adagrad|adam|adamax|adamw|asgd|lbfgs|lr_scheduler|nadam|radam|rmsprop|rprop|sgd|sparse_adam|swa_utils))\.[A-Z]\w*$/;

/**
 * True for a class of NeMo or PyTorch. NeMo resolves a name attribute by attribute, and every module has the modules that
 * it imports as attributes, so each part must be a known module name.
 */
function isKnownClass(name: string): boolean {
  if (TORCH_MODULE.test(name)) return true;
  // Older versions keep parts of speech synthesis in a folder named `torch`.
  const [root, area, ...rest] = name.replace(/^(nemo\.collections\.tts)\.torch\./, '$1.').split('.');
  const className = rest.pop() ?? '';
  const isPlaced =
    root === 'nemo' && (area === 'collections' || area === 'core') && rest.every((part) => isNameIn('nemo', part));
  return isPlaced && /^[A-Z]\w*$/.test(className);
}
