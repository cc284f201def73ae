import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { createBudget } from '../checkpoint/budget.ts';
import { withFile } from '../checkpoint/bytes.ts';
import type { Checkpoint, Entry, SafetyLevel } from '../checkpoint/checkpoint.ts';
import { isFolderAt } from '../checkpoint/diskEntries.ts';
import { isConfiguration, isPartsList } from '../checkpoint/folderCode.ts';
import { standsForFolder } from '../checkpoint/folderFiles.ts';
import { isModelFolder } from '../checkpoint/formats/index.ts';
import { blockersUnder, loads } from '../checkpoint/formats/torch/weightsOnly.ts';
import { countParameters, partsIn, type TensorTotal, totalOf } from '../checkpoint/modelParts.ts';
import { allowingCode } from '../checkpoint/pickle/safeGlobals.ts';
import { type CommonPrefix, prefixOf } from '../checkpoint/prefixes.ts';
import { readCheckpoint } from '../checkpoint/read.ts';
import { isRemote, readAnywhere } from '../checkpoint/remote.ts';
import { shardsIn } from '../checkpoint/shards.ts';
import { tracePickles } from '../checkpoint/tracePickles.ts';
import { isHarmless, levelOf, runsCode } from '../checkpoint/verdicts.ts';
import { type WeightSizes, weightSizesOf } from '../checkpoint/weightSizes.ts';
import { shownPath } from '../files/paths.ts';
import { describeSystemError } from '../files/trouble.ts';
import { judgeCheckpoint } from '../loading/checkpointHere.ts';
import type { Here } from '../loading/here.ts';
import type { Memory } from '../loading/memoryHere.ts';
import { type CheckpointHere, loadableOf } from '../loading/outlook.ts';
import { printableJson, printableLines } from '../printable.ts';
import { weightsOnly as weightsOnlyTable } from '../published/releases/weightsOnly.ts';
import { checkpointText, levelTitle, traceText } from '../report/checkpoint.ts';
import { cutTo, MOST_CHARACTERS, type Omitted } from '../report/cut.ts';
import { paintFor } from '../report/paint.ts';
import { type TensorFilter, tensorFilter } from '../report/tensorFilter.ts';
import { checkpointsAmong } from './checkpointFiles.ts';
import { FAILED, FOUND } from './exitStatus.ts';
import { progressOn } from './progress.ts';
import { writeError } from './standardError.ts';
import { readArguments, UsageError } from './usage.ts';

/** `gpu-doctor inspect`: prints the contents of checkpoints, and returns the exit status. */
export async function inspect(args: readonly string[]): Promise<number> {
  const read = readArguments('inspect', args);
  if (!read) return 0;
  const { values, positionals } = read;
  const json = values['output-format'] === 'json';
  const [path, ...others] = positionals;
  if (path === undefined) throw new UsageError('`inspect` needs a path: see `gpu-doctor inspect --help`');
  const factor = Number(values.limits);
  if (!(factor >= 1 && factor <= 1000)) throw new UsageError('`--limits` requires a number from 1 to 1000');
  const most = MOST_CHARACTERS * factor;
  if (values.compare !== undefined && others.length > 0)
    throw new UsageError('`--compare` requires one path before it and one after it');
  // Short-lived objects would take 100 MB before V8 collects them, and a hostile file creates many.
  setFlagsFromString('--semi-space-growth-factor=1');
  const paint = paintFor(process.stdout);
  if (values.compare !== undefined) {
    const { compareFiles } = await import('./inspectCompare.ts');
    return compareFiles([path, values.compare], { json, all: values.all, factor, paint });
  }
  const filter = tensorFilter(values.filter ?? '');
  const failOn = failLevels(values['fail-on']);
  const all: InspectedFile[] = [];
  const reasons: string[] = [];
  let status = 0;
  const progress = progressOn(process.stderr);
  const files = (await Promise.all(positionals.map(filesAt))).flat();
  const here = values['no-live'] ? undefined : await readHere();
  for (const [index, file] of files.entries()) {
    const shown = isRemote(file) ? file : shownPath(file);
    if (files.length > 1) progress.show(index + 1, files.length, shown);
    try {
      const checkpoint = await readAnywhere(file, createBudget(factor));
      const why = whyFound(checkpoint, failOn);
      if (why !== undefined) reasons.push(`${shown} (${why})`);
      if (why !== undefined) status = Math.max(status, FOUND);
      progress.clear();
      if (json) all.push(inspectedFile(file, checkpoint, here, most, filter));
      else
        process.stdout.write(
          `${checkpointText(shown, checkpoint, paint, { all: values.all, metadata: values.metadata, most, filter, width: process.stdout.columns }, here)}\n`,
        );
      if (values.trace && !json && !isRemote(file))
        process.stdout.write(traceText(await tracePickles(file, createBudget(factor)), most));
    } catch (error) {
      progress.clear();
      writeError(`error: ${shown} ${describeSystemError(error)}\n`);
      status = FAILED;
    }
  }
  if (json) process.stdout.write(`${printableJson(all, 2)}\n`);
  if (status === FOUND && !json) process.stdout.write(`Exit status ${FOUND}: ${printableLines(shortened(reasons))}\n`);
  return status;
}

