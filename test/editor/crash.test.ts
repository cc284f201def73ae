import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { ended } from '../stack/processes.ts';
import { type Editor, openEditor } from './editor.ts';

const LOAD = 'import torch\n\nfirst = torch.load("first.pt")\n';

/** More often than a language client restarts a server by default. */
const TIMES = 5;

/** The language server of an editor. */
function serverOf({ folder }: Editor): number | undefined {
  const isServer = (pid: string) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return /\/dist\/server\.js\0/.test(words) && readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  };
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isServer(name));
  return pid === undefined ? undefined : Number(pid);
}

/** Returns the parent of a process: for a language server, the process of its client. */
function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

describe('a server that is killed', { skip: process.platform !== 'linux' && 'needs /proc' }, () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({ 'load.py': LOAD });
  });
  after(() => editor?.close());

  test(`restarts each of ${TIMES} times, with the findings of the edits in between`, async () => {
    const { page } = editor;
    const squiggles = page.locator('.squiggly-warning');
    await editor.open('load.py');
    await squiggles.first().waitFor();
    await page.keyboard.press('Control+End');
    for (let time = 1; time <= TIMES; time++) {
      const server = serverOf(editor);
      assert.ok(server !== undefined, 'a server runs');
      await page.keyboard.type(`more${time} = torch.`);
      // On a busy machine the client notices late that its server ended, after sending more edits.
      const client = parentOf(server);
      process.kill(client, 'SIGSTOP');
      try {
        process.kill(server, 'SIGKILL');
        await page.keyboard.type(`load("${time}.pt")\n`, { delay: 50 });
      } finally {
        process.kill(client, 'SIGCONT');
      }
      await ended(server);
      await squiggles.nth(time).waitFor();
    }
    await editor.finish('a server that was killed');
    assert.equal(
      await editor.save('load.py'),
      LOAD + Array.from({ length: TIMES }, (_, n) => `more${n + 1} = torch.load("${n + 1}.pt")\n`).join(''),
    );
  });
});
