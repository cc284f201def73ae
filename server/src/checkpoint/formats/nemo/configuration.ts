import { parse } from 'yaml';
import type { Budget } from '../../budget.ts';
import type { Safety } from '../../checkpoint.ts';
import { enumerated } from '../../enumerated.ts';
import { isDangerous } from '../../pickle/dangerous.ts';
import { noCode, notChecked } from '../../verdicts.ts';

/** The keys of what NeMo, and Hydra for it, imports by its name and calls as a model is restored. */
const NAMING: readonly string[] = ['target', '_target_', 'cls'];

/** What YAML's parser makes of a letter. */
const BYTES_A_LETTER = 40;

/** Classes of models and of their parts. */
const OWN = /^(nemo\.(collections|core)|torch\.(nn|optim))\.([\w-]+\.)*[A-Z]\w*$/;

/** Judges a model's configuration, as YAML, by what restoring the model imports. */
export function judgeConfiguration(text: string, budget: Budget): Safety {
  if (text.includes('python/')) return suspicious('Its configuration has tags by which YAML makes objects of Python.');
  const names = namesIn(text, budget);
  if (!names) return notChecked('its configuration could not be read');
  const dangerous = names.filter(isHarmful);
  if (dangerous.length > 0) {
    const reason = `Its configuration names ${quoted(dangerous)}, which can run code or reach files: restoring it calls that.`;
    return { verdict: 'dangerous', reason };
  }
  const foreign = names.filter((name) => !OWN.test(name));
  if (foreign.length === 0) return noCode('NeMo');
  return suspicious(`Its configuration names ${quoted(foreign)}, which restoring it imports and calls.`);
}

/** Of dotted names it is not told where the module ends: each part could lead to another module. */
function isHarmful(name: string): boolean {
  const [module = '', ...rest] = name.split('.');
  return isDangerous(module, rest.join('.'));
}

function namesIn(text: string, budget: Budget): string[] | undefined {
  budget.hold(text.length * BYTES_A_LETTER);
  const names = new Set<string>();
  try {
    const waiting: unknown[] = [parse(text, { logLevel: 'error' })];
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
