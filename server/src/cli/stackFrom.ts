/** Diagnoses a machine described in a file: either facts that this program printed there, or a post. */
import { readFile } from 'node:fs/promises';
import { buffer as readAll } from 'node:stream/consumers';
import type { Verdict } from '../diagnosis/diagnosis.ts';
import { describeSystemError } from '../files/trouble.ts';
import type { StackFacts } from '../stack/facts/facts.ts';
import { printStack } from './printStack.ts';
import { UsageError } from './usage.ts';

const NOT_OURS = 'is not what `gpu-doctor stack --json` prints';

/**
 * `gpu-doctor stack --from`: diagnoses the machine in a file; for a post with an error, it also explains the error.
 * Facts in a file may have any shape; those that cannot be diagnosed were not printed by this program.
 */
export async function printStackFrom(path: string, json: boolean): Promise<number> {
  const { facts, error } = await judgedText(await textOf(path), nameOf(path), json);
  if (facts !== undefined)
    await printStack(facts, json).catch((trouble: unknown) => {
      if (trouble instanceof TypeError) throw new UsageError(`${nameOf(path)} ${NOT_OURS}`);
      throw trouble;
    });
  else process.stdout.write('The text contains no program output that describes a machine.\n');
  if (error !== undefined) process.stdout.write(`\n${error}`);
  return 0;
}

/**
 * Reads a text that describes a machine: its facts and, if requested, the explanation of its error. Throws a
 * `UsageError` that starts with the name if the text contains neither.
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
 * The facts in a file, on this machine or another one: the output of `gpu-doctor stack --json`, or a text with the
 * output of `collect_env`, `nvidia-smi` and similar commands; "-" is standard input.
 * @throws a sentence with the problem of the file.
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

/** True for JSON. Posts may also start with brackets, as in "[Bug]: ..." and in log lines; facts are an object. */
function isJson(text: string): boolean {
  return /^\s*(?:\{\s*(?:["}]|$)|\[\s*[{\]])/.test(text);
}

/** Maximum length of a post; longer files are something else. */
const LONGEST_TEXT = 2 ** 22;

/** The facts from program output in a text; undefined if there are none, and for JSON. */
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
    throw new UsageError(`${name} ${NOT_OURS}, nor the output of a program that reports on a machine`);
  const read = factsFromJson(parsedJson(text));
  if ('trouble' in read) throw new UsageError(`${name} ${read.trouble}`);
  return read.facts;
}

/**
 * The explanation of a post's error on its machine; one line if a diagnosis already covers the error, undefined if the
 * error is unknown.
 */
async function errorIn(text: string, facts: StackFacts | undefined): Promise<string | undefined> {
  const [{ explain }, { gather }, { readPaste }, { explanationText }, { paintFor }] = await Promise.all([
    import('../explain/explain.ts'),
    import('../explain/gather.ts'),
    import('../explain/reading/paste.ts'),
    import('../report/explanation.ts'),
    import('../report/paint.ts'),
  ]);
  const paste = readPaste(text);
  // The files that the post names are on another machine.
  const nothing = async () => undefined;
  const known = await gather(paste, facts, { readText: nothing, readCheckpoint: nothing }, process.cwd());
  const explanations = explain(paste, known);
  const [first] = explanations;
  if (first === undefined) return undefined;
  const evidence = first.causes[0]?.evidence ?? [];
  const isJudged = (known.verdicts ?? []).some(({ finding }: Verdict) => evidence.includes(finding));
  if (isJudged) return `The error in the text results from it: ${first.title}. More: ${first.url}\n`;
  return `The error in the text\n\n${explanationText(explanations, paintFor(process.stdout))}`;
}
