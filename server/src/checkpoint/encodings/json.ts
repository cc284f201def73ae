import type { Budget } from '../budget.ts';
import type { Archive } from './zip.ts';

/** Bytes of the longest text that is parsed: a description of 150,000 tensors. */
export const LONGEST_JSON = 16 * 1024 * 1024;
/** Levels of the deepest text that is parsed; the parser of JavaScript takes kilobytes for each. */
const DEEPEST = 1000;

/** Steps and bytes of a text of its own, and of an object, a list or another value in one, walking through them included. */
const TEXT_STEPS = 500;
const CONTAINER = { steps: 150, bytes: 224 };
const VALUE = { steps: 20, bytes: 64 };

/** What a JSON text says; undefined for what is none, or is too long or too deep to be a checkpoint's. @throws BudgetExhausted */
export function parsedJson(text: Buffer, budget: Budget): unknown {
  if (text.length > LONGEST_JSON) return undefined;
  budget.spend(TEXT_STEPS);
  budget.hold(2 * text.length);
  const { deepest, containers, values } = shapeOf(text);
  if (deepest > DEEPEST) return undefined;
  budget.spend(text.length + containers * CONTAINER.steps + values * VALUE.steps);
  budget.hold(containers * CONTAINER.bytes + values * VALUE.bytes);
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A member of an archive as JSON; undefined when there is none, or it is none. */
export async function jsonIn(archive: Archive, name: string, budget: Budget): Promise<unknown> {
  const member = archive.members.find((each) => each.name === name);
  const content = member && (await archive.open(member, LONGEST_JSON));
  return content && parsedJson(await content.read(0, Math.min(content.size, LONGEST_JSON + 1)), budget);
}

/** What a text is made of; signs within texts count too, which does no harm. */
function shapeOf(text: Buffer): { deepest: number; containers: number; values: number } {
  let [depth, deepest, containers, values] = [0, 0, 0, 0];
  for (const byte of text) {
    if (byte === 0x5b || byte === 0x7b) {
      containers++;
      deepest = Math.max(deepest, ++depth);
    } else if (byte === 0x5d || byte === 0x7d) depth--;
    else if (byte === 0x2c || byte === 0x3a) values++;
  }
  return { deepest, containers, values };
}
