import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inPowerShell } from '../../server/src/explain/powerShell.ts';

const WRITTEN: readonly (readonly [string, string])[] = [
  ['export TF_FORCE_GPU_ALLOW_GROWTH=true', '$env:TF_FORCE_GPU_ALLOW_GROWTH = "true"'],
  ['CUDA_LAUNCH_BLOCKING=1 python ...', '$env:CUDA_LAUNCH_BLOCKING = "1"; python ...'],
  ['A=1 B="x; y" python -c "import a; b"', '$env:A = "1"; $env:B = "x; y"; python -c "import a; b"'],
  ['pip install "tf_keras" && export TF_USE_LEGACY_KERAS=1', 'pip install "tf_keras"; $env:TF_USE_LEGACY_KERAS = "1"'],
  ['pip list | grep -i -E "cudnn|torch"', 'pip list | Select-String "cudnn|torch"'],
];

for (const [posix, powerShell] of WRITTEN)
  test(`PowerShell has ${posix}`, () => assert.equal(inPowerShell(posix), powerShell));

for (const same of [
  'conda create -n tf python=3.10 && conda activate tf',
  'python -c "a; b"; pip check',
  'pip install "numpy<2"',
  'export CUB_HOME=$PWD/cub',
])
  test(`nothing changes in ${same}`, () => assert.equal(inPowerShell(same), same));
