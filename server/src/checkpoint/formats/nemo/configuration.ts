import type { Budget } from '../../budget.ts';
import type { Safety } from '../../checkpoint.ts';
import { doubtAboutYaml, plainYamlIn } from '../../encodings/yaml.ts';
import { enumerated } from '../../enumerated.ts';
import { isDangerous } from '../../pickle/dangerous.ts';
import { needsTrust, noCode, notChecked } from '../../verdicts.ts';
import { isKnownClass } from './ownClasses.ts';

/** Keys whose values NeMo, or Hydra on its behalf, imports and calls when it restores a model. */
const IMPORTING_KEYS: readonly string[] = ['target', '_target_', 'cls'];
/** The key with which a tokenizer of transformers runs the code of the repository that it names. */
const TRUSTING = 'trust_remote_code';

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
  const names = namesIn(text, budget);
  if (!names) return notChecked('its configuration could not be read');
  const computed = names.filter((name) => name.includes('${'));
  if (computed.length > 0)
    return suspicious(
      `Its configuration computes the name ${quoted(computed)}, which restoring the model imports and calls.`,
    );
  const dangerous = names.filter(isHarmful);
  if (dangerous.length > 0) {
    const reason = `Its configuration names ${quoted(dangerous)}, which can run code or access files and which restoring the model calls.`;
    return { verdict: 'dangerous', reason };
  }
  if (names.includes(TRUSTING))
    return needsTrust('Its configuration sets `trust_remote_code`: restoring the model runs code of a repository.');
  const foreign = names.filter((name) => !isKnownClass(name));
  if (foreign.length === 0) return noCode('NeMo');
  return needsTrust(`Its configuration names ${quoted(foreign)}, which restoring the model imports and calls.`);
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

/**
 * Returns the names that a configuration makes NeMo import; undefined for other text, and for tags that create other
 * objects.
 */
function namesIn(text: string, budget: Budget): string[] | undefined {
  const document = plainYamlIn(text, budget);
  if (!document) return undefined;
  const names = new Set<string>();
  try {
    const waiting: unknown[] = [document.toJS()];
    // An alias may refer to an enclosing node.
    const seen = new Set<unknown>();
    while (waiting.length > 0) {
      const value = waiting.pop();
      if (typeof value !== 'object' || value === null || seen.has(value)) continue;
      seen.add(value);
      for (const [key, part] of Object.entries(value)) {
        if (IMPORTING_KEYS.includes(key) && typeof part === 'string') names.add(part);
        if (key === TRUSTING && part) names.add(key);
        waiting.push(part);
      }
    }
  } catch {
    return undefined;
  }
  return [...names];
}

const suspicious = (reason: string): Safety => ({ verdict: 'suspicious', reason });

const quoted = (names: readonly string[]) => enumerated(names.slice(0, 5).map((name) => `\`${name}\``));
