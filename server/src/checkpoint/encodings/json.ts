import type { Budget } from '../budget.ts';
import type { Bytes } from '../bytes.ts';
import type { Archive } from './zip.ts';

/** Bytes of the longest text that is parsed, enough to describe 150,000 tensors. */
export const LONGEST_JSON = 16 * 1024 * 1024;
/** Deepest nesting that is parsed; JavaScript's parser takes kilobytes per level. */
const DEEPEST = 1000;

/** Cost of parsing and walking through JSON text: per text, per container and per value. */
const TEXT_STEPS = 500;
const CONTAINER = { steps: 150, bytes: 224 };
const VALUE = { steps: 20, bytes: 64 };

/**
 * Parses JSON. Undefined for anything else, and for text that is too long or too deeply nested for a checkpoint.
 * @throws BudgetExhausted
 */
export function parsedCheckpointJson(text: Buffer, budget: Budget): unknown {
  if (text.length > LONGEST_JSON) return undefined;
  budget.spend(TEXT_STEPS);
  budget.hold(2 * text.length);
  const { deepest, containers, values } = shapeOf(text);
  if (deepest > DEEPEST) return undefined;
  budget.spend(text.length + containers * CONTAINER.steps + values * VALUE.steps);
  budget.hold(containers * CONTAINER.bytes + values * VALUE.bytes);
  const json = text.toString('utf8');
  return parsed(json) ?? parsed(json.replace(PYTHON_NUMBERS, (_, quoted) => quoted ?? 'null'));
}

/** Numbers that Python writes although JSON has none of them, and texts, in which they are not replaced. */
const PYTHON_NUMBERS = /("(?:[^"\\]|\\.)*")|-?\b(?:NaN|Infinity)\b/g;

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Parses a whole file as JSON. Undefined for anything else. @throws BudgetExhausted */
export async function jsonInFile(bytes: Bytes, budget: Budget): Promise<unknown> {
  return bytes.size > LONGEST_JSON ? undefined : parsedCheckpointJson(await bytes.read(0, bytes.size), budget);
}

/** Parses a member of an archive as JSON; undefined if it is missing or not JSON. */
export async function jsonIn(archive: Archive, name: string, budget: Budget): Promise<unknown> {
  const member = archive.members.find((each) => each.name === name);
  const content = member && (await archive.open(member, LONGEST_JSON));
  return content && parsedCheckpointJson(await content.read(0, Math.min(content.size, LONGEST_JSON + 1)), budget);
}

/**
 * Estimates the depth and size of JSON text. Brackets and commas within strings count too, which only makes the
 * estimate higher.
 */
function shapeOf(text: Buffer): { deepest: number; containers: number; values: number } {
  let [depth, deepest, containers, values] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === 0x5b || byte === 0x7b) {
      containers++;
      deepest = Math.max(deepest, ++depth);
    } else if (byte === 0x5d || byte === 0x7d) depth--;
    else if (byte === 0x2c || byte === 0x3a) values++;
  }
  return { deepest, containers, values };
}
