/**
 * Compares the output of `inspect` for real files with the libraries that load them: tensors by name, type and shape,
 * and whether a file loads. Usage: `compare.ts FOLDER PYTHON...`, as described in the README of this folder.
 */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { root } from '../../../scripts/root.ts';
import type { InspectReport } from '../../../server/src/cli/inspect.ts';

const [folder, ...pythons] = process.argv.slice(2);
if (folder === undefined || pythons.length === 0) throw new Error('Name a folder for the packages, and Pythons.');

/** Wheels of one platform, so that each machine has the same files. */
const PLATFORM = ['--python-version', '3.10', '--implementation', 'cp', '--only-binary', ':all:'];
const PLATFORMS = ['manylinux_2_28_x86_64', 'manylinux_2_17_x86_64', 'manylinux2014_x86_64'];
const SUFFIXES = /\.(pth?|jit|ckpt|bin|pkl|pth\.tar|safetensors|gguf|keras|h5|hdf5|npz|joblib|lz4)$|saved_model\.pb$/;

/** The result of a Python's libraries for a file. */
interface Answer {
  readonly error: string | null;
  /** The remaining error after `add_safe_globals` was called as recommended; undefined without a recommendation. */
  readonly allowed?: string | null;
  readonly tensors: Readonly<Record<string, readonly [dtype: string, shape: readonly number[]]>> | null;
}

async function filesOf(line: string): Promise<string[]> {
  const [requirement = '', pattern = ''] = line.split(' ');
  const target = folderOf(requirement.replace(/==.*/, ''));
  if (!(await readdir(target).catch(() => undefined))) {
    const platforms = PLATFORMS.flatMap((platform) => ['--platform', platform]);
    const download = ['-m', 'pip', 'download', '--quiet', '--no-deps', ...PLATFORM, ...platforms, '--dest', target];
    await mkdir(target, { recursive: true });
    await execa('python3', [...download, requirement]);
    for (const wheel of await readdir(target))
      await execa('python3', ['-m', 'zipfile', '-e', path.join(target, wheel), target]);
  }
  return checkpointsIn(target, new RegExp(pattern));
}

const folderOf = (name: string) => path.join(path.resolve(folder as string), name);

async function checkpointsIn(target: string, pattern: RegExp): Promise<string[]> {
  return (await readdir(target, { recursive: true }))
    .filter((name) => SUFFIXES.test(name) && pattern.test(name.split(path.sep).join('/')))
    .map((name) => path.join(target, name.replace(/[\\/]saved_model\.pb$/, '')))
    .sort();
}

/** The output of `inspect` on a machine with this Python. */
async function inspected(files: readonly string[], python: string): Promise<InspectReport> {
  const bin = path.dirname(python);
  const env = { PATH: `${bin}${path.delimiter}${process.env.PATH}`, VIRTUAL_ENV: path.dirname(bin) };
  const args = [path.join(root, 'server/src/cli.ts'), 'inspect', '--output-format', 'json', ...files];
  const { stdout } = await execa(process.execPath, args, { env, reject: false, cwd: path.resolve(folder as string) });
  return JSON.parse(stdout);
}

/** Types that libraries name differently. */
const OUR_NAMES: Readonly<Record<string, string>> = {
  object: 'string',
  f64: 'float64',
  f32: 'float32',
  f16: 'float16',
  bf16: 'bfloat16',
  i64: 'int64',
  i32: 'int32',
  i16: 'int16',
  i8: 'int8',
};

/** Returns the differing tensors as lines: ours, then the library's. */
function differences(file: InspectReport[number], answer: Answer): string[] {
  const ours = new Map(file.tensors.map(({ name, dtype, shape }) => [name, `${dtype} ${shape}`]));
  const theirs = new Map(
    Object.entries(answer.tensors ?? {}).map(([name, [dtype, shape]]) => [
      name,
      `${OUR_NAMES[dtype] ?? dtype} ${shape}`,
    ]),
  );
  // The constants of a program are also tensors, but its state does not list them.
  const isPart = file.format === 'torchscript';
  const names = new Set([...(isPart ? [] : ours.keys()), ...theirs.keys()]);
  return [...names]
    .filter((name) => ours.get(name) !== theirs.get(name))
    .map((name) => `${name}: ${ours.get(name) ?? 'none'} / ${theirs.get(name) ?? 'none'}`);
}

const lines = (await readFile(path.join(import.meta.dirname, 'packages.txt'), 'utf8')).split('\n');
const files: string[] = [];
for (const line of lines) if (line !== '' && !line.startsWith('#')) files.push(...(await filesOf(line)));
files.push(...(await checkpointsIn(folderOf('written'), /./).catch(() => [])));
console.log(`${files.length} files`);
for (const python of pythons) {
  const report = await inspected(files, path.resolve(python));
  const input = report
    .map(({ format, path: file, weightsOnly }) => [format, file, weightsOnly?.recipe ?? ''].join('\t'))
    .join('\n');
  const { stdout } = await execa(python, [path.join(import.meta.dirname, 'read.py')], { input, maxBuffer: 2 ** 30 });
  const answers: Readonly<Record<string, Answer>> = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1));
  const table: Record<string, Record<string, number>> = {};
  for (const file of report) {
    table[file.format] ??= {};
    const row = table[file.format] as Record<string, number>;
    const count = (column: string) => {
      row[column] = (row[column] ?? 0) + 1;
    };
    const answer = answers[file.path];
    const name = path.relative(folder, file.path);
    if (!answer) continue;
    count('files');
    const different = answer.tensors ? differences(file, answer) : [];
    if (answer.tensors) count(different.length > 0 ? 'tensors differ' : 'tensors agree');
    if (different.length > 0) console.log(`${name}: ${different.slice(0, 3).join('; ')}`);
    if (answer.allowed !== undefined) count(answer.allowed === null ? 'recipe helps' : 'recipe does not help');
    if (answer.allowed) console.log(`${name}: ${file.weightsOnly?.recipe}: ${answer.allowed}`);
    // Bare weights are loaded into a model, which is not available here.
    if (file.holds === 'weights') {
      count('weights alone');
      continue;
    }
    const outlook = file.here?.outlook;
    const isRight =
      outlook === 'loads' ? answer.error === null : outlook === 'fails' ? answer.error !== null : undefined;
    count(isRight === undefined ? 'not judged' : `${outlook}${isRight ? '' : ', wrongly'}`);
    if (isRight !== true) console.log(`${name}: ${outlook}: ${file.here?.because.join(' ')} / ${answer.error}`);
  }
  console.log(python);
  console.table(table);
}
