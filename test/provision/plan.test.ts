/** Plans are a pure function of facts and needs, so a plan is computed for every recorded machine. */

import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { judgeStack } from '../../server/src/diagnosis/judgeStack.ts';
import { FORMS } from '../../server/src/provision/environmentPlan.ts';
import { changeSentences } from '../../server/src/provision/forms/lines.ts';
import { planEnvironment } from '../../server/src/provision/planEnvironment.ts';
import { knownValue } from '../../server/src/stack/facts/facts.ts';
import { companionOf, newestBuild, newestRocm, newestTorch } from '../newest.ts';
import { factsOf, machineNames, needsOf, withEmptyEnvironment, withPlanApplied } from './machines.ts';

const NEWEST = newestTorch();
const CU126 = newestTorch('cu126');

/** The installed requirements, each with its index unless that is PyPI. */
async function planned(machine: string, ...requirements: string[]): Promise<string> {
  const { outcome, python, installations } = planEnvironment(await factsOf(machine), needsOf(...requirements), 'pip');
  if (outcome === 'impossible') return outcome;
  const packages = installations.flatMap((each) =>
    each.requirements.map((one) => `${one}${each.index ? ` of ${each.index.match(/[^/]+$/)?.[0]}` : ''}`),
  );
  return `${outcome === 'driverFirst' ? 'driver first, ' : ''}${python?.version}: ${packages.join(', ')}`;
}

