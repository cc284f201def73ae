/**
 * Scaffolds a rule: `npm run new-rule -- GPU999 some-name` writes its file, its page, a fixture that is reported and
 * one that is not, and its entry in the index, then generates the files that depend on them. All checks pass
 * afterwards; then adapt the rule's selector and texts.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { allRules } from '../server/src/lint/allRules.ts';
import { rules } from '../server/src/rules/index.ts';
import { root } from './root.ts';
import { run } from './run.ts';

await run(async () => {
  const [code = '', name = ''] = process.argv.slice(2);
  if (!/^GPU[1-9]\d\d$/.test(code) || !/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(name))
    throw new Error('Usage: npm run new-rule -- GPU999 some-name');
  const existing = allRules.find((rule) => rule.code === code || rule.name === name);
  if (existing) throw new Error(`${existing.code} ${existing.name} already exists.`);
  const identifier = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const index = 'server/src/rules/index.ts';
  const files: Readonly<Record<string, string>> = {
    [`server/src/rules/${identifier}.ts`]: ruleFile(code, name, identifier),
    [`docs/rules/${code}.md`]: page(code, name),
    [`test/rules/${code}/reported.py`]: reported(code, name),
    [`test/rules/${code}/not_reported.py`]: notReported(name),
    [index]: withRule(await readFile(path.join(root, index), 'utf8'), code, identifier),
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text, { flag: file === index ? 'w' : 'wx' });
    console.log(`wrote ${file}`);
  }
  // This process has not loaded the new rule, so another one generates.
  node('node_modules/@biomejs/biome/bin/biome', 'check', '--write', '--log-level=error', 'server/src/rules');
  node('scripts/generate.ts');
});

function node(...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${args[0]} failed.`);
}

/** `some_name`, as a Python identifier. */
function pythonName(name: string): string {
  return name.replaceAll('-', '_');
}

function ruleFile(code: string, name: string, identifier: string): string {
  const called = pythonName(name);
  return `import { reasonsOf } from '../guards/evidence.ts';
import { on, type Rule } from './engine/rule.ts';
import { callsOf } from './engine/selector.ts';

/** ${code}: the problem in a few words. */
export const ${identifier}: Rule = {
  code: '${code}',
  name: '${name}',
  summary: '\`torch.${called}\` is called.',
  reports: '\`torch.${called}\` is called',
  severity: 'warning',
  listener: on(callsOf('torch.${called}'), ({ call }, { aboutFile, evidenceAt, report }) => {
    report({
      span: { start: call.func.start, end: call.end },
      level: 'flag',
      reasons: [...aboutFile, ...reasonsOf(evidenceAt(call))],
      message: '\`torch.${called}\` fails where something is missing.',
    });
  }),
};
`;
}

function page(code: string, name: string): string {
  const called = pythonName(name);
  return `# ${code} ${name}

A self-contained paragraph: what the rule reports and why it matters.

Severity: warning · Fix: none

## Why is this bad?

Describe the failure and quote its error message.

## Example

\`\`\`python
torch.${called}()
\`\`\`

## What is reported

- A call of \`torch.${called}\`.

## What becomes a hint

- A call in a test file: \`test_*.py\`, \`*_test.py\`, \`conftest.py\`, anything below \`test/\` or \`tests/\`.
- A call under a [guard](../guards.md).

## What is left alone

- Functions of that name that are not PyTorch's.

## How to suppress

- One line: end it with \`# gpu-doctor: ignore[${code}]\` or \`# noqa: ${code}\`, or put the first one on a separate line above.
- One file: \`# gpu-doctor: ignore-file[${code}]\` anywhere in it.
- A project: \`ignore: [${code}]\` in \`.gpu-doctor.yaml\`; for yourself, the setting \`"gpuDoctor.severity": {"${code}": "off"}\`.
`;
}

function reported(code: string, name: string): string {
  const called = pythonName(name);
  return `import torch
from torch import ${called} as other_name

torch.${called}()  #: ${code}
other_name()  #: ${code}

if torch.cuda.is_available():
    torch.${called}()  #: ${code} hint
`;
}

function notReported(name: string): string {
  const called = pythonName(name);
  return `import torch
from mylib import ${called}

${called}()
torch.compile(${called})
print("torch.${called}()")
`;
}

/** Returns the index with the rule inserted by code. */
function withRule(index: string, code: string, identifier: string): string {
  const follower = rules.findIndex((rule) => rule.code > code);
  const listed = [...index.matchAll(/^ {2}(\w+),\n/gm)];
  const at = follower < 0 ? index.lastIndexOf('];') : (listed[follower]?.index ?? 0);
  const line = `  ${identifier},\n`;
  return `import { ${identifier} } from './${identifier}.ts';\n${index.slice(0, at)}${line}${index.slice(at)}`;
}