/** Levels from which on `--fail-on` may fail, from the least harmful. */
const HARMFUL: readonly string[] = ['needs-trust', 'suspicious', 'dangerous'];

/** Returns the levels that cause exit status 1; undefined without `--fail-on`. */
function failLevels(named: readonly string[] | undefined): readonly string[] | undefined {
  return named?.flatMap((level) => (HARMFUL.includes(level) ? HARMFUL.slice(HARMFUL.indexOf(level)) : [level]));
}

/** The reason for exit status 1, in a word or two; undefined for status 0. */
function whyFound(
  { problems, misfits, safety }: Checkpoint,
  failOn: readonly string[] | undefined,
): string | undefined {
  const level = levelOf(safety);
  if (failOn) return failOn.includes(level) ? levelTitle(level) : undefined;
  if (!isHarmless(safety)) return levelTitle(level);
  if (problems.length > 0) return 'not whole';
  return misfits ? 'does not fit its base model' : undefined;
}

const MOST_REASONS = 3;

function shortened(reasons: readonly string[]): string {
  const rest = reasons.length - MOST_REASONS;
  return `${reasons.slice(0, MOST_REASONS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** The loaders and devices of this machine, as `check --live` reads them. */
export async function readHere(interpreter?: string): Promise<Here> {
  const [{ readStack }, { thisMachine }, { mainMemory }, { hereFrom }, { memoryIn }] = await Promise.all([
    import('../stack/readStack.ts'),
    import('../stack/machine/machine.ts'),
    import('../stack/machine/mainMemory.ts'),
    import('../loading/here.ts'),
    import('../loading/memoryHere.ts'),
  ]);
  const facts = await readStack({
    machine: thisMachine(),
    folders: [process.cwd()],
    interpreter,
  });
  return { ...hereFrom(facts), memory: memoryIn(facts, mainMemory()) };
}

/** The JSON output: the files in their order. */
export type InspectReport = readonly InspectedFile[];

/** A file, with null for properties that its format lacks. */
export interface InspectedFile
  extends Omit<
    Checkpoint,
    'writtenBy' | 'devices' | 'metadata' | 'opcodes' | 'filled' | 'rebuilt' | 'script' | 'safety'
  > {
  readonly path: string;
  readonly writtenBy: string | null;
  readonly devices: readonly string[] | null;
  readonly metadata: readonly Entry[];
  /** The model only, without optimizer states, averaged copies and buffers. */
  readonly parameters: number;
  readonly parts: Parts;
  /** The common prefix of all names of the model. */
  readonly prefix: CommonPrefix | null;
  readonly weightsOnly: WeightsOnly | null;
  readonly safety: InspectedSafety;
  /** In bytes. */
  readonly weights: WeightSizes;
  /** The number of items omitted from each list, by list: see `--limits`. */
  readonly omitted: Omitted;
  /** Null with `--no-live`. */
  readonly here: (CheckpointHere & { readonly memory?: Memory | undefined }) | null;
}

interface InspectedSafety {
  readonly verdict: SafetyLevel;
  /** The reason for the verdict, as a sentence. */
  readonly reason: string;
}

/** The purpose of the tensors. */
interface Parts {
  readonly model: TensorTotal;
  /** A copy of the model with averaged weights. */
  readonly average: TensorTotal;
  readonly optimizer: TensorTotal;
}

/** The expected result of loading a file with `weights_only=True`. */
interface WeightsOnly {
  /** The PyTorch release whose list of allowed names applies: the installed one, or the newest with a known list. */
  readonly torch: string;
  readonly loads: boolean;
  /** The reasons why the file does not load. */
  readonly globals: readonly string[];
  readonly opcodes: readonly string[];
  /** A line of Python that allows the file to load; null if it loads, or if nothing helps. */
  readonly recipe: string | null;
}

/** Returns a checkpoint as data for programs, in about `most` characters at most. */
export function inspectedFile(
  path: string,
  checkpoint: Checkpoint,
  here: Here | undefined,
  most: number,
  { passes }: TensorFilter,
): InspectedFile {
  const {
    format,
    size,
    writtenBy,
    devices,
    metadata = [],
    opcodes: _,
    filled: __,
    rebuilt: ___,
    script: ____,
    ...rest
  } = checkpoint;
  const { model, average, training } = partsIn(rest.tensors);
  const weightsOnly = weightsOnlyOf(checkpoint, here?.torch ?? weightsOnlyTable().newest);
  const file = {
    path,
    format,
    size,
    writtenBy: writtenBy ?? null,
    devices: devices ?? null,
    metadata,
    parameters: countParameters(rest.tensors),
    parts: { model: totalOf(model), average: totalOf(average), optimizer: totalOf(training) },
    prefix: prefixOf(checkpoint) ?? null,
    weightsOnly,
    weights: weightSizesOf(rest.tensors),
    here: here ? { ...judgeCheckpoint(loadableOf(checkpoint), here), memory: here.memory } : null,
    ...rest,
    safety: { verdict: levelOf(rest.safety), reason: rest.safety.reason },
    tensors: rest.tensors.filter(passes),
  };
  const { value, omitted } = cutTo(file, 'tensors', most);
  return { ...value, omitted };
}

/** True if the file loads with `weights_only=True` in a torch release; otherwise the reasons why it does not. */
function weightsOnlyOf(checkpoint: Checkpoint, torch: string): WeightsOnly | null {
  const blockers = blockersUnder(checkpoint, torch);
  if (!blockers) return null;
  const { globals, opcodes, remedy } = blockers;
  return { torch, loads: loads(blockers), globals, opcodes, recipe: remedy ? allowingCode(remedy) : null };
}

/** A path that is itself a checkpoint, or the checkpoints in a folder. */
export async function filesAt(path: string): Promise<string[]> {
  const names = isRemote(path) ? undefined : await namesIn(path);
  if (!names) return [path];
  if (isModelFolder(names) || names.some(isPartsList)) return [path, ...(await runningAmong(path, names))];
  const isModel = (name: string) =>
    /^(saved_model\.pb(txt)?|model_index\.json)$/.test(basename(name)) || isPartsList(basename(name));
  const models = names.filter(isModel).map((name) => dirname(name));
  const isInModel = (name: string) => models.some((model) => name.startsWith(`${model}${sep}`));
  const isTable = (name: string) =>
    name.endsWith('.index') && names.some((each) => each.startsWith(`${name.slice(0, -6)}.data-`));
  const outside = names.filter((name) => !isInModel(name));
  const files = [...outside.filter(isTable), ...(await checkpointsAmong(path, outside))];
  const inFiles = new Set([...models, ...files.map((name) => dirname(name))]);
  const alone = [...new Set(outside.filter((name) => isConfiguration(basename(name))).map((name) => dirname(name)))];
  const running: string[] = [];
  for (const name of alone) if (!inFiles.has(name) && (await runsCodeAt(join(path, name)))) running.push(name);
  const inModels = (await runningAmong(path, names.filter(isInModel))).map((name) => relative(path, name));
  const found = [...new Set([...models, ...files, ...running, ...inModels])].sort();
  if (found.length === 0) writeError(`No checkpoints found in \`${shownPath(path)}\`.\n`);
  const parts = await partsOf(found.map((name) => join(path, name)));
  return found.map((name) => join(path, name)).filter((file) => !parts.has(file));
}

