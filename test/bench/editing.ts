/**
 * Times a keystroke: an edit and the diagnostics that come back for it, over JSON-RPC with the real server process.
 * Bounds are those that the project set itself; they are printed, not enforced, since machines differ.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SERVER_FLAGS } from '../../server/src/protocol.ts';
import { type Client, startClient } from '../lsp/client.ts';
import { cellsOf, scriptOf } from './programs.ts';

/** The server as it is shipped, run as VS Code runs it. */
const SERVER = fileURLToPath(new URL('../../dist/server.js', import.meta.url));
const EDITS = 300;
const WARM_UP = 60;

interface Bound {
  /** Milliseconds. */
  readonly median?: number;
  readonly p95: number;
}

const cleanups: (() => void)[] = [];
const scope = { after: (hook: () => void) => void cleanups.push(hook) };

/** Types a word, character by character and over again, and prints how long each keystroke took to be judged. */
async function time(
  name: string,
  bound: Bound,
  type: (client: Client, character: string) => Promise<void>,
  client: Client,
) {
  const word = 'learning_rate';
  const times: number[] = [];
  for (let edit = 0; edit < EDITS + WARM_UP; edit++) {
    const start = performance.now();
    await type(client, word[edit % word.length] ?? 'x');
    if (edit >= WARM_UP) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  const p95 = times[Math.floor(times.length * 0.95)] ?? 0;
  const isMet = p95 <= bound.p95 && median <= (bound.median ?? Number.POSITIVE_INFINITY);
  const bounds = `${bound.median === undefined ? '' : `median ${bound.median}, `}p95 ${bound.p95}`;
  console.log(
    `${name.padEnd(26)} median ${median.toFixed(1).padStart(6)} ms   p95 ${p95.toFixed(1).padStart(6)} ms   ` +
      `bound ${bounds} ms: ${isMet ? 'met' : 'MISSED'}`,
  );
}

async function timeScript(lines: number, bound: Bound): Promise<void> {
  const client = await startClient(scope, { command: [...SERVER_FLAGS, SERVER, '--stdio'] });
  const uri = 'file:///bench/train.py';
  const text = scriptOf(lines);
  // In the middle of the file, at the end of a line of a function's body.
  const line = text.slice(0, text.indexOf('optimizer.zero_grad', text.length / 2)).split('\n').length - 1;
  let character = text.split('\n')[line]?.length ?? 0;
  client.open(uri, text);
  await client.pull(uri);
  await time(
    `${lines} lines`,
    bound,
    async () => {
      client.edit(uri, { start: { line, character }, end: { line, character } }, character % 40 === 0 ? '# ' : 'x');
      character += character % 40 === 0 ? 2 : 1;
      await client.pull(uri);
    },
    client,
  );
  await client.stop();
}

async function timeNotebook(count: number, bound: Bound): Promise<void> {
  const client = await startClient(scope, { command: [...SERVER_FLAGS, SERVER, '--stdio'] });
  const notebook = 'file:///bench/train.ipynb';
  const cells = cellsOf(count).map((text, index) => ({
    uri: `vscode-notebook-cell:/bench/train.ipynb#${index}`,
    text,
  }));
  client.openNotebook(notebook, cells);
  const edited = cells[Math.floor(count / 2)] ?? cells[0];
  if (!edited) return;
  await client.pull(edited.uri);
  await time(
    `notebook of ${count} cells`,
    bound,
    async (_, character) => {
      client.editCell(
        notebook,
        edited.uri,
        { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
        `# ${character}\n`,
      );
      await client.pull(edited.uri);
    },
    client,
  );
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
    `${`${files} open files`.padEnd(26)} resident ${megabytes.toFixed(0)} MB   bound 150 MB: ${megabytes <= 150 ? 'met' : 'MISSED'}`,
  );
  await client.stop();
}

await timeScript(100, { median: 5, p95: 15 });
await timeScript(1_000, { median: 5, p95: 15 });
await timeScript(10_000, { p95: 60 });
await timeNotebook(200, { p95: 60 });
if (process.platform === 'linux') await measureMemory(500);
for (const cleanup of cleanups) cleanup();
