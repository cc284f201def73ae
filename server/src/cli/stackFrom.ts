/** Judging a machine that is told of in a file: by the facts that this program has printed there, or by what somebody has posted. */
import { readFile } from 'node:fs/promises';
import { buffer as readAll } from 'node:stream/consumers';
import type { Verdict } from '../diagnosis/diagnosis.ts';
import { describeSystemError } from '../files/trouble.ts';
import type { StackFacts } from '../stack/facts/facts.ts';
import { printStack } from './printStack.ts';
import { UsageError } from './usage.ts';

const NOT_OURS = 'is not what `gpu-doctor stack --json` prints';

/**
 * `gpu-doctor stack --from`: judges the machine of a file; of a post that has an error, it says as well what the error means
 * there. Facts of a file may be of any shape within; what cannot be judged was not printed by this program.
 */
export async function printStackFrom(path: string, json: boolean): Promise<number> {
  const { facts, error } = await judgedText(await textOf(path), nameOf(path), json);
  if (facts !== undefined)
    await printStack(facts, json).catch((trouble: unknown) => {
      if (trouble instanceof TypeError) throw new UsageError(`${nameOf(path)} ${NOT_OURS}`);
      throw trouble;
    });
  else process.stdout.write('The text has no output of programs that tell of a machine.\n');
  if (error !== undefined) process.stdout.write(`\n${error}`);
  return 0;
}

/**
 * Reads a text that describes a machine: its facts, and the meaning of the error that it holds, if it was asked for. Throws a
 * `UsageError` that begins with the name where there is neither.
 */
export async function judgedText(
  text: string,
  name: string,
  ignoresError = false,
): Promise<{ readonly facts: StackFacts | undefined; readonly error: string | undefined }> {
  const posted = await postedFacts(text);
  const error = ignoresError || isJson(text) ? undefined : await errorIn(text, posted);
  return { facts: posted ?? (error === undefined ? await recordedFacts(text, name) : undefined), error };
}

/**
 * The facts in a file, on this machine or another one: what `gpu-doctor stack --json` wrote, or a text with the output of
 * `collect_env`, `nvidia-smi` and the like; "-" is standard input.
 * @throws a sentence that says what is wrong with the file.
 */
export async function factsFromFile(path: string): Promise<StackFacts> {
  const text = await textOf(path);
  return (await postedFacts(text)) ?? recordedFacts(text, nameOf(path));
}

async function textOf(path: string): Promise<string> {
  const bytes = await (path === '-' ? readAll(process.stdin) : readFile(path)).catch((error) => {
    throw new UsageError(`${nameOf(path)} ${describeSystemError(error)}`);
  });
  const { decodeText } = await import('../explain/reading/decode.ts');
  return decodeText(bytes);
}

function nameOf(path: string): string {
  return path === '-' ? 'standard input' : path;
}

/** Posts begin with brackets, too, as in "[Bug]: ..." and in lines of a log; facts are an object. */
function isJson(text: string): boolean {
  return /^\s*(?:\{\s*(?:["}]|$)|\[\s*[{\]])/.test(text);
}

/** Longer ones hold no post. */
const LONGEST_TEXT = 2 ** 22;

/** Those that the programs tell of whose output is in a text; undefined without any, and for JSON. */
async function postedFacts(text: string): Promise<StackFacts | undefined> {
  if (isJson(text)) return undefined;
  const [{ factsOfText }, { plainText }] = await Promise.all([
    import('../diagnosis/index.ts'),
    import('../explain/reading/plainText.ts'),
  ]);
  return factsOfText(plainText(text.slice(0, LONGEST_TEXT)));
}

async function recordedFacts(text: string, name: string): Promise<StackFacts> {
  const [{ factsFromJson }, { parsedJson }] = await Promise.all([
    import('../diagnosis/index.ts'),
    import('../stack/facts/factsFromJson.ts'),
  ]);
  if (!isJson(text) && !/^\s*\{/.test(text))
    throw new UsageError(`${name} ${NOT_OURS}, nor the output of a program that tells of a machine`);
  const read = factsFromJson(parsedJson(text));
  if ('trouble' in read) throw new UsageError(`${name} ${read.trouble}`);
  return read.facts;
}

/** What the error of a post means on its machine; one line where a verdict says it already, undefined where none is known. */
async function errorIn(text: string, facts: StackFacts | undefined): Promise<string | undefined> {
  const [{ explain }, { gather }, { readPaste }, { explanationText }, { paintFor }] = await Promise.all([
    import('../explain/explain.ts'),
    import('../explain/gather.ts'),
    import('../explain/reading/paste.ts'),
    import('../report/explanation.ts'),
    import('../report/paint.ts'),
  ]);
  const paste = readPaste(text);
  // The files that it names are those of another machine.
  const nothing = async () => undefined;
  const known = await gather(paste, facts, { readText: nothing, readCheckpoint: nothing }, process.cwd());
  const explanations = explain(paste, known);
  const [first] = explanations;
  if (first === undefined) return undefined;
  const evidence = first.causes[0]?.evidence ?? [];
  const isJudged = (known.verdicts ?? []).some(({ finding }: Verdict) => evidence.includes(finding));
  if (isJudged) return `The error in the text comes of it: ${first.title}. More: ${first.url}\n`;
  return `The error in the text\n\n${explanationText(explanations, paintFor(process.stdout))}`;
}
