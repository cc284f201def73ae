import { type Document, isNode, parseDocument, visit } from 'yaml';
import type { Budget } from '../../budget.ts';
import type { Safety } from '../../checkpoint.ts';
import { enumerated } from '../../enumerated.ts';
import { isDangerous } from '../../pickle/dangerous.ts';
import { needsTrust, noCode, notChecked } from '../../verdicts.ts';
import { isOwnClass } from './ownClasses.ts';
import { isParsable } from './yamlSize.ts';

/** The keys of what NeMo, and Hydra for it, imports by its name and calls as a model is restored. */
const NAMING: readonly string[] = ['target', '_target_', 'cls'];

/** What breaks lines for PyYAML alone, ends a text, or is no character of one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const UNLIKE_YAML = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffd-\uffff]|\r(?!\n)/;

/** Directives, which give tags another meaning. */
const DIRECTIVE = /^%/m;

/** Tags of plain values. */
const PLAIN_TAG = /^tag:yaml\.org,2002:(str|int|float|bool|null|seq|map)$/;

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
  if (UNLIKE_YAML.test(text)) return 'has characters that YAML libraries read in different ways';
  if (DIRECTIVE.test(text)) return 'has directives of YAML, which are not looked into';
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
  if (!isParsable(text, budget)) return undefined;
  const document = parseDocument(text, { logLevel: 'error' });
  if (document.errors.length > 0 || hasTags(document)) return undefined;
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

function hasTags(document: Document): boolean {
  let found = false;
  visit(document, {
    Node(_, node) {
      if (!isNode(node) || !('tag' in node) || node.tag === undefined || PLAIN_TAG.test(node.tag)) return undefined;
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

const suspicious = (reason: string): Safety => ({ verdict: 'suspicious', reason });

const quoted = (names: readonly string[]) => enumerated(names.slice(0, 5).map((name) => `\`${name}\``));
