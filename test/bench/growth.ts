/**
 * Measures files of any kind that are much longer than people write: for 16 times the length, at most 20 times the CPU
 * time beyond that of an empty file, and 1 GB at most. The bounds are the project's own; they are printed, not
 * enforced.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../scripts/root.ts';
import { type Command, measured } from './measure.ts';
import { sized } from './size.ts';

const FACTOR = 16;
const BOUND = 20;
const MEMORY_BOUND = 1000;

const repeated = (count: number, part: (index: number) => string, separator = '') =>
  Array.from({ length: count }, (_, index) => part(index)).join(separator);
const cell = (index: number) => ({
  cell_type: 'code',
  execution_count: null,
  metadata: {},
  outputs: [],
  source: [`x${index} = torch.load("f${index}.pt")\n`],
});

/** The longest length of each, and the text of a length. */
const FILES: readonly (readonly [name: string, file: string, longest: number, text: (length: number) => string])[] = [
  [
    'loads in one file',
    'loads.py',
    16_000,
    (length) => `import torch\n${repeated(length, (index) => `x = torch.load("f${index}.pt").to("cuda:1")\n`)}`,
  ],
  [
    'clauses of one specifier',
    'requirements.txt',
    100_000,
    (length) => `torch${repeated(length, (index) => `!=1.${index}`, ',')}\n`,
  ],
  [
    'dependencies of a pyproject.toml',
    'pyproject.toml',
    32_000,
    (length) =>
      `[project]\nname = "x"\nversion = "1"\ndependencies = [\n${repeated(length, (index) => `  "package${index}>=1",\n`)}  "torch>=2",\n]\n`,
  ],
  [
    'cells of a notebook',
    'cells.ipynb',
    20_000,
    (length) =>
      JSON.stringify({
        cells: Array.from({ length }, (_, index) => cell(index)),
        metadata: {},
        nbformat: 4,
        nbformat_minor: 5,
      }),
  ],
  [
    'lines of a Dockerfile',
    'Dockerfile',
    16_000,
    (length) => `FROM python:3.12\n${repeated(length, (index) => `RUN pip install package${index} torch\n`)}`,
  ],
];

const folder = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-growth-'));
try {
  const check = async (file: string, text: string) => {
    const target = path.join(folder, file);
    await writeFile(target, text);
    const command: Command = [
      process.execPath,
      path.join(root, 'dist', 'cli.js'),
      'check',
      target,
      '--no-cache',
      '--output-format',
      'json',
    ];
    return measured(command, folder);
  };
  const { cpu: start } = await check('empty.py', '');
  for (const [name, file, whole, text] of FILES) {
    const longest = sized(whole, FACTOR);
    const few = await check(file, text(longest / FACTOR));
    const many = await check(file, text(longest));
    const ratio = (many.cpu - start) / Math.max(few.cpu - start, 0.01);
    const isMet = ratio <= BOUND && many.memory <= MEMORY_BOUND;
    console.log(
      `${`${longest} ${name}`.padEnd(42)} ${many.cpu.toFixed(1).padStart(6)} s ${many.memory.toFixed(0).padStart(6)} MB   ` +
        `${ratio.toFixed(1).padStart(5)} times   bound ${BOUND}, ${MEMORY_BOUND} MB: ${isMet ? 'met' : 'MISSED'}`,
    );
  }
} finally {
  await rm(folder, { recursive: true });
}
