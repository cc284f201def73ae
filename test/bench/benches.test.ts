import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';

/** Files that other benchmarks use; `activation.ts` needs an editor and runs among its tests. */
const OTHERS = ['activation', 'astParse', 'buildIndex', 'measure', 'programs', 'size', 'timeLint', 'torchFile'];

const benches = globSync('*.ts', { cwd: import.meta.dirname })
  .map((file) => path.basename(file, '.ts'))
  .filter((name) => !name.endsWith('.test') && !OTHERS.includes(name));

for (const name of benches)
  test(`the benchmark \`${name}\` runs`, async () => {
    const { stdout } = await execa(process.execPath, [path.join(import.meta.dirname, `${name}.ts`)], {
      env: { TINY: '1' },
    });
    assert.match(stdout, /met|MISSED|within|OVER/);
  });
