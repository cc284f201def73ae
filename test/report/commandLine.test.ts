import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCommandLine } from '../../server/src/report/commandLine.ts';

test('a command line is told from code and from settings', () => {
  for (const text of [
    'pip install --upgrade torch',
    'nvidia-smi',
    'unset LD_LIBRARY_PATH; pip install "jax[cuda12]"',
    'PYTORCH_ENABLE_MPS_FALLBACK=1 python ...',
    'export CUDA_VISIBLE_DEVICES=0',
    'python3.11 -m venv .venv',
    'id; ls -l /dev/kfd',
  ])
    assert.equal(isCommandLine(text), true, text);
  for (const text of [
    'torch.load(path, map_location="cpu")',
    'device = torch.device("cuda")',
    'total += loss.item()',
    'import torch',
    'from keras import layers',
    'model.cpu(); joblib.dump(model, path)',
    'no-cgroups = true',
    'PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True',
    '[print(gpu) for gpu in gpus]',
    'pip install torch\nrm -rf /',
    'pip install \u0003',
  ])
    assert.equal(isCommandLine(text), false, text);
});
