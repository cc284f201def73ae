/**
 * Comparison with torch's own report on this machine: GPU Doctor reads everything about the stack that `python -m
 * torch.utils.collect_env` reads, with the same values, without importing torch. Values for which that program is known
 * to be wrong are not compared: the system's cuDNN, nvcc's CUDA and the compilers.
 */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { execa } from 'execa';
import { ensurePython } from '../../scripts/python.ts';
import { knownValue, type Package } from '../../server/src/stack/facts/facts.ts';
import { thisMachine } from '../../server/src/stack/machine/machine.ts';
import { readStack } from '../../server/src/stack/readStack.ts';

const options = { skip: process.platform !== 'linux' && 'compares as they are written on Linux', timeout: 300_000 };

const UNKNOWN = /^(None|N\/A|No CUDA|Could not collect)$/;

test('everything that collect_env reports about this machine is known and equal', options, async () => {
  const { torch: python } = await ensurePython();
  const { stdout } = await execa(python, ['-m', 'torch.utils.collect_env'], { cwd: tmpdir() });
  /** Its value, or null if it has none. */
  const said = (label: string): string | null => {
    const value = stdout.match(new RegExp(`^${label}:\\s*(.+?)\\s*$`, 'm'))?.[1] ?? null;
    return value === null || UNKNOWN.test(value) ? null : value;
  };

  const facts = await readStack({ machine: thisMachine(), interpreter: python, folders: [] });
  const torch = knownValue(facts.frameworks.torch);
  const os = knownValue(facts.os);
  assert.equal(torch?.version, said('PyTorch version'));
  assert.equal(torch?.cuda, said('CUDA used to build PyTorch'));
  assert.equal(torch?.rocm, said('ROCM used to build PyTorch'));
  assert.equal(os?.name, said('OS')?.replace(/ \(\w+\)$/, ''));
  assert.equal(os?.libc, said('Libc version')?.replace('-', ' '));
  assert.equal(knownValue(facts.interpreter)?.version, said('Python version')?.split(' ')[0]);
  assert.ok(said('Python platform')?.includes(os?.kernel ?? 'unknown'));
  const driver = said('Nvidia driver version');
  if (driver !== null) assert.equal(knownValue(facts.driver), driver);

  const libraries = [...stdout.matchAll(/^\[pip3?\] (?!mypy|flake8)(\S+)==([^\s+]+)/gm)];
  assert.ok(libraries.length > 0);
  const frameworks = Object.values(facts.frameworks).map(knownValue<Package | null>);
  const packages = [...frameworks, ...(knownValue(facts.packages) ?? []), ...(knownValue(facts.nvidiaWheels) ?? [])];
  for (const [, name, version] of libraries) {
    assert.equal(packages.find((each) => each?.name === name)?.version.split('+')[0], version, name);
  }
});
