import type { Budget } from '../../budget.ts';
import type { Safety } from '../../checkpoint.ts';
import { doubtAboutYaml, plainYamlIn } from '../../encodings/yaml.ts';
import { enumerated } from '../../enumerated.ts';
import { isDangerous } from '../../pickle/dangerous.ts';
import { needsTrust, noCode, notChecked } from '../../verdicts.ts';
import { isOwnClass } from './ownClasses.ts';

/** The keys of what NeMo, and Hydra for it, imports by its name and calls as a model is restored. */
const NAMING: readonly string[] = ['target', '_target_', 'cls'];

/** What OmegaConf computes as it reads a value, and the functions for that which give texts and numbers. */
const RESOLVED = /\$\{\s*([\w.]+)\s*:/g;
const PLAIN_RESOLVERS = /^(now|oc\.env|oc\.select|add|sum|subtract|multiply|div|int_div|divide)$/;

/** Judges a model's configuration, as YAML, by what restoring the model imports. */
export function judgeConfiguration(text: string, budget: Budget): Safety {
  if (text.includes('python/')) return suspicious('Its configuration has tags by which YAML makes objects of Python.');
  const doubt = doubtAbout(text);
  if (doubt !== undefined) return notChecked(`its configuration ${doubt}`);
  const names = namesIn(text, budget);
  if (!names) return notChecked('its configuration could not be read');
  const computed = names.filter((name) => name.includes('${'));
  if (computed.length > 0)
    return suspicious(
      `Its configuration puts together the name ${quoted(computed)}, which restoring it imports and calls.`,
    );
  const dangerous = names.filter(isHarmful);
  if (dangerous.length > 0) {
    const reason = `Its configuration names ${quoted(dangerous)}, which can run code or reach files: restoring it calls that.`;
    return { verdict: 'dangerous', reason };
  }
  const foreign = names.filter((name) => !isOwnClass(name));
  if (foreign.length === 0) return noCode('NeMo');
  return needsTrust(`Its configuration names ${quoted(foreign)}, which restoring it imports and calls.`);
}

/** Why PyYAML may read something else than what is read here, as a clause. */
function doubtAbout(text: string): string | undefined {
  const unlike = doubtAboutYaml(text);
  if (unlike !== undefined) return unlike;
  const resolver = [...text.matchAll(RESOLVED)]
    .map(([, name = '']) => name)
    .find((name) => !PLAIN_RESOLVERS.test(name));
  return resolver === undefined ? undefined : `computes values by \`${resolver}\`, which is not looked into`;
}

/** Of dotted names it is not told where the module ends: each part could lead to another module. */
function isHarmful(name: string): boolean {
  const [module = '', ...rest] = name.split('.');
  return isDangerous(module, rest.join('.'));
}

/** What a configuration has imported by name; undefined where it is no YAML, or has tags by which YAML makes other objects. */
function namesIn(text: string, budget: Budget): string[] | undefined {
  const document = plainYamlIn(text, budget);
  if (!document) return undefined;
  const names = new Set<string>();
  try {
    const waiting: unknown[] = [document.toJS()];
    // An alias may lead back to what it is in.
    const seen = new Set<unknown>();
    while (waiting.length > 0) {
      const value = waiting.pop();
      if (typeof value !== 'object' || value === null || seen.has(value)) continue;
      seen.add(value);
      for (const [key, part] of Object.entries(value)) {
        if (NAMING.includes(key) && typeof part === 'string') names.add(part);
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
