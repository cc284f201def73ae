/**
 * Scaffolds a checkpoint format: `npm run new-format -- some-name suffix` writes its declaration, a reader, tests and
 * the entries in the lists, then generates the files that depend on them. All checks pass afterwards; then adapt the
 * signature, the reader and the texts to the format.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FORMAT_IDS } from '../server/src/checkpoint/formats/index.ts';
import { patternsOf } from '../server/src/checkpoint/names.ts';
import { root } from './root.ts';
import { run } from './run.ts';

const CONTRACT = 'server/src/checkpoint/checkpoint.ts';
const INDEX = 'server/src/checkpoint/formats/index.ts';

await run(async () => {
  const [id = '', suffix = ''] = process.argv.slice(2);
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id) || !/^[a-z0-9]+$/.test(suffix))
    throw new Error('Usage: npm run new-format -- some-name suffix');
  if (FORMAT_IDS.some((format) => format === id)) throw new Error(`The format ${id} already exists.`);
  if (patternsOf('opened', 'offered', 'searched').includes(`*.${suffix}`))
    throw new Error(`Another format already uses the suffix ${suffix}.`);
  const name = id.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const folder = `server/src/checkpoint/formats/${name}`;
  const files: Readonly<Record<string, string>> = {
    [`${folder}/format.ts`]: declaration(id, name, suffix),
    [`${folder}/${name}.ts`]: reader(id, name),
    [`test/checkpoint/${name}.test.ts`]: tests(id),
    [CONTRACT]: withId(await readFile(path.join(root, CONTRACT), 'utf8'), id),
    [INDEX]: withDeclaration(await readFile(path.join(root, INDEX), 'utf8'), id, name),
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text, { flag: file === CONTRACT || file === INDEX ? 'w' : 'wx' });
    console.log(`wrote ${file}`);
  }
  // This process has not loaded the new declarations, so another one generates.
  node('node_modules/@biomejs/biome/bin/biome', 'check', '--write', '--log-level=error', ...Object.keys(files));
  node('scripts/generate.ts');
});

function node(...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${args[0]} failed.`);
}

/** `Some Name` */
function titleOf(id: string): string {
  return id.replace(/(^|-)(.)/g, (_, dash: string, letter: string) => `${dash && ' '}${letter.toUpperCase()}`);
}

/** Returns the signature of the files that the template reads: `SOMENAME`. */
function signOf(id: string): string {
  return id.replaceAll('-', '').toUpperCase();
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function declaration(id: string, name: string, suffix: string): string {
  return `import type { FormatDeclaration } from '../declaration.ts';
import { startsWith } from '../signature.ts';

export const ${name}: FormatDeclaration = {
  title: '${titleOf(id)} file',
  noun: 'a ${titleOf(id)} file',
  kind: 'checkpoint',
  files: { searched: ['*.${suffix}'] },
  hasSignature: ({ head }) => startsWith(head, '${signOf(id)}'),
  read: async ({ bytes, budget }) => (await import('./${name}.ts')).read${capital(name)}(bytes, budget),
  isCodeFree: true,
};
`;
}

function reader(id: string, name: string): string {
  return `import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Checkpoint, Tensor } from '../../checkpoint.ts';
import { withDoubts } from '../../doubts.ts';
import { bytesOf } from '../../dtypes.ts';
import { parsedCheckpointJson } from '../../encodings/json.ts';
import { noCode } from '../../verdicts.ts';

const SIGN = '${signOf(id)}';
/** Maximum size of the description in bytes. */
const MAX_DESCRIPTION = 16 * 1024 * 1024;
const BYTES_PER_TENSOR = 300;

/** Reads a file that describes its tensors in JSON after its signature: \`{"weight": ["float32", 3, 8]}\`. */
export async function read${capital(name)}(bytes: Bytes, budget: Budget): Promise<Checkpoint> {
  const description = parsedCheckpointJson(await bytes.read(SIGN.length, MAX_DESCRIPTION), budget);
  const tensors = tensorsIn(description, budget);
  const checkpoint: Checkpoint = {
    format: '${id}',
    size: bytes.size,
    tensors: tensors ?? [],
    imports: [],
    safety: noCode('The reader of ${titleOf(id)}'),
    problems: tensors ? [] : ['The file is truncated or damaged.'],
  };
  return withDoubts(checkpoint, tensors ? [] : ['it is not a complete ${titleOf(id)} file']);
}

/** Returns the described tensors; undefined if the description is invalid. */
function tensorsIn(description: unknown, { hold }: Budget): Tensor[] | undefined {
  if (typeof description !== 'object' || description === null || Array.isArray(description)) return undefined;
  const tensors: Tensor[] = [];
  for (const [name, value] of Object.entries(description)) {
    hold(BYTES_PER_TENSOR);
    const [dtype, ...shape]: readonly unknown[] = Array.isArray(value) ? value : [];
    if (typeof dtype !== 'string' || !shape.every((size) => typeof size === 'number')) return undefined;
    tensors.push({ name, dtype, shape, bytes: bytesOf(dtype, shape) });
  }
  return tensors;
}
`;
}

function tests(id: string): string {
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import { readBytes } from '../../server/src/checkpoint/read.ts';

const FILE = Buffer.from('${signOf(id)}{"weight": ["float32", 3, 8]}');

test('tensors of ${titleOf(id)} are listed', async () => {
  const { format, tensors, safety, problems } = await readBytes(inMemory(FILE));
  assert.equal(format, '${id}');
  assert.deepEqual(tensors, [{ name: 'weight', dtype: 'float32', shape: [3, 8], bytes: 96 }]);
  assert.equal(safety.verdict, 'no-code');
  assert.deepEqual(problems, []);
});

test('a truncated ${titleOf(id)} file is not called harmless', async () => {
  const { format, safety, problems } = await readBytes(inMemory(FILE.subarray(0, -4)));
  assert.equal(format, '${id}');
  assert.equal(safety.verdict, 'not-checked');
  assert.deepEqual(problems, ['The file is truncated or damaged.']);
});
`;
}

/** Returns the contract with the format's id inserted before the ids of files that are mistaken for checkpoints. */
function withId(contract: string, id: string): string {
  return contract.replace("  | 'gzip'\n", (next) => `  | '${id}'\n${next}`);
}

/** Returns the list with the declaration inserted before the formats without a signature. */
function withDeclaration(index: string, id: string, name: string): string {
  const entry = id === name ? name : `'${id}': ${name}`;
  return `import { ${name} } from './${name}/format.ts';\n${index.replace('  onnx,\n', (next) => `  ${entry},\n${next}`)}`;
}
