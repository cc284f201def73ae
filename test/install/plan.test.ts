/** Plans that need no index other than PyPI, resolved by uv and pip with real metadata. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { execa } from 'execa';
import { planEnvironment } from '../../server/src/provision/planEnvironment.ts';
import { factsOf, needsOf } from '../provision/machines.ts';
import { environmentWithUv } from './uv.ts';

/** Machines with needs whose plans use PyPI alone, and the expected resolution. */
const PLANS: readonly [machine: string, needs: readonly string[], resolved: RegExp][] = [
  [
    'driver-r610-labels',
    ['torch', 'torchvision', 'torchaudio', 'transformers'],
    /^torch==2\.15\.0$[\s\S]*^torchvision==0\.29\./m,
  ],
  ['wsl2-rtx3060', ['vllm'], /^nvidia-cudnn-cu12==9\.10\.2\.21$[\s\S]*^torch==2\.10\.0$/m],
  ['wsl2-rtx3060', ['xformers', 'torch==2.6.*'], /^torch==2\.6\.0$/m],
  ['wsl2-rtx3060', ['tensorflow', 'jax', 'keras'], /^jax-cuda12-plugin==0\.12\.[\s\S]*^tensorflow==2\.21\./m],
  [
    'wsl2-rtx3060',
    ['torch==2.10.*', 'tensorflow', 'jax', 'onnxruntime-gpu'],
    /^onnxruntime-gpu==1\.26\.[\s\S]*^tensorflow==2\.20\.[\s\S]*^torch==2\.10\.0$/m,
  ],
  [
    'driver-r610-labels',
    ['torch', 'jax', 'onnxruntime-gpu'],
    /^jax-cuda13-plugin==0\.12\.[\s\S]*^nvidia-cudnn-cu13==/m,
  ],
  ['conda-held-to-the-cpu', ['tensorflow'], /^tensorflow==2\.14\./m],
];

describe('a plan for PyPI', { concurrency: 3 }, () => {
  let folder = '';
  const tool = (name: string) => path.join(folder, 'bin', name);

  before(async () => {
    folder = await environmentWithUv();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const [machine, needs, resolved] of PLANS)
    it(`of ${needs.join(' and ')} for ${machine} resolves`, async () => {
      const { python, installations } = planEnvironment(await factsOf(machine), needsOf(...needs), 'uv');
      assert.ok(installations.every(({ index, page }) => index === null && page === null));
      const input = installations.flatMap(({ requirements }) => requirements).join('\n');
      const platform = ['--python-version', python?.version ?? '', '--python-platform', 'x86_64-manylinux_2_35'];
      const options = ['--quiet', '--no-header', '--no-annotate', '--only-binary', ':all:'];
      const { stdout } = await execa(tool('uv'), ['pip', 'compile', ...options, ...platform, '-'], { input });
      assert.match(stdout, resolved);
    });

  it('resolves with pip in a dry run', async () => {
    const facts = await factsOf('macos-apple-silicon');
    const { installations } = planEnvironment(facts, needsOf('torch==2.8.0', 'torchvision'), 'pip');
    const [first] = installations;
    const options = [
      '--dry-run',
      '--no-deps',
      '--quiet',
      '--report',
      '-',
      '--only-binary',
      ':all:',
      '--target',
      folder,
    ];
    const platform = ['--platform', 'macosx_12_0_arm64', '--python-version', '3.12'];
    const args = ['install', '--disable-pip-version-check', ...options, ...platform, ...(first?.requirements ?? [])];
    const { install } = JSON.parse((await execa(tool('pip'), args)).stdout);
    const names = install.map(
      ({ metadata }: { metadata: { name: string; version: string } }) => `${metadata.name} ${metadata.version}`,
    );
    assert.deepEqual(names.sort(), ['torch 2.8.0', 'torchvision 0.23.0']);
  });
});
