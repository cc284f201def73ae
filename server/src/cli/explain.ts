import { createReadStream } from 'node:fs';
import type { Explanation, Explanations, Unexplained } from '../explain/explanation.ts';
import { machineOf } from '../explain/machineOf.ts';
import { condense } from '../explain/reading/condense.ts';
import { asUtf8, decodeText, isText } from '../explain/reading/decode.ts';
import { isComplaint, LONGEST_PASTE, type Paste, readPaste } from '../explain/reading/paste.ts';
import { shownPath } from '../files/paths.ts';
import { describeSystemError } from '../files/trouble.ts';
import { printableJson } from '../printable.ts';
import { explanationMarkdown, explanationText, suspicionsText } from '../report/explanation.ts';
import { paintFor } from '../report/paint.ts';
import type { StackFacts } from '../stack/facts/facts.ts';
import { askCauses } from './askCauses.ts';
import { FAILED, FOUND } from './exitStatus.ts';
import { explainHere, factsHere } from './explainHere.ts';
import { writeError } from './standardError.ts';
import { readArguments, UsageError } from './usage.ts';
import { version } from './version.ts';

type Format = 'text' | 'json' | 'markdown';

/** `gpu-doctor explain`: explains the error in a file or in standard input, and returns the exit status. */
export async function explain(args: readonly string[]): Promise<number> {
  const read = readArguments('explain', args);
  if (!read) return 0;
  const { values, positionals } = read;
  const format = values['output-format'];
  const [file = '-', extra] = positionals;
  if (extra !== undefined) throw new UsageError(`\`explain\` accepts one file: \`${extra}\` is a second one`);
  if (file === '-' && values.stack === '-')
    throw new UsageError('standard input cannot be both the error and `--stack`');
  const text = await readText(file);
  if (text === undefined) return FAILED;
  if (!isText(text)) throw new UsageError(`${file === '-' ? 'standard input' : shownPath(file)} is binary`);
  const paste = readPaste(text);
  const facts = () => factsFor(paste, values.stack, values['no-probe']);
  if (values.ask && (file === '-' || !process.stdin.isTTY))
    throw new UsageError('`--ask` needs a terminal, and the error in a file');
  const { explanations, unknown } = await explainHere(paste, facts, undefined, values.ask ? askCauses : undefined);
  if (unknown) printUnknown(unknown, format);
  else print(explanations, format, values.verbose);
  return unknown ? FOUND : 0;
}

/** The text to explain; undefined after reporting why it could not be read. */
async function readText(file: string): Promise<string | undefined> {
  try {
    return decodeText(await condensed(asUtf8(file === '-' ? process.stdin : createReadStream(file))));
  } catch (error) {
    writeError(`error: ${shownPath(file)} ${describeSystemError(error)}\n`);
    return undefined;
  }
}

/** Returns short text completely, and only the relevant parts of long text. */
export async function condensed(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const first: Buffer[] = [];
  let size = 0;
  const iterator = chunks[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await iterator.next();
    if (done) return Buffer.concat(first);
    first.push(value);
    size += value.length;
    if (size > LONGEST_PASTE) break;
  }
  return condense(
    (async function* () {
      yield* first.splice(0);
      for (;;) {
        const { done, value } = await iterator.next();
        if (done) return;
        yield value;
      }
    })(),
  );
}

/** The facts recorded on another machine, those about the machine in the text, those about this machine, or none. */
async function factsFor(paste: Paste, recorded: string | undefined, noProbe: boolean): Promise<StackFacts | undefined> {
  if (recorded !== undefined) return (await import('./describedMachine.ts')).factsFromFile(recorded);
  return machineOf(paste, async () => (noProbe ? undefined : factsHere()));
}

function print(explanations: readonly Explanation[], format: Format, verbose?: boolean): void {
  if (format === 'json') writeJson({ explanations: [...explanations] });
  else if (format === 'markdown') process.stdout.write(explanationMarkdown(explanations));
  else process.stdout.write(explanationText(explanations, paintFor(process.stdout), verbose));
}

function printUnknown(unknown: Unexplained, format: Format): void {
  if (format === 'json') writeJson({ explanations: [], unknown });
  else process.stdout.write(unknownText(unknown));
}

function writeJson(content: Omit<Explanations, 'version'>): void {
  const explanations: Explanations = { version: 1, ...content };
  process.stdout.write(`${printableJson(explanations, 2)}\n`);
}

function unknownText({ message, location, suspicions }: Unexplained): string {
  if (message === null) return 'There is no text to explain.\n';
  if (!isComplaint(message) && suspicions.length === 0) return `${NO_MESSAGE}\n`;
  const report = [
    `- error: \`${message.replaceAll('`', "'")}\``,
    ...(location?.code ? [`- failing line: \`${location.code.replaceAll('`', "'")}\``] : []),
    `- gpu-doctor ${version}, ${process.platform} ${process.arch}`,
  ];
  return [
    'No explanation for this error:',
    `  ${message}`,
    ...(suspicions.length > 0 ? [suspicionsText(suspicions)] : []),
    'If it is about a GPU, a framework or a model file, please report it with this information and the output of `gpu-doctor stack`:',
    report.join('\n'),
    `${ISSUES}\n`,
  ].join('\n\n');
}

const NO_MESSAGE =
  'This text holds no message of a program. `gpu-doctor stack` shows what works here, and `gpu-doctor run -- python ...` explains the error when it comes.';

const ISSUES = 'https://github.com/gpu-doctor/gpu-doctor/issues/new';
