import { STACK_FACTS_VERSION, type StackFacts } from '../facts/facts.ts';
import type { JsonEntry } from './jsonEntries.ts';
import type { RecordedStack } from './recordedStack.ts';
import { recordStack } from './recordStack.ts';

/** A stack that was read out elsewhere. */
export interface CollectedStack {
  /** The name that its collector gave it. */
  readonly host?: string;
  readonly record?: RecordedStack;
  /** What is wrong with it, as a clause that follows its name. */
  readonly trouble?: string;
}

/**
 * Reads what `gpu-doctor stack --json` has printed, by itself, as the `stack` of an object that names its `host`, or as
 * the `stdout` in which Ansible keeps what a command printed.
 */
export function readCollected({ text, isWhole }: JsonEntry): CollectedStack {
  if (!isWhole) return { trouble: text.startsWith('{') ? 'is cut off' : `is not JSON: ${quoted(text)}` };
  const value = parsed(text);
  if (!isObject(value)) return { trouble: 'is not JSON' };
  const host = [value.host, value.hostname, value.name].find((each) => typeof each === 'string' && each !== '');
  const named = typeof host === 'string' ? { host } : {};
  const inner = value.stack ?? value.stdout ?? value;
  const facts = typeof inner === 'string' ? parsed(inner) : inner;
  if (!isObject(facts) || typeof facts.version !== 'number' || !('frameworks' in facts || 'gpus' in facts))
    return { ...named, trouble: 'is not what `gpu-doctor stack --json` prints' };
  if (facts.version !== STACK_FACTS_VERSION)
    return {
      ...named,
      trouble: `has format ${facts.version}, of another version of GPU Doctor; this one reads format ${STACK_FACTS_VERSION}`,
    };
  try {
    return { ...named, record: recordStack(facts as unknown as StackFacts) };
  } catch {
    return { ...named, trouble: 'is not what `gpu-doctor stack --json` prints' };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
