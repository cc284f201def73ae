import { isJsonObject } from '../../jsonObject.ts';
import type { Budget } from '../budget.ts';
import type { Bytes } from '../bytes.ts';
import type { Checkpoint, PickledImport, Safety } from '../checkpoint.ts';
import { withSafety } from '../doubts.ts';
import { jsonInFile } from '../encodings/json.ts';
import { enumeratedCode } from '../enumerated.ts';
import { isDangerous } from '../pickle/dangerous.ts';
import { unreadCheckpoint } from '../unreadCheckpoint.ts';
import { needsTrust, runsCode } from '../verdicts.ts';
import { judgeKerasConfiguration } from './keras/configuration.ts';

/** Reads JSON text, which is not a checkpoint but may be a program for a library that loads JSON. */
export async function readJson(bytes: Bytes, budget: Budget): Promise<Checkpoint> {
  const checkpoint = unreadCheckpoint('json', bytes.size, 'It is JSON text, not a checkpoint.');
  const found = programIn(await jsonInFile(bytes, budget));
  return found ? withSafety(checkpoint, [found.safety], found.imports) : checkpoint;
}

interface Program {
  readonly safety: Safety;
  readonly imports: readonly PickledImport[];
}

/**
 * Returns the code that a loader would run for JSON text, regardless of the file's name and other content; undefined
 * for plain data.
 */
export function programIn(json: unknown): Program | undefined {
  /** Types that jsonpickle imports, and targets that Hydra and libraries built on it import and call. */
  const [jsonpickle, hydra] = [new Set<string>(), new Set<string>()];
  let evaluated: string | undefined;
  const waiting: unknown[] = [json];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string' && /^\$.*\(/.test(value)) evaluated = value;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, part] of Object.entries(value)) {
      if (key.startsWith('py/')) jsonpickle.add(typeof part === 'string' ? part : key);
      if (key === '_target_') hydra.add(typeof part === 'string' ? part : key);
      waiting.push(part);
    }
  }
  if (jsonpickle.size > 0) return { imports: [], safety: called('`jsonpickle.decode`', [...jsonpickle]) };
  if (hydra.size > 0) return { imports: [], safety: called('`hydra.utils.instantiate`', [...hydra]) };
  if (evaluated !== undefined)
    return { imports: [], safety: needsTrust(`MONAI evaluates \`${evaluated.slice(0, 60)}\` in it as Python.`) };
  // The form of `model_from_json`.
  if (!isJsonObject(json) || typeof json.config !== 'object') return undefined;
  if (typeof json.class_name !== 'string' && typeof json.registered_name !== 'string') return undefined;
  const judged = judgeKerasConfiguration(json, 'json');
  return runsCode(judged.safety) ? judged : undefined;
}

function called(loader: string, names: readonly string[]): Safety {
  const dangerous = names.filter((name) => {
    const [module = '', ...rest] = name.split('.');
    return isDangerous(module, rest.join('.'));
  });
  if (dangerous.length === 0)
    return needsTrust(`${loader} imports and calls ${enumeratedCode(names)}, which it names.`);
  return {
    verdict: 'dangerous',
    reason: `${loader} imports and calls ${enumeratedCode(dangerous)}, which it names and which can run code or access files.`,
  };
}
