import { isJsonObject } from '../../jsonObject.ts';
import { factsFromJson, parsedJson } from '../../stack/facts/factsFromJson.ts';
import type { JsonEntry } from './jsonEntries.ts';
import type { RecordedStack } from './recordedStack.ts';
import { recordStack } from './recordStack.ts';

/** A stack that was read on another machine. */
interface CollectedStack {
  /** The name that its collector gave it. */
  readonly host?: string;
  readonly record?: RecordedStack;
  /** The problem, as a clause that follows its name. */
  readonly trouble?: string;
}

/**
 * Reads the output of `gpu-doctor stack --output-format json`: on its own, as the `stack` of an object that names its `host`, or as
 * the `stdout` in which Ansible stores the output of a command.
 */
export function readCollected({ text, isWhole }: JsonEntry): CollectedStack {
  if (!isWhole) return { trouble: text.startsWith('{') ? 'is cut off' : `is not JSON: ${quoted(text)}` };
  const value = parsedJson(text);
  if (!isJsonObject(value)) return { trouble: 'is not JSON' };
  const host = [value.host, value.hostname, value.name].find((each) => typeof each === 'string' && each !== '');
  const named = typeof host === 'string' ? { host } : {};
  const given = factsFromJson(value);
  if ('trouble' in given) return { ...named, ...given };
  try {
    return { ...named, record: recordStack(given.facts) };
  } catch {
    return { ...named, trouble: 'is not what `gpu-doctor stack --output-format json` prints' };
  }
}

const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
