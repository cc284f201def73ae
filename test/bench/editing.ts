/**
 * Measures a keystroke: an edit and the resulting diagnostics, over JSON-RPC with the real server process. Every text
 * is analyzed from scratch. The bound is the time of CPython's `ast.parse` for the same text on this machine, and three
 * times that for the slowest keystroke; it is printed, not enforced.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Range } from 'vscode-languageserver/node';
import { SERVER_FLAGS } from '../../server/src/protocol.ts';
import { type Client, startClient } from '../lsp/client.ts';
import { astParseTime } from './astParse.ts';
import { cellsOf, scriptOf, wholeOf } from './programs.ts';
import { sized } from './size.ts';

/** The released server, run as VS Code runs it. */
const SERVER = fileURLToPath(new URL('../../dist/server.js', import.meta.url));
const EDITS = sized(300, 2);
const WARM_UP = sized(60, 1);

const cleanups: (() => void)[] = [];
const scope = { after: (hook: () => void) => void cleanups.push(hook) };

/** The place in a program of `scriptOf` and the text that is typed there repeatedly, character by character. */
interface Typing {
  readonly name: string;
  /** The start of a line; the text is typed above the first such line in the last two thirds of the file. */
  readonly above: string;
  readonly typed: string;
  /** The parts of the line before and after the typed text. */
  readonly around?: readonly [before: string, after: string];
}

const TYPING: readonly Typing[] = [
  // Alternately complete and incomplete, as when a user writes a line of a function.
  {
    name: 'a statement',
    above: '            loss.backward()',
    typed: '            scores = self.head(logits[0], "mean")',
  },
  { name: 'a comment', above: '            loss.backward()', typed: '            # The mean over the batch.' },
  {
    name: 'below a bracket that is open',
    above: '            loss.backward()',
    typed: '            step(learning rate of',
  },
  // An attribute's value may matter wherever an attribute has that name.
  {
    name: 'a layer',
    above: '        self.dropout = ',
    typed: 'channels, channels, 3',
    around: ['        self.first = nn.Conv2d(', ')'],
  },
  // Any call of a function in the program may be guarded.
  {
    name: 'arguments of a call',
    above: '            loss.backward()',
    typed: 'model, loader[0], optimizer',
    around: ['            best = train_1(', ')'],
  },
  // Code outside functions may affect any of them.
  { name: 'a global', above: 'def train_', typed: 'LEARNING_RATE = 3e-4' },
];

/** Prints the time per keystroke over many keystrokes, in milliseconds. */
async function time(name: string, text: string, type: (edit: number) => Promise<void>): Promise<void> {
  const before = astParseTime(text);
  const times: number[] = [];
  for (let edit = 0; edit < EDITS + WARM_UP; edit++) {
    const start = performance.now();
    await type(edit);
    if (edit >= WARM_UP) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  const p95 = times[Math.floor(times.length * 0.95)] ?? 0;
  // The load of the machine may have changed meanwhile.
  const bound = (before + astParseTime(text)) / 2;
  const isMet = median <= bound && p95 <= 3 * median;
  console.log(
    `${name.padEnd(44)} median ${median.toFixed(1).padStart(6)} ms   p95 ${p95.toFixed(1).padStart(6)} ms   ` +
      `bound ${bound.toFixed(1)} ms (ast.parse): ${isMet ? 'met' : 'MISSED'}`,
  );
}

/** Pulls diagnostics as an editor does, passing the previous result id. */
function puller(client: Client, uri: string): () => Promise<void> {
  let last: string | undefined;
  return async () => {
    last = (await client.pull(uri, last)).resultId;
  };
}

async function timeScript(lines: number): Promise<void> {
  for (const { name, above, typed, around: [before, after] = ['', ''] } of TYPING.slice(0, sized(TYPING.length, 1))) {
    const client = await startClient(scope, { command: [...SERVER_FLAGS, SERVER, '--stdio'] });
    const uri = 'file:///bench/train.py';
    const text = scriptOf(lines);
    const line = text.slice(0, text.indexOf(`\n${above}`, text.length / 3) + 1).split('\n').length - 1;
    assert.ok(line > 0, above);
    client.open(uri, text);
    client.edit(uri, emptyAt(line, 0), `${before}${after}\n`);
    const pull = puller(client, uri);
    await pull();
    await time(`${lines} lines, ${name}`, wholeOf(text), async (edit) => {
      const index = edit % (typed.length + 1);
      const at = emptyAt(line, before.length + index);
      // A complete line is removed again, as if the user undid it.
      if (index === typed.length) client.edit(uri, { start: emptyAt(line, before.length).start, end: at.end }, '');
      else client.edit(uri, at, typed.charAt(index));
      await pull();
    });
    await client.stop();
  }
}

function emptyAt(line: number, character: number): Range {
  return { start: { line, character }, end: { line, character } };
}

async function timeNotebook(count: number): Promise<void> {
  const client = await startClient(scope, { command: [...SERVER_FLAGS, SERVER, '--stdio'] });
  const notebook = 'file:///bench/train.ipynb';
  const cells = cellsOf(count).map((text, index) => ({
    uri: `vscode-notebook-cell:/bench/train.ipynb#${index}`,
    text,
  }));
  client.openNotebook(notebook, cells);
  const edited = cells[Math.floor(count / 2)] ?? cells[0];
  if (!edited) return;
  const judged = (version: number) =>
    client.published((published) => published.uri === edited.uri && published.version === version);
  await judged(1);
  const whole = cells.map(({ text }) => text).join('\n');
  await time(`notebook of ${count} cells`, whole, async (edit) => {
    client.editCell(notebook, edited.uri, emptyAt(0, 0), `# ${edit}\n`);
    await judged(edit + 2);
  });
  await client.stop();
}

async function measureMemory(files: number): Promise<void> {
  const client = await startClient(scope, { command: [...SERVER_FLAGS, SERVER, '--stdio'] });
  for (let file = 0; file < files; file++) {
    const uri = `file:///bench/${file}.py`;
    client.open(uri, scriptOf(200));
    await client.pull(uri);
  }
  const status = readFileSync(`/proc/${client.process.pid}/status`, 'utf8');
  const megabytes = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  console.log(
    `${`${files} open files`.padEnd(44)} resident ${megabytes.toFixed(0)} MB   bound 150 MB: ${megabytes <= 150 ? 'met' : 'MISSED'}`,
  );
  await client.stop();
}

for (const lines of sized([1_000, 3_000, 10_000], [200])) await timeScript(lines);
await timeNotebook(sized(200, 4));
if (process.platform === 'linux') await measureMemory(sized(500, 2));
for (const cleanup of cleanups) cleanup();
