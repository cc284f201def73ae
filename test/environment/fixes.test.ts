/** The exact result of a fix in every kind of file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EnvironmentKind } from '../../server/src/environment/environmentFile.ts';
import { lintEnvironment } from '../../server/src/lint/lintEnvironment.ts';
import { script } from '../../server/src/python/semantic/source.ts';
import { applyEdits } from '../../server/src/rules/engine/fixAll.ts';

/** A file with one finding, the title of its fix, and the replaced and the new text. */
type Case = readonly [kind: EnvironmentKind, text: string, title: string, before: string, after: string];

const VISION = ['Change to torchvision 0.16.0', '0.15.2', '0.16.0'] as const;

const CASES: readonly Case[] = [
  ['requirements', 'torch==2.1.0\ntorchvision[scipy] == 0.15.2 ; os_name == "posix"  # kept\n', ...VISION],
  ['requirementsIn', '-c other.txt\ntorch==2.1.0\ntorchvision==0.15.2\n', ...VISION],
  [
    'pyproject',
    '[project]\nname = "x"\ndependencies = [\n  "torch==2.1.0", # kept\n  \'torchvision==0.15.2\',\n]\n',
    ...VISION,
  ],
  ['pyproject', '[tool.poetry.dependencies]\ntorch = "2.1.0"\ntorchvision = {version = "0.15.2"}\n', ...VISION],
  ['pyproject', '[tool.pdm.dev-dependencies]\ngpu = ["torch==2.1.0", "torchvision==0.15.2"]\n', ...VISION],
  ['setupCfg', '[options]\ninstall_requires =\n    torch==2.1.0\n    torchvision==0.15.2\n', ...VISION],
  [
    'conda',
    'dependencies:\n  - pytorch=2.1.0\n  - torchvision=0.15.2  # kept\n',
    'Change to torchvision 0.16.0',
    'torchvision=0.15.2',
    'torchvision=0.16.0',
  ],
  ['conda', 'dependencies:\n  - pip:\n      - torch==2.1.0\n      - torchvision==0.15.2\n', ...VISION],
  ['pixi', '[pypi-dependencies]\ntorch = "==2.1.0"\ntorchvision = { version = "==0.15.2" }\n', ...VISION],
  ['dockerfile', 'FROM python:3.11\nRUN pip install torch==2.1.0 \\\n    "torchvision==0.15.2"\n', ...VISION],
  [
    'devcontainer',
    '{ "image": "python:3.11", "postCreateCommand": "pip install torch==2.1.0 \\"torchvision==0.15.2\\"" }\n',
    ...VISION,
  ],
  [
    'devcontainer',
    '{\n\t"image": "nvidia/cuda:12.4.1-base-ubuntu22.04" // kept\n}\n',
    'Request a GPU if one is available',
    '"image"',
    '"hostRequirements": { "gpu": "optional" },\n\t"image"',
  ],
  [
    'compose',
    'services:\n  train:\n    # kept\n    image: nvidia/cuda:12.4.1-base-ubuntu22.04\n    ports: []\n',
    'Add `gpus: all`',
    '    image',
    '    gpus: all\n    image',
  ],
];

function findings(kind: EnvironmentKind, text: string) {
  const onRuleError = (_: string, error: unknown) => {
    throw error;
  };
  return lintEnvironment(kind, script('file', text), { onRuleError }, () => undefined);
}

test('a fix makes exactly the stated change', () => {
  for (const [kind, text, title, before, after] of CASES) {
    const { program, findings: found } = findings(kind, text);
    const fix = found.flatMap((finding) => finding.fixes()).find((each) => each.title === title);
    assert.ok(fix, `${kind}: ${found.map(({ message }) => message).join(' ')}`);
    const fixed = applyEdits(program, fix.edits).cells[0]?.text;
    assert.equal(
      fixed,
      text.replace(before, () => after),
      kind,
    );
    const again = findings(kind, fixed ?? '').findings.flatMap((finding) => finding.fixes());
    assert.deepEqual(
      again.filter((each) => each.title === title),
      [],
    );
  }
});

test('a service on one line, or with the setting, is unchanged', () => {
  for (const [kind, text] of [
    ['compose', 'services: { train: { image: "nvidia/cuda:12.4.1-base-ubuntu22.04" } }\n'],
    ['devcontainer', '{ "hostRequirements": { "cpus": 4 }, "image": "nvidia/cuda:12.4.1-base-ubuntu22.04" }'],
  ] as const) {
    const { findings: found } = findings(kind, text);
    assert.deepEqual(
      found.map(({ code, fixes }) => [code, fixes()]),
      [['GPU602', []]],
    );
  }
});
