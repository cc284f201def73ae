/** A machine that a file describes: facts that this program printed there, a recorded stack, or a post. */
import { readFile } from 'node:fs/promises';
import { buffer as readAll } from 'node:stream/consumers';
import { describeSystemError } from '../files/trouble.ts';
import type { StackFacts } from '../stack/facts/facts.ts';
import { UsageError } from './usage.ts';

export const NOT_OURS = 'is not what `gpu-doctor stack --output-format json` prints';

/**
 * Returns the facts in a file; "-" is standard input. Throws a `UsageError` that starts with the file's name if it
 * describes no machine.
 */
export async function factsFromFile(path: string): Promise<StackFacts> {
  return factsInText(await describedText(path), describedName(path));
}

/** Returns the facts in a text. Throws a `UsageError` that starts with the name if the text describes no machine. */
export async function factsInText(text: string, name: string): Promise<StackFacts> {
  const described = await describedFacts(text, name);
  if ('trouble' in described) throw new UsageError(described.trouble);
  return described.facts;
}

export async function describedText(path: string): Promise<string> {
  const bytes = await (path === '-' ? readAll(process.stdin) : readFile(path)).catch((error) => {
    throw new UsageError(`${describedName(path)} ${describeSystemError(error)}`);
  });
  const { decodeText } = await import('../explain/reading/decode.ts');
  return decodeText(bytes);
}

export function describedName(path: string): string {
  return path === '-' ? 'standard input' : path;
}

/** True for JSON. Posts may also start with brackets, as in "[Bug]: ..." and in log lines; facts are an object. */
export function isJson(text: string): boolean {
  return /^\ufeff?\s*(?:\{\s*(?:["}]|$)|\[\s*[{\]])/.test(text);
}

/** Maximum length of a post; longer files are something else. */
const LONGEST_TEXT = 2 ** 22;

/** A key that only a recorded stack has at the start of a line. */
const OF_RECORD = /^(?:format: \d|gpus:\s|driver-cuda:)/m;

/** The facts in a text, or a sentence without its period that says why there are none. */
export async function describedFacts(
  text: string,
  name: string,
): Promise<{ readonly facts: StackFacts } | { readonly trouble: string }> {
  if (isJson(text) || /^\ufeff?\s*\{/.test(text)) {
    const { factsFromJson, parsedJson } = await import('../stack/facts/factsFromJson.ts');
    const read = factsFromJson(parsedJson(text));
    return 'trouble' in read ? { trouble: `${name} ${read.trouble}` } : read;
  }
  if (OF_RECORD.test(text)) {
    const [{ readRecord, troubleOf }, { factsOfRecord }] = await Promise.all([
      import('../diagnosis/record/readRecord.ts'),
      import('../diagnosis/record/factsOfRecord.ts'),
    ]);
    const { record, problems } = readRecord(text);
    if (record !== undefined) return { facts: factsOfRecord(record) };
    const posted = await postedFacts(text);
    return posted === undefined ? { trouble: `${name}:${troubleOf(text, problems)}` } : { facts: posted };
  }
  const posted = await postedFacts(text);
  if (posted !== undefined) return { facts: posted };
  return {
    trouble: `${name} ${NOT_OURS}, nor a gpu-stack.yaml, nor the output of a program that reports on a machine`,
  };
}

/** The facts from program output in a text; undefined if there are none. */
async function postedFacts(text: string): Promise<StackFacts | undefined> {
  const [{ factsOfText }, { plainText }] = await Promise.all([
    import('../diagnosis/index.ts'),
    import('../explain/reading/plainText.ts'),
  ]);
  return factsOfText(plainText(text.slice(0, LONGEST_TEXT)));
}
