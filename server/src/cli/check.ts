import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createKnownCheckpoints } from '../checkpoint/knownCheckpoints.ts';
import { readDocument, renderDocument } from '../project/document.ts';
import { findLineLengths } from '../project/lineLength.ts';
import { findRequirements } from '../project/requirements.ts';
import { optionsFor } from '../project/settings.ts';
import { describeSystemError, Trouble } from '../project/trouble.ts';
import { writeWhole } from '../project/write.ts';
import type { Problem } from '../report/problem.ts';
import type { Knowledge } from '../rules/engine/contract.ts';
import { isUnknown } from '../stack/facts/facts.ts';
import { type Action, checkDocument, NOTHING } from './checkFile.ts';
import { checkPaths, type Outcome, type PathsOptions } from './checkPaths.ts';
import { FAILED, FOUND } from './exitStatus.ts';
import { type Overrides, projectSettings, readCodes } from './projectSettings.ts';
import { writeError } from './standardError.ts';
import { readArguments, UsageError } from './usage.ts';

const HELP = `Judge Python files, notebooks and the files that describe an environment, such as requirements.txt.

Usage: gpu-doctor check [PATH...] [options]

PATH is a file, a folder (walked, respecting .gitignore), or - for standard input; without any, the current folder.

Options:
  --format FORMAT        text (default), json, sarif, github, gitlab or junit
  --statistics           Count the problems of each rule instead of showing them
  --output-file FILE     Write the report into this file
  --hints                Report hints too
  --explain-hints        Report hints too, each with why it is only a hint
  --live                 Look at this machine's GPUs, too: what needs another one is an error
  --fix                  Write the safe fixes into the files
  --diff                 Show what --fix would write, and write nothing
  --select CODES         Only these rules: codes or prefixes such as GPU1, parted by commas
  --ignore CODES         All but these rules
  --include-vendored     Judge copies of other projects' code, such as third_party/, as the project's own
  --force-exclude        Leave out what the project excludes also where it is named outright
  --config FILE          Take the settings from this file, not from the project's
  --isolated             Take no settings from any file
  --jobs N               Work on N threads; all cores by default
  --no-cache             Neither read nor write the cache of earlier results
  --stdin-filename PATH  The name of what is read from standard input
  --exit-zero            Exit with status 0 whatever is found
  -h, --help             Show this help

Exit status: 0 when nothing or only information was found, 1 when something was, 2 when something went wrong.
`;

const FORMATS = ['text', 'json', 'sarif', 'github', 'gitlab', 'junit'] as const;
type Format = (typeof FORMATS)[number];