describe('a plan', () => {
  const PLANS: readonly [machine: string, needs: readonly string[], plan: string][] = [
    // A number too large for any release, which JavaScript would format in scientific notation.
    ['gh200', [`torch==0.0.${'2'.repeat(45)}`], 'impossible'],
    // PyPI's build, if the driver supports its CUDA.
    ['driver-r610-labels', ['torch'], `3.13: torch==${NEWEST}`],
    ['gh200', ['torch'], `3.12: torch==${NEWEST}`],
    // The newest CUDA that the driver supports.
    [
      'wsl2-rtx3060',
      ['torch', 'torchvision', 'torchaudio'],
      `3.12: torch==${CU126} of cu126, torchvision==${companionOf(CU126, 'torchvision')}.* of cu126, torchaudio==${companionOf(CU126, 'torchaudio')}.* of cu126`,
    ],
    // Wheels for CUDA 13 have no code for Pascal.
    ['gtx1080-with-cuda13', ['torch'], `3.12: torch==${CU126} of cu126`],
    ['gtx1080-with-cuda13', ['torch==2.8.0'], '3.12: torch==2.8.0 of cu126'],
    // cuDNN 9.10 is the last to support it; torch for CUDA 12.6 pins that version.
    ['gtx1080-with-cuda13', ['tensorflow'], '3.12: tensorflow[and-cuda]==2.21.*, nvidia-cudnn-cu12<9.11'],
    ['gtx1080-with-cuda13', ['jax'], '3.12: jax[cuda12]==0.12.*, nvidia-cudnn-cu12<9.11'],
    ['gtx1080-with-cuda13', ['onnxruntime-gpu'], '3.12: onnxruntime-gpu[cuda,cudnn]==1.26.*, nvidia-cudnn-cu12<9.11'],
    [
      'gtx1080-with-cuda13',
      ['faster-whisper'],
      '3.12: faster-whisper, ctranslate2>=4.5, nvidia-cublas-cu12, nvidia-cudnn-cu12>=9,<9.11',
    ],
    ['wsl2-rtx3060', ['tensorflow'], '3.12: tensorflow[and-cuda]==2.21.*'],
    // The requested CUDA major version.
    ['driver-r610-labels', ['jax'], '3.13: jax[cuda13]==0.12.*'],
    ['driver-r610-labels', ['jax[cuda12]'], '3.13: jax[cuda12]==0.12.*'],
    // Patch releases within a row of the table, and releases before it on machines without a GPU.
    ['wsl2-rtx3060', ['jax==0.4.26'], '3.12: jax[cuda12]==0.4.26'],
    ['wsl2-rtx3060', ['jax==0.4.33', 'numpy==1.26.4'], '3.12: jax[cuda12]==0.4.33, numpy==1.26.4'],
    ['laptop-without-gpu', ['jax==0.4.20'], '3.12: jax==0.4.20'],
    // Its extra needs a TensorRT that PyPI does not have.
    ['wsl2-rtx3060', ['tensorflow==2.15'], 'impossible'],
    ['wsl2-rtx3060', ['tensorflow==2.15.1'], '3.11: tensorflow[and-cuda]==2.15.1, numpy<2'],
    // The last build with code for Kepler.
    ['k80-with-new-wheel', ['torch'], '3.12: torch==2.7.1 of cu118'],
    // CUDA 12.8 is the first with code for Blackwell.
    ['blackwell-with-two-troubles', ['torch==2.8'], '3.12: torch==2.8.0'],
    // On Windows, PyPI has only CPU builds.
    ['windows-torch-from-pypi', ['torch'], `3.12: torch==${NEWEST} of ${newestBuild()}`],
    ['windows-tensorflow', ['tensorflow'], '3.10: tensorflow==2.10.*, numpy<2, protobuf<3.21'],
    // Both require CUDA 12 wheels and must share them; TensorFlow 2.21 needs a newer NCCL than torch is known to have.
    ['wsl2-rtx3060', ['torch', 'tensorflow'], `3.12: torch==${CU126} of cu126, tensorflow[and-cuda]==2.20.*`],
    ['wsl2-rtx3060', ['torch', 'jax'], `3.12: torch==${CU126} of cu126, jax[cuda12]==0.12.*`],
    // Add-ons determine the torch release.
    ['wsl2-rtx3060', ['vllm'], '3.12: vllm>=0.17.0,<0.20.0, torch==2.10.0'],
    // It requires transformers, whose newest releases reject that torch.
    ['wsl2-rtx3060', ['vllm==0.6.6'], '3.12: vllm==0.6.6, torch==2.5.1, transformers<5.20'],
    ['wsl2-rtx3060', ['xformers', 'torch==2.6.*'], '3.12: xformers>=0.0.29.post2,<0.0.30, torch==2.6.0'],
    [
      'wsl2-rtx3060',
      ['torch', 'flash-attn'],
      '3.12: torch==2.8.0, packaging, ninja, psutil, setuptools, wheel, flash-attn>=2.8.3,<2.8.3.post2',
    ],
    ['wsl2-rtx3060', ['torch-scatter'], '3.12: torch==2.8.0, torch-scatter'],
    ['wsl2-rtx3060', ['mmcv'], '3.12: torch==2.4.1, mmcv==2.2.*'],
    ['wsl2-rtx3060', ['sglang'], '3.12: sglang>=0.5.6,<0.5.11, torch==2.9.1'],
    // Its wheels on PyPI are for CUDA 12 and work with any torch for it.
    ['wsl2-rtx3060', ['xformers'], `3.12: torch==${CU126} of cu126, xformers==0.0.35`],
    ['driver-r610-labels', ['xformers'], '3.13: torch==2.13.0 of cu129, xformers==0.0.35'],
    [
      'wsl2-rtx3060',
      ['mamba-ssm'],
      `3.12: torch==${CU126} of cu126, packaging, ninja, psutil, setuptools, wheel, mamba-ssm`,
    ],
    // The package of that name on PyPI is compiled against the system's CUDA.
    ['wsl2-rtx3060', ['cupy'], '3.12: cupy-cuda12x[ctk]>=14'],
    ['driver-r610-labels', ['cupy'], '3.13: cupy-cuda13x[ctk]>=14'],
    ['driver-r610-labels', ['cupy<14'], '3.13: cupy-cuda13x<14'],
    ['laptop-without-gpu', ['cupy'], 'impossible'],
    // It loads these libraries dynamically and does not require their packages.
    [
      'wsl2-rtx3060',
      ['faster-whisper'],
      '3.12: faster-whisper, ctranslate2>=4.5, nvidia-cublas-cu12, nvidia-cudnn-cu12==9.*',
    ],
    // Torch 2.1 has cuDNN 8, which needs an older CTranslate2.
    [
      'wsl2-rtx3060',
      ['faster-whisper', 'torch==2.1.0'],
      '3.11: faster-whisper, ctranslate2>=4,<4.5, nvidia-cublas-cu12, nvidia-cudnn-cu12==8.*, torch==2.1.0, numpy<2',
    ],
    ['laptop-without-gpu', ['faster-whisper'], '3.12: faster-whisper'],
    // Newer releases reject that torch.
    ['macos-intel-homebrew', ['torch', 'transformers'], '3.12: torch==2.2.2, transformers<5.1, numpy<2'],
    ['wsl2-rtx3060', ['torch==2.1.2', 'transformers>=4.40'], '3.11: torch==2.1.2, transformers>=4.40,<4.56, numpy<2'],
    ['wsl2-rtx3060', ['torch==2.1.2', 'numpy==1.26.4'], '3.11: torch==2.1.2, numpy==1.26.4'],
    ['wsl2-rtx3060', ['torch==2.1.2', 'numpy==2.1.0'], 'impossible'],
    ['wsl2-rtx3060', ['torch', 'transformers'], `3.12: torch==${CU126} of cu126, transformers`],
    ['wsl2-rtx3060', ['transformers'], `3.12: torch==${CU126} of cu126, transformers`],
    ['wsl2-rtx3060', ['torch==2.8.0', 'torchcodec'], '3.12: torch==2.8.0, torchcodec>=0.6,<0.8'],
    ['wsl2-rtx3060', ['torch', 'torchcodec'], `3.12: torch==${CU126} of cu126, torchcodec>=0.12,<0.17`],
    // No other package requires it.
    ['wsl2-rtx3060', ['triton'], '3.12: triton'],
    ['wsl2-rtx3060', ['onnxruntime-gpu', 'torch'], `3.12: torch==${CU126} of cu126, onnxruntime-gpu==1.26.*`],
    // Other vendors.
    [
      'macos-apple-silicon',
      ['torch', 'tensorflow'],
      `3.12: torch==${NEWEST}, tensorflow==2.18.*, tensorflow-metal==1.2.0`,
    ],
    ['jetson-orin', ['torch'], 'impossible'],
    ['rocm-not-in-render-group', ['torch'], `3.12: torch==${newestTorch(newestRocm())} of ${newestRocm()}`],
  ];
  for (const [machine, needs, plan] of PLANS) {
    it(`for ${needs.join(' and ')} on ${machine}`, async () => {
      assert.equal(await planned(machine, ...needs), plan);
    });
  }

  it('is deterministic and synchronous', async () => {
    const facts = await factsOf('wsl2-rtx3060');
    const needs = needsOf('torch', 'vllm', 'transformers');
    assert.deepEqual(planEnvironment(facts, needs, 'uv'), planEnvironment(facts, needs, 'uv'));
  });
});

