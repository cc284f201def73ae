/**
 * Measures files with many sites: more than linear growth would reveal a quadratic loop. Uses CPU time, which other
 * programs disturb less than wall-clock time, where the system reports it per thread (Linux). The bound is the
 * project's own: at most 20 times as long for 16 times as many sites. It is printed, not enforced.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Range } from 'vscode-languageserver/node';
import { applyFixes, type Lint, lint } from '../../server/src/lint/lint.ts';
import { script } from '../../server/src/python/semantic/source.ts';
import { type Problem, problemOf } from '../../server/src/report/problem.ts';
import { startClient } from '../lsp/client.ts';
import { sized } from './size.ts';

/** The released server. */
const SERVER = fileURLToPath(new URL('../../dist/server.js', import.meta.url));
const FEW = Number(process.env.SITES ?? sized(500, 2));
const MANY = 16 * FEW;
const BOUND = 20;
const ROUNDS = sized(3, 1);

const FILES: Readonly<Record<string, (index: number) => string>> = {
  loads: (index) => `x${index} = torch.load("f${index}.pt")\n`,
  'loads and saves': (index) => `torch.save(m.state_dict(), "f${index}.pt")\nx = torch.load("f${index}.pt")\n`,
  'functions with .cuda()': (index) => `def f${index}(x):\n    return x.cuda()\n`,
  'methods with .cuda()': (index) => `class C${index}:\n    def f(self, x):\n        self.x = x.cuda()\n`,
  'functions that call each other': (index) => `def f${index}(x):\n    f${index + 1}(x)\n    return x.cuda()\n`,
  'pinned indices': (index) => `y${index} = x.to("cuda:1")\n`,
  'calls that raise': () => 'torch.cuda.synchronize()\n',
  'branches with both': () => 'if torch.cuda.is_available():\n    x = x.cuda()\nelse:\n    x = torch.load("a.pt")\n',
  'Keras loads': (index) => `m${index} = keras.models.load_model("a${index}.keras")\n`,
};

const HEAD = 'import keras\nimport torch\n\n';
const textOf = (file: (index: number) => string, sites: number) =>
  HEAD + Array.from({ length: sites }, (_, index) => file(index)).join('');

type Times = Record<'judging' | 'fixes' | '--fix' | 'editor', number>;

/** CPU time of a process so far in milliseconds, in all threads; wall-clock time on systems other than Linux. */
function workOf(pid: number): number {
  if (!existsSync('/proc/self/schedstat')) return performance.now();
  const threads = globSync(`/proc/${pid}/task/*/schedstat`);
  return threads.reduce((sum, thread) => sum + Number.parseInt(readFileSync(thread, 'utf8'), 10), 0) / 1e6;
}

/** Average time over consecutive runs. */
async function timed(times: number, work: () => unknown, pid = process.pid): Promise<number> {
  const start = workOf(pid);
  for (let time = 0; time < times; time++) await work();
  return (workOf(pid) - start) / times;
}

/**
 * Small programs are analyzed proportionally more often, so that both sides pay for their garbage collection. Each run
 * analyzes a new program, so that nothing is cached.
 */
async function timesOf(text: string, times: number): Promise<Times> {
  const source = script('/bench/sites.py', text);
  const judged = Array.from({ length: times }, () => lint(source));
  return {
    judging: await timed(times, () => lint(source)),
    fixes: await timed(times, () => withFixes(judged.pop())),
    '--fix': await timed(times, () => applyFixes(source)),
    editor: await timed(times, () => inEditor(text), client.process.pid),
  };
}

function withFixes(judged: Lint | undefined): readonly Problem[] {
  return judged?.findings.map((finding) => problemOf('/bench/sites.py', judged.program, finding)) ?? [];
}

/** Opens the file and requests the code actions for one site. */
async function inEditor(text: string): Promise<void> {
  const uri = 'file:///bench/sites.py';
  client.open(uri, text);
  const [first] = await client.diagnostics(uri);
  const range: Range = first?.range ?? { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  await client.actions(uri, range);
  client.close(uri);
}

const best = (all: readonly Times[], key: keyof Times) => Math.min(...all.map((times) => times[key]));

const cleanups: (() => void)[] = [];
const client = await startClient({ after: (hook) => void cleanups.push(hook) }, { command: [SERVER, '--stdio'] });
for (const [name, file] of Object.entries(FILES)) {
  const rounds: { few: Times; many: Times }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ few: await timesOf(textOf(file, FEW), MANY / FEW), many: await timesOf(textOf(file, MANY), 1) });
  const few = rounds.map((round) => round.few);
  const many = rounds.map((round) => round.many);
  console.log(`${name}, ${FEW} and ${MANY}`);
  for (const key of Object.keys(few[0] ?? {}) as (keyof Times)[]) {
    const [short, long] = [best(few, key), best(many, key)];
    const ratio = long / short;
    const verdict = ratio <= BOUND ? 'met' : 'MISSED';
    console.log(
      `  ${key.padEnd(10)} ${short.toFixed(0).padStart(6)} ms ${long.toFixed(0).padStart(7)} ms   ${ratio.toFixed(1).padStart(5)} times   bound ${BOUND}: ${verdict}`,
    );
  }
}
await client.stop();
for (const cleanup of cleanups) cleanup();
