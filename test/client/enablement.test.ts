import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/root.ts';
import { stackMenu } from '../../server/src/lsp/stackMenu.ts';

const { contributes } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

test('the conditions of all commands of the menu are known to the menu', async () => {
  const source = await readFile(join(root, 'client/src/enablement.ts'), 'utf8');
  const summary = { text: '', state: 'unknown', missing: 'trust' } as const;
  const all = stackMenu(summary, [], undefined).entries.flatMap(({ action }) =>
    action.kind === 'command' ? [action.command] : [],
  );
  // VS Code's own, and the report's, which only the menu offers, have no condition.
  const unconditional = ['workbench.trust.manage', 'gpuDoctor.openReport'];
  const commands = all.filter((command) => !unconditional.includes(command));
  assert.equal(all.length, commands.length + unconditional.length);
  assert.ok(commands.includes('gpuDoctor.recordStack'));
  for (const command of commands) {
    const declared = contributes.commands.find((each: { command: string }) => each.command === command);
    assert.ok(declared, command);
    const inPalette = contributes.menus.commandPalette.find((each: { command: string }) => each.command === command);
    const clauses = [declared.enablement, inPalette?.when].filter((clause) => clause !== undefined);
    for (const term of clauses.flatMap((clause: string) => clause.split('&&')).map((each: string) => each.trim()))
      assert.ok(source.includes(`${term}: () =>`) || source.includes(`'${term}': () =>`), `${command}: ${term}`);
  }
});
