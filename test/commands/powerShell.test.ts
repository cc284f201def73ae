import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inPowerShell } from '../../server/src/commands/shells.ts';
import { explainCase } from '../cases/explainCase.ts';

const WRITTEN: readonly (readonly [string, string])[] = [
  ['export TF_FORCE_GPU_ALLOW_GROWTH=true', '$env:TF_FORCE_GPU_ALLOW_GROWTH = "true"'],
  ['CUDA_LAUNCH_BLOCKING=1 python ...', '$env:CUDA_LAUNCH_BLOCKING = "1"; python ...'],
  ['A=1 B="x; y" python -c "import a; b"', '$env:A = "1"; $env:B = "x; y"; python -c "import a; b"'],
  ['pip install "tf_keras" && export TF_USE_LEGACY_KERAS=1', 'pip install "tf_keras"; $env:TF_USE_LEGACY_KERAS = "1"'],
  ['pip list | grep -i -E "cudnn|torch"', 'pip list | Select-String "cudnn|torch"'],
  // PowerShell before 7 knows no `&&`.
  ['conda create -n tf python=3.10 && conda activate tf', 'conda create -n tf python=3.10; conda activate tf'],
  ['numba -s | grep -A 20 -i cuda', 'numba -s | Select-String cuda'],
];

for (const [posix, powerShell] of WRITTEN)
  test(`PowerShell has ${posix}`, () => assert.equal(inPowerShell(posix), powerShell));

for (const same of ['python -c "a; b"; pip check', 'pip install "numpy<2"', 'export CUB_HOME=$PWD/cub'])
  test(`nothing changes in ${same}`, () => assert.equal(inPowerShell(same), same));

test('in Windows a build of torch for CUDA is replaced from its own index, and elsewhere from PyPI', async () => {
  const failed = 'RuntimeError: CUDA error: CUBLAS_STATUS_INVALID_VALUE when calling `cublasSgemm( handle )`';
  const commandsOn = async (system: string) =>
    (await explainCase({ text: `${failed}\n${system}\nPyTorch version: 1.13.1+cu117` }))[0]?.remedies.flatMap(
      ({ command }) => command ?? [],
    );
  const index = '--index-url https://download.pytorch.org/whl/cu117';
  assert.ok((await commandsOn('OS: Windows 11'))?.some((command) => command.endsWith(`torch ${index}`)));
  assert.ok(!(await commandsOn('OS: Ubuntu 22.04'))?.some((command) => command.includes(index)));
});
