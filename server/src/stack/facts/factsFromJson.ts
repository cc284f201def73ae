import { readData } from '../../dataFiles.ts';
import { withOneLineTexts } from '../../printable.ts';
import { STACK_FACTS_VERSION, type StackFacts, type Unknown } from './facts.ts';
import { nothingYet } from './nothingYet.ts';
import { olderFact } from './olderFact.ts';
import { mismatchOf, type Schema } from './schemaMismatch.ts';

/** The facts, or the problem with the text, as a clause that follows its name. */
export type FactsFromJson = { readonly facts: StackFacts } | { readonly trouble: string };

const NOT_OURS = { trouble: 'is not what `gpu-doctor stack --output-format json` prints' };

/**
 * Parses facts printed by `gpu-doctor stack --output-format json` on any machine: on their own, or as the `stack` or the `stdout` of
 * an enclosing object. Facts that an older version did not know are unknown.
 */
export function factsFromJson(value: unknown): FactsFromJson {
  const inner = isObject(value) ? (value.stack ?? value.stdout ?? value) : value;
  const given = withOneLineTexts(typeof inner === 'string' ? parsedJson(inner) : inner);
  if (!isObject(given) || typeof given.version !== 'number' || !(isObject(given.frameworks) && isObject(given.gpus)))
    return NOT_OURS;
  if (given.version !== STACK_FACTS_VERSION)
    return {
      trouble: `has format ${given.version}, of another version of GPU Doctor; this one reads format ${STACK_FACTS_VERSION}`,
    };
  const { version: _, frameworks, loadedCudnn, runtime, ...others } = nothingYet();
  const schema = factsSchema();
  const facts: StackFacts = {
    version: STACK_FACTS_VERSION,
    ...filled(others, given, schema),
    frameworks: filled(frameworks, given.frameworks, schema.properties?.frameworks),
    loadedCudnn: filled(loadedCudnn, given.loadedCudnn, schema.properties?.loadedCudnn),
    runtime: filled(runtime, given.runtime, schema.properties?.runtime),
  };
  const trouble = mismatchOf(facts, schema);
  return trouble === undefined
    ? { facts }
    : { trouble: `${trouble}: it is not what \`gpu-doctor stack --output-format json\` prints` };
}

let schema: Schema | undefined;

/** Generated from the type `StackFacts`. */
function factsSchema(): Schema {
  schema ??= readData<Schema>(import.meta.dirname, 'factsSchema');
  return schema;
}

/** Returns facts of which only the given ones are kept; the others are unknown. */
function filled<T extends object>(names: T, given: unknown, schema: Schema | undefined): T {
  const facts = Object.keys(names).map((name) => {
    const fact = isObject(given) ? given[name] : undefined;
    return [name, isFact(fact) ? olderFact(fact, schema?.properties?.[name], NOT_RECORDED) : NOT_RECORDED];
  });
  return Object.fromEntries(facts) as T;
}

const NOT_RECORDED: Unknown = {
  source: 'the record',
  readAt: '1970-01-01T00:00:00.000Z',
  cause: 'notAsked',
  unknown: 'not in this record',
};

/** A fact that was pending when it was printed is unknown. */
function isFact(value: unknown): value is object {
  return isObject(value) && ('value' in value || typeof value.unknown === 'string');
}

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
