/**
 * Begins a message: `npm run new-message -- someFamily some-id` adds one to a family of the catalogue and a case that has to find it,
 * then generates what comes from these. All checks pass right after it; pattern, causes and case are then made those of the program.
 */
import { spawnSync } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { FAMILIES, knownMessages } from '../server/src/messages/catalogue.ts';
import { root } from './root.ts';
import { run } from './run.ts';

const CASES = 'test/cases/cases.yaml';

await run(async () => {
  const [family = '', id = ''] = process.argv.slice(2);
  if (!FAMILIES.some((each) => each === family) || !/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(id))
    throw new Error(
      `Say which: npm run new-message -- someFamily some-id. The families are the files of server/src/messages/catalogue: ${FAMILIES.join(', ')}.`,
    );
  const taken = knownMessages().find((message) => message.id === id);
  if (taken) throw new Error(`There is a message ${id} already, in ${taken.family}.`);
  for (const [file, text] of [
    [`server/src/messages/catalogue/${family}.yaml`, messageEntry(id)],
    [CASES, caseEntry(id)],
  ] as const) {
    await appendFile(path.join(root, file), text);
    console.log(`wrote ${file}`);
  }
  // What is generated comes from the catalogue as it is now, which this process has not read.
  const { status } = spawnSync(process.execPath, ['scripts/generate.ts'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('scripts/generate.ts failed.');
});

/** A text that no program prints, until it is made one that a program does. */
function printed(id: string): string {
  return `SomeProgramError: ${id.replaceAll('-', ' ')} of layer`;
}

function messageEntry(id: string): string {
  return `  - id: ${id}
    title: Some part of the program fails
    patterns:
      - '${printed(id)} (?<layer>[\\w.]+)'
    meaning: 'What the program says, in other words: the layer {layer} fails.'
    causes:
      - id: first-cause
        text: What may have led to it, the likeliest first.
        remedies:
          - title: What removes this cause
            command: some-command --option
    examples:
      - '${printed(id)} encoder.0'
`;
}

function caseEntry(id: string): string {
  return `- id: ${id}
  text: |
    Traceback (most recent call last):
      File "train.py", line 3, in <module>
        main()
    ${printed(id)} encoder.0
  message: ${id}
  cause: first-cause
  remedy: What removes this cause
`;
}