test("respects the Python that vLLM's wheels require, even if their names allow others", async () => {
  const facts = await factsOf('driver-r610-labels');
  const needs = { ...needsOf('vllm'), python: { specifier: '==3.10.*', because: 'pyproject.toml' } };
  const { installations } = planEnvironment(facts, needs, 'pip');
  assert.deepEqual(installations[0]?.requirements, ['vllm>=0.27.0,<0.33.0', 'torch==2.13.0']);
});

test('accepts a Python requirement with a patch version', async () => {
  const facts = await factsOf('wsl2-rtx3060');
  const needs = { ...needsOf('torch==1.11.0'), python: { specifier: '==3.7.13', because: 'environment.yml' } };
  const { outcome, python } = planEnvironment(facts, needs, 'conda');
  assert.deepEqual([outcome, python?.version], ['works', '3.7']);
});

test('adds the compiler that packages need to containers', async () => {
  const facts = await factsOf('wsl2-rtx3060');
  const dockerfile = (need: string) => planEnvironment(facts, needsOf(need), 'dockerfile').text;
  // Compiled during installation by the nvcc of torch's CUDA version.
  assert.match(dockerfile('flash-attn'), /^RUN conda create [^\n]* cuda-version=12\.8 cuda-toolkit gxx /m);
  assert.match(dockerfile('flash-attn'), /^ENV [^\n]*CUDA_HOME=\/opt\/conda\/envs\/gpu$/m);
  // It compiles kernels at run time.
  assert.match(
    dockerfile('vllm'),
    /^FROM python:3\.12-slim\n[^\n]*\nRUN apt-get update && apt-get install [^\n]*\bgcc\b/m,
  );
  assert.doesNotMatch(dockerfile('torch'), /gcc|gxx|nvcc/);
});

