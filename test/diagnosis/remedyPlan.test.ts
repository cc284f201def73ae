/** Recommendations: one torch for all diagnoses, and one plan for all remedies. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { root } from '../../scripts/root.ts';
import { judgeStack, type Verdict } from '../../server/src/diagnosis/judgeStack.ts';
import { installFittingTorch } from '../../server/src/diagnosis/remedies/installTorch.ts';
import { planOf } from '../../server/src/diagnosis/remedies/remedyPlan.ts';
import { fittingTorch, type TorchFamily } from '../../server/src/diagnosis/remedies/torchFamily.ts';
import { writeRemedies } from '../../server/src/diagnosis/remedies/writeRemedies.ts';
import { gpuPackageFiles } from '../../server/src/published/gpuPackages.ts';
import { gpuPackageSchema } from '../../server/src/published/packageSchema.ts';
import { cudaOfTag, torchReleaseOf, torchReleases } from '../../server/src/published/releases/torchReleases.ts';
import {
  type FrameworkBuild,
  knownValue,
  type ProjectTool,
  type StackFacts,
} from '../../server/src/stack/facts/facts.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { describedMachine } from '../stack/describedMachine.ts';
import { loadRecording, recordedMachine } from '../stack/recordedMachine.ts';

test('the package catalogue is valid', () => {
  for (const [name, file] of Object.entries(gpuPackageFiles()))
    assert.deepEqual([name, gpuPackageSchema.safeParse(file).error], [name, undefined]);
});

test("every release of torch has wheels for PyPI's default CUDA", () => {
  for (const { torch, pypi, builds } of torchReleases()) assert.ok(builds.has(pypi), torch);
});

async function factsOf(name: string): Promise<StackFacts> {
  const folder = path.join(root, 'test', 'stack', 'machines', name);
  const recording = await loadRecording(folder);
  return readStack({ machine: recordedMachine(folder, recording), folders: recording.folders ?? [] });
}

describe('the torch for a machine', () => {
  const CHOSEN: readonly [machine: string, torch: string | undefined][] = [
    // The release stays, with another CUDA.
    ['cuda-10-torch-on-ampere', '1.8.1+cu111'],
    // No wheel of 2.6 supports the GPU, so the next release that does.
    ['blackwell-with-two-troubles', '2.7.1+cu128'],
    // Another package's exact requirement.
    ['vllm-of-other-torch', '2.1.2+cu121'],
    // The installed version is as good as any.
    ['extensions-that-fit', '2.6.0+cu124'],
    // NVIDIA's own builds are for boards.
    ['jetson-wheel-of-other-jetpack', undefined],
    ['mac-with-tensorflow', undefined],
  ];
  for (const [machine, torch] of CHOSEN) {
    it(`is ${torch ?? 'not available from an index'} on ${machine}`, async () => {
      const family = fittingTorch(await factsOf(machine));
      assert.equal(family && `${family.torch}+${family.tag}`, torch);
    });
  }
});

test('another build of the same version replaces the installed one, with the tool that owns the lock file', async () => {
  const facts = await factsOf('poetry-project-with-cpu-torch');
  const commandWith = (tool: ProjectTool) => {
    const project = { ...facts, projectTool: { value: tool, source: 'test', readAt: '' } };
    return writeRemedies(installFittingTorch(project), project)[0]?.command;
  };
  // Tested: without what follows, PDM 2.26 reuses the installed build instead of the one that it just locked.
  assert.match(commandWith('pdm') ?? '', / >> pyproject\.toml && pdm add torch==\S+ && pdm sync --reinstall$/);
  assert.match(
    commandWith('pipenv') ?? '',
    /^pipenv run pip uninstall --yes torch && pipenv install --index \S+ torch==/,
  );
});

/** Returns the facts after installation of that family. */
function withFamily(facts: StackFacts, { torch, tag, companions }: TorchFamily): StackFacts {
  const installed = (version: string): Partial<FrameworkBuild> => ({
    version,
    target: 'cuda',
    cuda: cudaOfTag(tag),
    rocm: null,
    cudnn: torchReleaseOf(torch)?.builds.get(tag)?.cudnn ?? null,
    pinned: [],
    alsoInstalled: [],
    installer: 'pip',
  });
  const replaced = (name: 'torch' | 'torchvision' | 'torchaudio', version: string | null) => {
    const fact = facts.frameworks[name];
    return 'value' in fact && fact.value && version !== null
      ? { ...fact, value: { ...fact.value, ...installed(version) } }
      : fact;
  };
  const versionOf = (name: 'torchvision' | 'torchaudio') =>
    companions.includes(name) ? `${torchReleaseOf(torch)?.[name]}.0+${tag}` : null;
  const none = { value: null, source: 'test', readAt: '' };
  return {
    ...facts,
    runtime: { ...facts.runtime, torch: none },
    loadedCudnn: { ...facts.loadedCudnn, torch: none },
    condaPackages: { value: [], source: 'test', readAt: '' },
    frameworks: {
      ...facts.frameworks,
      torch: replaced('torch', `${torch}+${tag}`),
      torchvision: replaced('torchvision', versionOf('torchvision')),
      torchaudio: replaced('torchaudio', versionOf('torchaudio')),
    },
  };
}

