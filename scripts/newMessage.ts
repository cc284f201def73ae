/**
 * Scaffolds a message: `npm run new-message -- someFamily some-id` adds a message to a family of the catalogue and a
 * case that must match it, then generates the files that depend on them. All checks pass afterwards; then replace
 * pattern, causes and case with those of the real program.
 */
import { spawnSync } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { families, knownMessages } from '../server/src/messages/catalogue.ts';
import { root } from './root.ts';
import { run } from './run.ts';

const CASES = 'test/cases/cases.yaml';

await run(async () => {
  const [family = '', id = ''] = process.argv.slice(2);
  if (!families().some((each) => each === family) || !/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(id))
    throw new Error(
      `Usage: npm run new-message -- someFamily some-id. Families are the files in server/src/messages/catalogue: ${families().join(', ')}.`,
    );
  const existing = knownMessages().find((message) => message.id === id);
  if (existing) throw new Error(`The message ${id} already exists in ${existing.family}.`);
  for (const [file, text] of [
    [`server/src/messages/catalogue/${family}.yaml`, messageEntry(id)],
    [CASES, caseEntry(id)],
  ] as const) {
    await appendFile(path.join(root, file), text);
    console.log(`wrote ${file}`);
  }
  // This process has not loaded the new catalogue, so another one generates.
  const { status } = spawnSync(process.execPath, ['scripts/generate.ts'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('scripts/generate.ts failed.');
});

/** A text that no program prints, as a placeholder for the real one. */
function placeholderText(id: string): string {
  return `SomeProgramError: ${id.replaceAll('-', ' ')} of layer`;
}

function messageEntry(id: string): string {
  return `  - id: ${id}
    title: Some part of the program fails
    source: 'some-program: file that prints the message'
    patterns:
      - '${placeholderText(id)} (?<layer>[\\w.]+)'
    meaning: 'The message in other words: the layer {layer} fails.'
    causes:
      - id: first-cause
        text: A possible reason for the error. List the most common first.
        ask:
          title: See whether this is the reason
          command: some-command --show
        remedies:
          - title: Remove this cause
            command: some-command --option
    examples:
      - '${placeholderText(id)} encoder.0'
`;
}

function caseEntry(id: string): string {
  return `- id: ${id}
  text: |
    Traceback (most recent call last):
      File "train.py", line 3, in <module>
        main()
    ${placeholderText(id)} encoder.0
  message: ${id}
  asks: first-cause
  remedy: Remove this cause
`;
}
