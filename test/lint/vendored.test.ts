import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseProgram } from '../../server/src/guards/program.ts';
import { copiedFrom, originOf } from '../../server/src/lint/vendored.ts';
import { script } from '../../server/src/python/semantic/source.ts';
import { folderWith } from '../cli/run.ts';

const LOAD = 'import torch\n\nstate = torch.load("a.pt")\n';
const MIT = (author: string) => `MIT License\n\nCopyright (c) 2021 ${author}\n\nPermission is hereby granted ...\n`;
const GITMODULES = '[submodule "parser"]\n\tpath = tools/parser\n\turl = https://example.com/parser.git\n';

const FILES = {
  LICENSE: MIT('Ada Lovelace'),
  'setup.py': 'from setuptools import setup\nsetup(name="own", author="Ada Lovelace")\n',
  '.gitmodules': GITMODULES,
  'train.py': LOAD,
  'third_party/nets/load.py': LOAD,
  'vendor_api/load.py': LOAD,
  'tools/parser/load.py': LOAD,
  'tools/parse.py': LOAD,
  'lib/nets/LICENSE': MIT('Grace Hopper'),
  'lib/nets/deep/load.py': LOAD,
  'lib/other/LICENSE': 'Apache License, Version 2.0\n\n1. Definitions.\n',
  'lib/other/load.py': LOAD,
  'lib/own/LICENSE': MIT('Ada Lovelace'),
  'lib/own/load.py': LOAD,
  'ops/setup.py': 'from setuptools import setup\nsetup(name="ops", author="Grace Hopper")\n',
  'ops/load.py': LOAD,
  'kernels/setup.py': 'from setuptools import setup\nsetup(name="kernels")\n',
  'kernels/load.py': LOAD,
  'tools/gathered/nets/LICENSE': MIT('Grace Hopper'),
  'tools/gathered/voices/LICENSE': MIT('Alan Turing'),
  'tools/gathered/sounds/load.py': LOAD,
  'src/nets/LICENSE': MIT('Grace Hopper'),
  'src/voices/LICENSE': MIT('Alan Turing'),
  'src/data/load.py': LOAD,
  'src/models/load.py': LOAD,
  'src/training/load.py': LOAD,
  'tools/mixed/nets/LICENSE': MIT('Grace Hopper'),
  'tools/mixed/sounds/load.py': LOAD,
  'packages/one/LICENSE': MIT('Grace Hopper'),
  'packages/one/load.py': LOAD,
  'detectron2/copy.py': `# Copyright (c) Facebook, Inc. and its affiliates.\n${LOAD}`,
  'detectron2/own.py': `# Copyright (c) Ada Lovelace\n${LOAD}`,
  'detectron2/plain.py': LOAD,
};

test('copies of other projects are recognized by their location', async (t) => {
  const root = await folderWith(t, FILES);
  mkdirSync(join(root, '.git'));
  const reasonOf = (path: string) => {
    const file = join(root, path);
    const text = FILES[path as keyof typeof FILES];
    return copiedFrom(parseProgram(script(file, text)), originOf(file))[0]?.because;
  };
  const copies = Object.fromEntries(
    Object.keys(FILES)
      .filter((path) => path.endsWith('.py') && !path.endsWith('setup.py'))
      .flatMap((path) => {
        const because = reasonOf(path);
        return because === undefined ? [] : [[path, because]];
      }),
  );
  assert.deepEqual(copies, {
    'third_party/nets/load.py': "`third_party/` holds other projects' code",
    'tools/parser/load.py': 'it is part of a Git submodule',
    'lib/nets/deep/load.py': 'its folder is a package by other authors',
    'lib/other/load.py': 'its folder is a package by other authors',
    'tools/gathered/sounds/load.py': '`tools/gathered/` collects packages by other authors',
    'ops/load.py': 'its folder is a package by other authors',
    'detectron2/copy.py': 'this is a copy of the third-party package `detectron2`',
  });
});

test('folders above the project are ignored', async (t) => {
  const around = await folderWith(t, { 'external/project/train.py': LOAD, 'external/project/vendor/load.py': LOAD });
  const project = join(around, 'external/project');
  assert.deepEqual(originOf(join(project, 'train.py'), [project]), {});
  assert.ok(originOf(join(project, 'vendor/load.py'), [project]).copied);
  assert.deepEqual(originOf(join(project, 'train.py')), {}, 'a file without a project is not a copy');
});
