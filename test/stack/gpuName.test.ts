import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capabilityOf } from '../../server/src/published/gpuCapabilities.ts';
import type { Gpu } from '../../server/src/stack/facts/facts.ts';
import { nameGpus, shortGpuName } from '../../server/src/stack/facts/gpuName.ts';

const NAMES: [string, string][] = [
  ['NVIDIA GeForce RTX 3090', 'RTX 3090'],
  ['GeForce GTX 1080 Ti', 'GTX 1080 Ti'],
  ['NVIDIA GeForce RTX 4090 Laptop GPU', 'RTX 4090 Laptop'],
  ['Tesla T4', 'T4'],
  ['Tesla V100-SXM2-16GB', 'V100 16GB'],
  ['NVIDIA A100-SXM4-80GB', 'A100 80GB'],
  ['NVIDIA A100-PCIE-40GB', 'A100 40GB'],
  ['NVIDIA A100 80GB PCIe', 'A100 80GB'],
  ['NVIDIA H100 80GB HBM3', 'H100 80GB'],
  ['NVIDIA H100 PCIe', 'H100'],
  ['NVIDIA H100 NVL', 'H100'],
  ['NVIDIA H200', 'H200'],
  ['NVIDIA B200', 'B200'],
  ['NVIDIA GB10', 'GB10'],
  ['NVIDIA RTX A6000', 'RTX A6000'],
  ['NVIDIA RTX 6000 Ada Generation', 'RTX 6000 Ada'],
  ['NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition', 'RTX PRO 6000 Blackwell'],
  ['Quadro RTX 8000', 'Quadro RTX 8000'],
  ['Intel(R) Arc(TM) A770 Graphics', 'Intel Arc A770 Graphics'],
];

for (const [name, short] of NAMES) {
  test(`${name} is the ${short}`, () => assert.equal(shortGpuName(name), short));
}

test('a short list of several GPUs', () => {
  const of = (...names: string[]) => nameGpus(names.map((name) => ({ name, mig: null }) as Gpu));
  assert.equal(of('NVIDIA A100-SXM4-80GB', 'NVIDIA A100-SXM4-80GB'), '2 × A100 80GB');
  assert.equal(of('Tesla T4', 'NVIDIA L4'), 'T4 + L4');
  assert.equal(of('Tesla T4', 'Tesla T4', 'NVIDIA L4', 'NVIDIA L40S'), '2 × T4 + 2 more');
});

/** Models below it have nearly the same name. */
const CAPABILITIES: [string, string | null][] = [
  ['GeForce GTX 480', '2.0'],
  ['GeForce GTX 460', '2.1'],
  ['GeForce GT 540M', '2.1'],
  ['Tesla M2090', '2.0'],
  ['Quadro K4200', '3.0'],
  ['NVIDIA GeForce GT 710', '3.5'],
  ['Quadro K2200', '5.0'],
  ['Quadro M1200', '5.0'],
  ['Quadro M2000', '5.2'],
  ['GeForce MX450', '7.5'],
  ['Quadro RTX 3000', '7.5'],
  ['Quadro RTX 5000', '7.5'],
  ['NVIDIA RTX 5000 Ada Generation', '8.9'],
  ['NVIDIA GeForce RTX 5060 Ti', '12.0'],
  ['GRID A100D-4C', '8.0'],
  ['GeForce 8800 GTS', null],
];

for (const [name, capability] of CAPABILITIES) {
  test(`the compute capability of a ${name}`, () => assert.equal(capabilityOf(name), capability));
}
