/**
 * Measures the whole analysis (parsing, semantic model, rules; no fixes) of the standard library of the machine's
 * `python3` and of training code, against `ast.parse` of that Python on the same files. Each round runs in fresh
 * processes, one after the other. The bound is the project's own; it is printed, not enforced.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parsedByPython, TIME_PYTHON } from './astParse.ts';
import { scriptOf, wholeOf } from './programs.ts';
import { sized } from './size.ts';

const ROUNDS = sized(5, 1);

const TIME_OURS = fileURLToPath(new URL('timeLint.ts', import.meta.url));
const folder = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-bench-'));
try {
  const found = parsedByPython(sized(1_000_000, 20));
  const training = Array.from({ length: sized(40, 1) }, (_, index) => path.join(folder, `train${index}.py`));
  for (const [index, file] of training.entries()) await writeFile(file, wholeOf(scriptOf(500 + 50 * index)));
  const files = [...found, ...training];
  const list = path.join(folder, 'files.json');
  await writeFile(list, JSON.stringify(files));
  const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const python = Number(execFileSync('python3', ['-I', '-c', TIME_PYTHON, list]));
    const ours = Number(execFileSync(process.execPath, [TIME_OURS, list]));
    return { python, ours, ratio: ours / python };
  });
  const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
  const ratio = median(rounds.map((round) => round.ratio));
  const rate = (seconds: number) => `${(bytes / 1e6 / seconds).toFixed(1)} MB/s`;
  console.log(
    `judgement, ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB  ${rate(median(rounds.map(({ ours }) => ours)))}, ` +
      `ast.parse ${rate(median(rounds.map(({ python }) => python)))}: median ${ratio.toFixed(2)} times its time   ` +
      `bound 1: ${ratio <= 1 ? 'met' : 'MISSED'}`,
  );
} finally {
  await rm(folder, { recursive: true });
}