test('requests CUDA in versions that a conda channel has, in an environment of its own', async () => {
  const facts = await factsOf('wsl2-rtx3060');
  const lines = (form: (typeof FORMS)[number]) =>
    planEnvironment(facts, needsOf('tensorflow==2.12.*'), form).text.split('\n');
  const words = (quote: string) => `cudatoolkit=11.8 ${quote}cudnn>=8.6,<9${quote}`;
  assert.ok(lines('conda').some((line) => /^conda create .* pip /.test(line) && line.endsWith(words('"'))));
  // Conda's own Python must remain.
  const made = /conda create --yes --name gpu --override-channels --channel conda-forge python=/;
  const dockerfile = lines('dockerfile');
  assert.ok(dockerfile.some((line) => made.test(line) && line.includes(words('"'))));
  assert.ok(dockerfile.includes('ENV PATH=/opt/conda/envs/gpu/bin:$PATH LD_LIBRARY_PATH=/opt/conda/envs/gpu/lib'));
  const devcontainer = lines('devcontainer').find((line) => line.includes('postCreateCommand')) ?? '';
  assert.match(devcontainer, made);
  assert.ok(devcontainer.includes(words("'")));
  assert.match(devcontainer, /&& \/opt\/conda\/envs\/gpu\/bin\/python -m pip install .*tensorflow==2\.12/);
  const pixi = lines('pixi');
  for (const line of ['channels = ["conda-forge"]', 'cudatoolkit = "11.8.*"', 'cudnn = ">=8.6,<9"'])
    assert.ok(pixi.includes(line), line);
  // Packages that conda-forge does not have.
  const { text } = planEnvironment(await factsOf('colab-t4'), needsOf('tensorflow==1.12.*'), 'pixi');
  assert.match(text, /^channels = \["https:\/\/repo\.anaconda\.com\/pkgs\/main"\]$/m);
  assert.match(text, /^# .* searches for CUDA 9\.0 and .*; Anaconda's own channel has them\.$/m);
});

describe('requirements that cannot be combined', () => {
  /** The sentences about the smallest changes, in their order. */
  const IMPOSSIBLE: readonly [machine: string, needs: readonly string[], trouble: RegExp, ...changes: RegExp[]][] = [
    [
      'k80-with-new-wheel',
      ['torch==2.9.1'],
      /all of these together: torch==2\.9\.1; code of torch for the K80 \(compute capability 3\.7\)\.$/,
      /^Change torch==2\.9\.1 to torch==2\.7\.1: that gives Python 3\.12, torch 2\.7\.1 for CUDA 11\.8\.$/,
    ],
    [
      'wsl2-rtx3060',
      ['vllm==0.8.5', 'torch==2.8.0'],
      /: .*vllm==0\.8\.5.*torch==2\.8\.0/,
      /^Change vllm==0\.8\.5 to vllm>=0\.10\.2,<0\.11\.1: that gives .*torch 2\.8\.0/,
      /^Or change torch==2\.8\.0 to torch==2\.6\.0: that gives .*torch 2\.6\.0/,
    ],
    [
      'wsl2-rtx3060',
      ['torch', 'tensorflow==2.18.*'],
      /one CUDA and one cuDNN for torch and tensorflow, whose wheels share them/,
      /^Change tensorflow==2\.18\.\* to tensorflow==2\.\d+\.\*: that gives .*TensorFlow 2\.\d+ .*torch 2/,
    ],
    [
      'windows-tensorflow',
      ['tensorflow==2.18.*'],
      /tensorflow==2\.18\.\*/,
      /to tensorflow==2\.10\.\*: that gives Python 3\.10, TensorFlow 2\.10 for CUDA 11\.2\.$/,
    ],
    [
      'wsl2-rtx3060',
      ['tf-keras', 'tensorflow==2.13.*'],
      /the TensorFlows that tf-keras is published for/,
      /^Change tensorflow==2\.13\.\* to tensorflow==2\.14\.\*: /,
    ],
    ['windows-tensorflow', ['jax'], /JAX only has CUDA wheels for Linux: use WSL 2\./],
    [
      'macos-intel-homebrew',
      ['torch', 'transformers==5.20.0'],
      /transformers==5\.20\.0/,
      /^Change transformers==5\.20\.0 to transformers<[\d.]+: that gives Python 3\.\d+, torch 2\.2\.2/,
    ],
    // Equally near: what follows torch changes.
    [
      'wsl2-rtx3060',
      ['torch==2.6.0', 'torchvision==0.15.0'],
      /torch==2\.6\.0; torchvision==0\.15\.0/,
      /^Change torchvision==0\.15\.0 to torchvision==0\.21\.\*: that gives .*torch 2\.6\.0/,
      /^Or change torch==2\.6\.0 to torch==2\.0\.1: /,
    ],
    // Two packages agree on a torch: one change does instead of two.
    [
      'wsl2-rtx3060',
      ['torch==2.6.0', 'torchvision==0.15.0', 'torchaudio==2.0.1'],
      /torch==2\.6\.0/,
      /^Change torch==2\.6\.0 to torch==2\.0\.1: that gives .*torch 2\.0\.1/,
    ],
    // No single change helps.
    [
      'wsl2-rtx3060',
      ['torch==1.4.0', 'torchvision==0.21.0', 'xformers==0.0.28'],
      /torch==1\.4\.0/,
      /^Change torch==1\.4\.0 to torch==2\.6\.0 and xformers==0\.0\.28 to xformers>=0\.0\.29\.post2,<0\.0\.30: /,
      /^Or change torch==1\.4\.0 .* and torchvision==0\.21\.0 /,
    ],
    ['wsl2-rtx3060', ['torch==2.6.9'], /torch==2\.6\.9/, /^Change torch==2\.6\.9 to torch==2\.6\.0: /],
    [
      'wsl2-rtx3060',
      ['torch==1.13.1', 'numpy==2.1.0'],
      /numpy==2\.1\.0/,
      /^Change numpy==2\.1\.0 to numpy<2: that gives .*torch 1\.13\.1/,
      /^Or change torch==1\.13\.1 to torch==2\.3\.\d: /,
    ],
  ];
  for (const [machine, needs, trouble, ...sentences] of IMPOSSIBLE) {
    it(`${needs.join(' and ')} on ${machine}`, async () => {
      const plan = planEnvironment(await factsOf(machine), needsOf(...needs), 'pip');
      assert.equal(plan.outcome, 'impossible');
      assert.match(plan.trouble ?? '', trouble);
      const changes = changeSentences(plan.changes, plan.driver);
      assert.equal(changes.length, sentences.length, changes.join('\n'));
      for (const [at, sentence] of sentences.entries()) assert.match(changes[at] ?? '', sentence);
      assert.deepEqual([plan.installations, plan.summary], [[], null]);
    });
  }

  it('is possible once the smallest change is made', async () => {
    for (const [machine, needs] of IMPOSSIBLE) {
      const facts = await factsOf(machine);
      const { changes } = planEnvironment(facts, needsOf(...needs), 'pip');
      for (const { pins, summary } of changes) {
        const changed = needs.map((need) => pins.find(({ from }) => from === need)?.to ?? need);
        const plan = planEnvironment(facts, needsOf(...changed), 'pip');
        assert.equal(plan.outcome, 'works', `${machine}: ${changed.join(' ')}: ${plan.trouble}`);
        assert.ok(summary.startsWith('Python 3.'), summary);
      }
    }
  });

  it('changes a pinned Python if that is the smaller change, but not one that is merely in use', async () => {
    const facts = await factsOf('wsl2-rtx3060');
    const python = { specifier: '>=3.13', because: 'pyproject.toml' };
    const { changes } = planEnvironment(facts, { ...needsOf('torch==2.1.0'), python }, 'pip');
    const [first, second] = changeSentences(changes, null);
    assert.match(first ?? '', /^Change Python >=3\.13 \(pyproject\.toml\) to Python 3\.1[01]: .*torch 2\.1\.0/);
    assert.match(second ?? '', /^Or change torch==2\.1\.0 to torch==2\.[56]\.\d: that gives Python 3\.13/);
    const unpinned = planEnvironment(facts, needsOf('torch==2.1.0'), 'pip');
    assert.deepEqual([unpinned.outcome, unpinned.changes], ['works', []]);
  });

  it('ends soon for a project whose every pin conflicts', { timeout: 30_000 }, async () => {
    const pins = ['torch==1.4.0', 'torchvision==0.21.0', 'xformers==0.0.28', 'tensorflow==2.10', 'vllm==0.8.5'];
    const others = ['jax==0.4.30', 'onnxruntime==1.15', 'transformers==5.20.0'];
    const plan = planEnvironment(await factsOf('wsl2-rtx3060'), needsOf(...pins, ...others), 'pip');
    assert.deepEqual([plan.outcome, plan.changes], ['impossible', []]);
  });
});

const NEEDS = [['torch', 'torchvision'], ['tensorflow'], ['jax'], ['torch', 'tensorflow'], ['vllm']];

/** The machine's problems that do not depend on installed packages and show once something is installed. */
const MACHINE_PROBLEMS =
  /^(amd-gpu-not-permitted|driver-library-mismatch|cuda-library-missing|nvidia-uvm-missing|forward-compatibility-on-geforce|gpu-in-exclusive-mode|wsl-.*|python-under-rosetta|pci-.*)$/;

test('leaves no problem on its machine that the machine does not already have', async () => {
  let count = 0;
  for (const machine of machineNames) {
    const facts = await factsOf(machine);
    const before = new Set(judgeStack(withEmptyEnvironment(facts)).map(({ id }) => id));
    for (const needs of NEEDS) {
      const plan = planEnvironment(facts, needsOf(...needs), 'pip');
      if (plan.outcome !== 'works' || plan.systemCuda !== null) continue;
      const after = judgeStack(withPlanApplied(facts, plan)).filter(
        ({ id, severity }) => severity !== 'information' && !before.has(id) && !MACHINE_PROBLEMS.test(id),
      );
      assert.deepEqual(
        after.map(({ finding }) => finding),
        [],
        `${needs.join(' ')} on ${machine}\n${plan.text}`,
      );
      count += 1;
    }
  }
  assert.ok(count > 250, `${count}`);
});

describe('every form', () => {
  for (const form of FORMS)
    it(`${form} has a reason for each line, on every machine`, async () => {
      for (const machine of machineNames) {
        const facts = await factsOf(machine);
        const plan = planEnvironment(facts, needsOf('torch', 'transformers', 'numpy'), form);
        assert.equal(plan.outcome === 'impossible', plan.trouble !== null, machine);
        if (plan.outcome === 'impossible') continue;
        assert.doesNotMatch(plan.text, /undefined|null|\[object/, machine);
        if (form === 'pixi') checkPixi(plan.text);
        if (form === 'devcontainer') checkDevcontainer(plan.text);
        if (form === 'dockerfile') assert.match(plan.text, /^FROM python:3\.\d+-slim$/m);
        assert.equal(plan.text.endsWith('\n'), true);
        assert.ok(knownValue(facts.os));
      }
    });

  function checkPixi(text: string): void {
    const {
      workspace,
      dependencies,
      'pypi-dependencies': packages,
    } = getStaticTOMLValue(parseTOML(text)) as Record<string, Record<string, unknown>>;
    assert.ok(workspace && dependencies && packages);
    assert.match(String(dependencies.python), /^3\.\d+\.\*$/);
    assert.ok('torch' in packages && 'transformers' in packages);
  }

  function checkDevcontainer(text: string): void {
    const json = JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, ''));
    assert.match(json.image, /^mcr\.microsoft\.com\/devcontainers\/python:3\.\d+$/);
    assert.equal(json.hostRequirements.gpu, 'optional');
    assert.match(json.postCreateCommand, /^python -m pip install .*torch==/);
  }
});
