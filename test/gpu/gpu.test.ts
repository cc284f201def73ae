/**
 * Compares GPU Doctor's answers with the facts on a machine with an NVIDIA GPU and a PyTorch for CUDA. Skipped
 * elsewhere, with the reason. See README.md in this folder.
 */
import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { run as runCli } from '../cli/run.ts';
import { ERRORS } from './errors.ts';
import { findGpu } from './findGpu.ts';
import { runPython } from './runPython.ts';

const found = await findGpu();
const skip = 'reason' in found && found.reason;
const { python, machine } = 'reason' in found ? { python: '', machine: undefined } : found;

const HERE = import.meta.dirname;
const HIDDEN = { CUDA_VISIBLE_DEVICES: '' };

/** Folder in which output is kept as fixtures; if unset, nothing is kept. */
const record = process.env.GPU_DOCTOR_RECORD;

async function keep(name: string, text: string): Promise<void> {
  if (record === undefined) return;
  const file = path.join(record, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

suite('a real GPU', { skip, concurrency: availableParallelism() }, () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-gpu-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const cli = (...args: readonly string[]) => runCli(args, { cwd: folder });

  test('the read-out agrees with PyTorch', async () => {
    const { stdout, stderr } = await cli('stack', '--output-format', 'json', '--python', python);
    await keep('stack.json', stdout);
    await keep('machine.json', JSON.stringify(machine, null, 2));
    const { verdicts, ...stack } = JSON.parse(stdout);
    assert.equal(stack.frameworks.torch.value.version, machine?.torch, stderr);
    assert.equal(stack.frameworks.torch.value.cuda, machine?.cuda);
    const named = (gpus: readonly { name: string; computeCapability: string }[]) =>
      gpus.map(({ name, computeCapability }) => [name, computeCapability]);
    const byTorch = machine?.devices.map(({ name, capability }) => [name, capability]);
    assert.deepEqual(named(stack.gpus.value), byTorch, 'as nvidia-smi reports');
    assert.deepEqual(named(stack.runtime.torch.value.devices), byTorch, 'as the probe reports');
    const wrong = (verdicts as { severity: string; id: string }[]).filter(({ severity }) => severity === 'error');
    assert.deepEqual(wrong, [], 'PyTorch sees the GPU, and an error says that something cannot work');
    await keep('stack.txt', (await cli('stack', '--python', python)).stdout);
  });

  test('the smoke test passes on every GPU', async () => {
    const { status, stdout, stderr } = await cli('stack', '--smoke', '--output-format', 'json', '--python', python);
    await keep('smoke.json', stdout);
    assert.equal(status, 0, stdout + stderr);
  });

  for (const { name, message, cause } of ERRORS)
    test(`${name} is explained`, async (t) => {
      const { status, output } = await runPython(python, [path.join(HERE, 'errors.py'), name]);
      if (status === 3) return t.skip(output.trim());
      assert.notEqual(status, 0, 'the error was not raised');
      await keep(`errors/${name}.txt`, output);
      const explained = await runCli(['explain', '--no-probe', '--output-format', 'json', '-'], {
        cwd: folder,
        input: output,
      });
      const { explanations } = JSON.parse(explained.stdout);
      assert.equal(explanations[0]?.id, message, output);
      if (cause !== undefined) assert.equal(explanations[0].causes[0]?.id, cause, output);
    });

  test('checkpoints from cuda:0 are read, and load as predicted', async () => {
    const place = path.join(folder, 'checkpoints');
    await mkdir(place);
    const creation = await runPython(python, [path.join(HERE, 'checkpoints.py'), place]);
    assert.equal(creation.status, 0, creation.output);
    const files = (await readdir(place)).sort().map((name) => path.join(place, name));
    if (record !== undefined) await cp(place, path.join(record, 'checkpoints'), { recursive: true });
    for (const env of [{}, HIDDEN]) {
      const { stdout } = await runCli(['inspect', '--output-format', 'json', ...files], {
        cwd: folder,
        env: { ...env, VIRTUAL_ENV: path.dirname(path.dirname(python)) },
      });
      const inspected = JSON.parse(stdout) as { path: string; devices: string[]; here: { outlook: string } }[];
      await keep(`inspect${env === HIDDEN ? '-hidden' : ''}.json`, stdout);
      const loaded = await runPython(python, [path.join(HERE, 'load.py'), '-', ...files], env);
      const onCpu = await runPython(python, [path.join(HERE, 'load.py'), 'cpu', ...files], env);
      for (const [index, { path: file, devices, here }] of inspected.entries()) {
        const name = path.basename(file);
        assert.ok(devices.includes('cuda:0'), `${name}: ${devices}`);
        const { error } = lineOf(loaded, index);
        if (here.outlook === 'loads') assert.equal(error, null, name);
        if (here.outlook === 'fails') assert.notEqual(error, null, name);
        const { error: errorOnCpu, devices: places } = lineOf(onCpu, index);
        if (name !== 'whole_model.pt') assert.deepEqual([errorOnCpu, places], [null, ['cpu']], name);
      }
    }
  });

  test('fixed programs run on the GPU, and with it hidden', { timeout: 600_000 }, async (t) => {
    const programs = path.join(HERE, '..', 'proof', 'programs', 'torch');
    const [original, fixed] = [path.join(folder, 'original'), path.join(folder, 'fixed')];
    await cp(programs, original, { recursive: true, filter: (file) => !/checkpoints$|__pycache__$/.test(file) });
    await mkdir(path.join(original, 'checkpoints'), { recursive: true });
    const creation = await runPython(python, ['make_checkpoints.py'], {}, original);
    if (creation.status !== 0)
      return t.skip(`the checkpoints of the programs cannot be made here: ${lastLine(creation.output)}`);
    await cp(original, fixed, { recursive: true });
    const fix = await runCli(['check', '--fix', '--isolated', '--exit-zero', fixed], { cwd: folder });
    assert.equal(fix.status, 0, fix.stderr);
    const names = (await readdir(original)).filter((name) => name.endsWith('.py')).sort();
    const failed: string[] = [];
    const counts = { programs: 0, onGpu: 0, hidden: 0, notOnThisTorch: 0 };
    await forEachConcurrently(names, async (name) => {
      const text = await readFile(path.join(original, name), 'utf8');
      // The user must choose offered fixes.
      if (!/^# fails: /m.test(text) || /^# (?:stays|offered): /m.test(text)) return;
      counts.programs++;
      const before = await runPython(python, [name], {}, original);
      const onGpu = await runPython(python, [name], {}, fixed);
      const hidden = await runPython(python, [name], HIDDEN, fixed);
      // Features that this PyTorch has removed do not count as failures.
      if (hidden.status !== 0 && IS_OF_ANOTHER_RELEASE.test(hidden.output)) return void counts.notOnThisTorch++;
      if (before.status === 0 && onGpu.status !== 0) failed.push(`${name} on the GPU: ${lastLine(onGpu.output)}`);
      else if (onGpu.status === 0) counts.onGpu++;
      if (hidden.status !== 0) failed.push(`${name} with the GPU hidden: ${lastLine(hidden.output)}`);
      else counts.hidden++;
    });
    await keep('programs.json', JSON.stringify({ ...counts, failed }, null, 2));
    t.diagnostic(JSON.stringify(counts));
    assert.deepEqual(failed, []);
  });
});

const IS_OF_ANOTHER_RELEASE =
  /weights_only|has no attribute|unexpected keyword|No module named|cannot import name|is no longer|was removed/;

function lineOf({ output }: { readonly output: string }, index: number): { error: string | null; devices: string[] } {
  return JSON.parse(output.split('\n').filter((line) => line.startsWith('{'))[index] ?? '{}');
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? '';
}

/** Processes items with limited concurrency. */
async function forEachConcurrently<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, next));
}