/** `gpu-doctor check`: judges what the arguments name, reports it, and returns the exit status. */
export async function check(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {
    format: { type: 'string', default: 'text' },
    statistics: { type: 'boolean', default: false },
    'output-file': { type: 'string' },
    hints: { type: 'boolean', default: false },
    'explain-hints': { type: 'boolean', default: false },
    live: { type: 'boolean', default: false },
    fix: { type: 'boolean', default: false },
    diff: { type: 'boolean', default: false },
    select: { type: 'string', multiple: true },
    ignore: { type: 'string', multiple: true },
    'include-vendored': { type: 'boolean', default: false },
    'force-exclude': { type: 'boolean', default: false },
    config: { type: 'string' },
    isolated: { type: 'boolean', default: false },
    jobs: { type: 'string' },
    'no-cache': { type: 'boolean', default: false },
    'stdin-filename': { type: 'string' },
    'exit-zero': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const format = FORMATS.find((known) => known === values.format);
  if (!format) throw new UsageError(`there is no format \`${values.format}\`: it is one of ${FORMATS.join(', ')}`);
  if (values.statistics && format !== 'text' && format !== 'json')
    throw new UsageError('`--statistics` is shown as text or json');
  const action: Action = values.diff ? 'diff' : values.fix ? 'fix' : 'report';
  const paths = positionals.length > 0 ? positionals : ['.'];
  const fromInput = paths.includes('-');
  if (fromInput && paths.length > 1) throw new UsageError('`-` stands alone: standard input is the only file then');
  if (values['stdin-filename'] !== undefined && !fromInput) {
    throw new UsageError('`--stdin-filename` names standard input, which is read when the path is `-`');
  }

  const jobs = readJobs(values.jobs);
  const overrides: Overrides = {
    config: values.config,
    isolated: values.isolated,
    select: readCodes('--select', values.select),
    ignore: readCodes('--ignore', values.ignore),
    includesVendored: values['include-vendored'],
  };
  // What is found with facts about the machine, or is to be mended, is found out anew.
  const isCached = !values['no-cache'] && !values.live && action === 'report';
  const known = values.live ? await knownOfMachine() : {};
  const {
    statistics,
    'explain-hints': explainsHints,
    'output-file': outputFile,
    'force-exclude': forceExclude,
  } = values;
  const hints = values.hints || explainsHints;
  const outcome = fromInput
    ? await checkInput(values['stdin-filename'], { action, hints, overrides, known })
    : await checkPaths(paths, { action, hints, jobs, isCached, forceExclude, overrides, known });
  const status = await report(outcome, { action, format, statistics, explainsHints, outputFile, fromInput });
  return status === FOUND && values['exit-zero'] ? 0 : status;
}

/** What there is to know about this machine for rules. Nothing is known of it without `--live`. */
async function knownOfMachine(): Promise<Knowledge> {
  const [{ readStack }, { thisMachine }, { knowledgeFrom }] = await Promise.all([
    import('../stack/readStack.ts'),
    import('../stack/machine/machine.ts'),
    import('../rules/queries/knowledge.ts'),
  ]);
  const stack = await readStack({ machine: thisMachine(), folders: [process.cwd()] });
  if (isUnknown(stack.gpus)) writeError(`This machine's GPUs are unknown: ${stack.gpus.unknown}.\n`);
  return knowledgeFrom(stack);
}

/** The number of threads; a `UsageError` for what is none. */
function readJobs(given: string | undefined): number {
  if (given === undefined) return availableParallelism();
  if (!/^[1-9]\d{0,3}$/.test(given)) throw new UsageError(`\`--jobs ${given}\` is no number of threads`);
  return Number(given);
}

type InputOptions = Pick<PathsOptions, 'action' | 'hints' | 'overrides' | 'known'>;

async function checkInput(
  name: string | undefined,
  { action, hints, overrides, known }: InputOptions,
): Promise<Outcome & { readonly output: string }> {
  const settingsIn = await projectSettings(overrides);
  const path = name === undefined ? '-' : resolve(name);
  const folder = dirname(resolve(name ?? 'stdin.py'));
  const [settings, required, lineLength, bytes] = await Promise.all([
    settingsIn(folder),
    findRequirements().requirementsIn(folder),
    findLineLengths().lineLengthIn(folder),
    buffer(process.stdin),
  ]);
  try {
    const document = readDocument(path, bytes);
    const options = { ...optionsFor(settings, path), known: { ...known, ...required, lineLength } };
    const checkpoints = createKnownCheckpoints();
    const { result, source } = await checkDocument(path, document, { action, hints, options, checkpoints });
    const sentences = result.troubles.map((clause) => `${name ?? 'standard input'} ${clause}`);
    return { ...result, sentences, output: renderDocument(document, source) };
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    const sentences = [`${name ?? 'standard input'} ${error.message}`];
    return { ...NOTHING, sentences, output: bytes.toString() };
  }
}

interface ReportOptions {
  readonly action: Action;
  readonly format: Format;
  readonly statistics: boolean;
  readonly explainsHints: boolean;
  readonly outputFile: string | undefined;
  readonly fromInput: boolean;
}

/** Writes the reports and returns the exit status. */
async function report(outcome: Outcome & { readonly output?: string }, options: ReportOptions): Promise<number> {
  const { action, format, fromInput } = options;
  for (const sentence of outcome.sentences) writeError(`error: ${sentence}\n`);
  const shown = outcome.problems;
  const failed = outcome.sentences.length > 0;
  if (action === 'diff') {
    process.stdout.write(outcome.diff);
    writeError(outcome.diff === '' ? 'Nothing to fix.\n' : `Would fix ${problems(outcome.fixed)}.\n`);
    return failed ? FAILED : outcome.diff === '' ? 0 : FOUND;
  }
  // Of standard input, the fixed text is what the caller wants to read on standard output.
  const stream = fromInput && action === 'fix' ? process.stderr : process.stdout;
  if (fromInput && action === 'fix') process.stdout.write(outcome.output ?? '');
  const text = options.statistics
    ? (await import('../report/statistics.ts')).renderStatistics(shown, format === 'json' ? 'json' : 'text')
    : await render(shown, outcome.sentences, options, options.outputFile === undefined ? stream : {});
  const whole = format === 'text' ? `${text}${summary(shown, outcome, action)}\n` : text;
  if (options.outputFile === undefined) stream.write(whole);
  else await writeReport(options.outputFile, whole);
  // Information is for people to read; nothing has to be done about it.
  const isFound = shown.some(({ severity }) => severity !== 'information');
  return failed ? FAILED : isFound ? FOUND : 0;
}

/** Node's own recursive `mkdir` never ends where a folder cannot be made though the one above is there, as below `/proc`. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) await makeFolder(dirname(folder));
  await mkdir(folder);
}

/** Writes a report into a file, whose folder is made if need be. */
async function writeReport(file: string, text: string): Promise<void> {
  try {
    await makeFolder(dirname(resolve(file)));
    await writeWhole(file, text);
  } catch (error) {
    throw new UsageError(`the report cannot be written: ${file} ${describeSystemError(error)}`);
  }
}

async function render(
  shown: readonly Problem[],
  sentences: readonly string[],
  { format, explainsHints }: Pick<ReportOptions, 'format' | 'explainsHints'>,
  stream: { readonly isTTY?: boolean },
): Promise<string> {
  switch (format) {
    case 'json':
      return (await import('../report/json.ts')).renderJson(shown, explainsHints);
    case 'github':
      return (await import('../report/github.ts')).renderGithub(shown);
    case 'gitlab':
      return (await import('../report/gitlab.ts')).renderGitlab(shown);
    case 'junit':
      return (await import('../report/junit.ts')).renderJunit(shown);
    case 'sarif': {
      const [{ renderSarif }, { version }] = await Promise.all([import('../report/sarif.ts'), import('./version.ts')]);
      return renderSarif(shown, sentences, version);
    }
    case 'text': {
      if (shown.length === 0) return '';
      const [{ renderText }, { paintFor }] = await Promise.all([
        import('../report/text.ts'),
        import('../report/paint.ts'),
      ]);
      return renderText(shown, paintFor(stream), explainsHints);
    }
  }
}

function summary(shown: readonly Problem[], { fixed, hidden, sentences }: Outcome, action: Action): string {
  const lines: string[] = [];
  const fixable = shown.filter(({ fix }) => fix?.applicability === 'safe').length;
  if (action === 'fix' && fixed > 0) {
    lines.push(`Found ${problems(shown.length + fixed)} (${fixed} fixed, ${shown.length} remaining).`);
  } else if (shown.length > 0) lines.push(`Found ${problems(shown.length)}, ${fixable} fixable with \`--fix\`.`);
  else lines.push(sentences.length === 0 ? 'No problems found.' : 'No problems found in what could be read.');
  if (hidden > 0) lines.push(`${hidden === 1 ? '1 hint' : `${hidden} hints`} not shown: see \`--hints\`.`);
  return lines.join('\n');
}

function problems(count: number): string {
  return count === 1 ? '1 problem' : `${count} problems`;
}