/**
 * The files of a model's folder that run code when a program loads them by their own name. The verdict on the model
 * covers the files that its library loads.
 */
async function runningAmong(folder: string, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of await checkpointsAmong(folder, names)) {
    const path = join(folder, name);
    if (
      !/\.safetensors$|saved_model\.pbtxt$/.test(name) &&
      !standsForFolder(basename(name)) &&
      (await runsCodeAt(path))
    )
      found.push(path);
  }
  return found;
}

/** True for a file, or a folder without weights, for which libraries run code. */
async function runsCodeAt(path: string): Promise<boolean> {
  return readCheckpoint(path).then(
    ({ safety }) => runsCode(safety),
    () => false,
  );
}

/** The files that are shown together with the index that names them. */
async function partsOf(files: readonly string[]): Promise<Set<string>> {
  const parts = new Set<string>();
  for (const index of files.filter((file) => file.endsWith('.index.json'))) {
    const shards = await withFile(index, (bytes) => shardsIn(bytes, createBudget())).catch(() => undefined);
    for (const shard of shards?.keys() ?? []) parts.add(join(dirname(index), shard));
  }
  return parts;
}

/** The files below a folder, sorted; undefined if it is not a folder. A folder that several links lead to is read once. */
async function namesIn(path: string): Promise<string[] | undefined> {
  const found: string[] = [];
  const visited = new Set<string>();
  const visit = async (folder: string): Promise<void> => {
    const real = await realpath(folder);
    if (visited.has(real)) return;
    visited.add(real);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const name = join(folder, entry.name);
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && (await isFolderAt(name)));
      if (!isFolder) found.push(relative(path, name));
      else if (entry.name !== '.git' && entry.name !== 'node_modules') await visit(name).catch(() => undefined);
    }
  };
  if (!(await isFolderAt(path))) return undefined;
  await visit(path).catch(() => undefined);
  return found.sort();
}
