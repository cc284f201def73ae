/**
 * Scaffolds a rule: `npm run new-rule -- GPU999 some-name` writes its file, its page, a fixture that is reported and
 * one that is not, and its entry in the index, then generates the files that depend on them. Codes from GPU600 to
 * GPU699 are for rules on environment files. All checks pass afterwards; then adapt the rule's selector and texts.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { environmentRules } from '../server/src/environment/rules/index.ts';
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
  const isOfEnvironment = code.startsWith('GPU6');
  const folder = isOfEnvironment ? 'server/src/environment/rules' : 'server/src/rules';
  const index = `${folder}/index.ts`;
  const listed = isOfEnvironment ? environmentRules : rules;
  const files: Readonly<Record<string, string>> = {
    ...(isOfEnvironment
      ? environmentFiles(folder, code, name, identifier)
      : programFiles(folder, code, name, identifier)),
    [index]: withRule(await readFile(path.join(root, index), 'utf8'), listed, code, identifier),
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text, { flag: file === index ? 'w' : 'wx' });
    console.log(`wrote ${file}`);
  }
  // This process has not loaded the new rule, so another one generates.
  node('node_modules/@biomejs/biome/bin/biome', 'check', '--write', '--log-level=error', folder);
  node('scripts/generate.ts');
});

function node(...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${args[0]} failed.`);
}

/** Files of a rule on programs, by their paths. */
function programFiles(
  folder: string,
  code: string,
  name: string,
  identifier: string,
): Readonly<Record<string, string>> {
  const called = pythonName(name);
  return {
    [`${folder}/${identifier}.ts`]: ruleFile(code, name, identifier),
    [`docs/rules/${code}.md`]: page(code, name, {
      example: `\`\`\`python\ntorch.${called}()\n\`\`\``,
      reported: `A call of \`torch.${called}\`.`,
      fix: 'available',
      fixes: `\`torch.safe_${called}\`.`,
      hints: `- A call in a test file: \`test_*.py\`, \`*_test.py\`, \`conftest.py\`, anything below \`test/\` or \`tests/\`.
- A call under a [guard](../guards.md).`,
      leftAlone: "Functions of that name that are not PyTorch's.",
    }),
    [`test/rules/${code}/reported.py`]: reported(code, name),
    [`test/rules/${code}/not_reported.py`]: notReported(name),
    [`test/rules/${code}/fixed.in.py`]: `import torch\n\ntorch.${called}(1)  # kept\n`,
    [`test/rules/${code}/fixed.out.py`]: `import torch\n\ntorch.safe_${called}(1)  # kept\n`,
  };
}

/** Files of a rule on environment files, by their paths. */
function environmentFiles(
  folder: string,
  code: string,
  name: string,
  identifier: string,
): Readonly<Record<string, string>> {
  const fixtures = `test/environment/rules/${code}`;
  return {
    [`${folder}/${identifier}.ts`]: environmentRuleFile(code, name, identifier),
    [`docs/rules/${code}.md`]: page(code, name, {
      example: `\`\`\`\n${name}==1.0\n\`\`\``,
      reported: `A requirement of \`${name}\`.`,
      fix: 'none',
      hints: '- Nothing.',
      leftAlone: 'Other packages.',
    }),
    [`${fixtures}/reported/requirements.txt`]: `${name}==1.0  #: ${code}\n`,
    [`${fixtures}/notReported/requirements.txt`]: `other-${name}==1.0\n# ${name}==1.0\n`,
  };
}

function environmentRuleFile(code: string, name: string, identifier: string): string {
  return `import type { EnvironmentRule } from './environmentRule.ts';
import { requirementsNamed } from './requirements.ts';

/** ${code}: the problem in a few words. */
export const ${identifier}: EnvironmentRule = {
  code: '${code}',
  name: '${name}',
  summary: '\`${name}\` is required.',
  reports: '\`${name}\` is required',
  severity: 'warning',
  check(installation, report) {
    for (const { nameSpan } of requirementsNamed(installation, '${name}'))
      report({ span: nameSpan, level: 'flag', message: '\`${name}\` fails where something is missing.', fixes: () => [] });
  },
};
`;
}

/** `some_name`, as a Python identifier. */
function pythonName(name: string): string {
  return name.replaceAll('-', '_');
}

function ruleFile(code: string, name: string, identifier: string): string {
  const called = pythonName(name);
  return `import { reasonsOf } from '../guards/evidence.ts';
import { replacement } from './edits/placement.ts';
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
      fixes: () => [
        {
          title: 'Call \`torch.safe_${called}\`',
          tier: 'safe',
          edits: [replacement(call.func.start, call.func.end, 'torch.safe_${called}')],
        },
      ],
    });
  }),
};
`;
}

/** Parts of a rule's page that depend on what it checks; lists are in Markdown. */
interface PageParts {
  /** `available` for safe fixes, `sometimes` if only some findings have one, `suggested` for others. */
  readonly fix: 'available' | 'sometimes' | 'suggested' | 'none';
  readonly fixes?: string;
  readonly example: string;
  readonly reported: string;
  readonly hints: string;
  readonly leftAlone: string;
}

function page(
  code: string,
  name: string,
  { fix, fixes, example, reported: place, hints, leftAlone }: PageParts,
): string {
  return `# ${code} ${name}

A self-contained paragraph: what the rule reports and why it matters.

Severity: warning · Fix: ${fix}

## Why is this bad?

Describe the failure and quote its error message.

## Example

${example}

## What is reported

- ${place}

## What becomes a hint

${hints}

## What is left alone

- ${leftAlone}
${fixes === undefined ? '' : `\n## Fixes\n\n${fixes}\n`}
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

/** Returns the index with the rule inserted in the order of codes. */
function withRule(
  index: string,
  existing: readonly { readonly code: string }[],
  code: string,
  identifier: string,
): string {
  const follower = existing.findIndex((rule) => rule.code > code);
  const listed = [...index.matchAll(/^ {2}(\w+),\n/gm)];
  const at = follower < 0 ? index.lastIndexOf('];') : (listed[follower]?.index ?? 0);
  const line = `  ${identifier},\n`;
  return `import { ${identifier} } from './${identifier}.ts';\n${index.slice(0, at)}${line}${index.slice(at)}`;
}
