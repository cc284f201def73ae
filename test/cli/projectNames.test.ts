import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderWith, run } from './run.ts';

test("a project's own loaders and guards are treated like those of the catalogue", async (t) => {
  const cwd = await folderWith(t, {
    '.gpu-doctor.yaml': `loaders:
  - name: mylib.io.load_ckpt
    device-parameter: map_location
    position: 1
guards:
  functions: [gpu_ok]
  decorators: [on_gpu_box]
  variables: [READY]
`,
    'a.py': `from mylib.io import load_ckpt
from mylib.machine import READY, gpu_ok, on_gpu_box

bare = load_ckpt("a")
placed = load_ckpt("a", "cpu")
if READY:
    bare.cuda()


@on_gpu_box
def decorated(model):
    model.cuda()


def asked(model):
    if gpu_ok():
        model.cuda()
    model.cuda()


asked(placed)
`,
  });
  const { status, stdout } = await run(['check', '.', '--output-format', 'json'], { cwd });
  assert.equal(status, 1);
  const places = JSON.parse(stdout).map(
    ({ code, location }: { code: string; location: { row: number } }) => `${location.row} ${code}`,
  );
  assert.deepEqual(places, ['4 GPU101', '18 GPU202']);
});