/** Diagnoses that another torch and its companions must remove. */
const TORCH_DIAGNOSES =
  /^(cpu-only-torch|gpu-(newer|older)-than-build|torchvision-of-other-(build|release)|packages-clash|driver-too-old)$/;

test('the recommended torch removes every diagnosis for which it is recommended, and causes no other', async () => {
  let count = 0;
  for (const file of globSync('test/stack/machines/*/machine.yaml', { cwd: root })) {
    const facts = await factsOf(path.basename(path.dirname(file)));
    const family = fittingTorch(facts);
    if (family === undefined || !knownValue(facts.frameworks.torch)) continue;
    const about = ({ id, severity, finding }: Verdict) =>
      severity !== 'information' && TORCH_DIAGNOSES.test(id) && /\btorch/.test(finding) && !/numpy/.test(finding);
    const before = judgeStack(facts).filter(about);
    const after = judgeStack(withFamily(facts, family)).filter(about);
    assert.deepEqual(
      after.map(({ finding }) => finding),
      [],
      file,
    );
    count += before.length;
  }
  assert.ok(count >= 15, `${count}`);
});

describe('the plan', () => {
  const verdict = (id: string, remedies: Verdict['remedies'], severity: Verdict['severity'] = 'warning'): Verdict => ({
    id,
    severity,
    finding: id,
    why: [],
    remedies,
    page: '',
  });
  const remedy = (command: string) => ({ title: command, command });
  const [install, update, remove] = [remedy('install'), remedy('update'), remedy('remove')];

  it('lists each step once, with the diagnoses that it removes', () => {
    assert.deepEqual(planOf([verdict('a', [install]), verdict('b', [install]), verdict('c', [update])]), [
      { do: [install], or: [], solves: ['a', 'b'] },
      { do: [update], or: [], solves: ['c'] },
    ]);
  });

  it('prefers the alternative that is needed in any case', () => {
    const plan = planOf([verdict('a', [update, install]), verdict('b', [install])]);
    assert.deepEqual(plan, [{ do: [install], or: [], solves: ['a', 'b'] }]);
  });

  it('keeps steps together that belong together, and omits mere information', () => {
    const second = { ...install, continues: true as const };
    const plan = planOf([verdict('a', [remove, second, update]), verdict('b', [update], 'information')]);
    assert.deepEqual(plan, [{ do: [remove, second], or: [[update]], solves: ['a'] }]);
  });
});

describe('the TensorFlow for a machine', () => {
  const buildInfo = `build_info = collections.OrderedDict([('cuda_compute_capabilities', ['sm_80', 'compute_80']), ('cuda_version', '11.8'), ('cudnn_version', '8'), ('is_cuda_build', True)])`;
  const commands = async (python: string) => {
    const machine = describedMachine({
      gpus: ['NVIDIA A100-PCIE-40GB 8.0'],
      python,
      packages: ['tensorflow==2.14.1'],
      inPackages: { 'tensorflow/python/platform/build_info.py': buildInfo },
    });
    return judgeStack(await readStack(machine)).flatMap(({ remedies }) => remedies.map(({ command = '' }) => command));
  };

  it("is another release if the extra's requirements have no wheels for this Python", async () => {
    assert.match((await commands('3.11.7'))[0] ?? '', /tensorflow\[and-cuda\]==2\.15\.\*/);
  });

  it('is the installed one if it can be resolved', async () => {
    assert.match((await commands('3.10.12'))[0] ?? '', /tensorflow\[and-cuda\]==2\.14\.1"/);
  });
});
