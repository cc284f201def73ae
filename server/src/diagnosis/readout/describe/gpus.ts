import {
  type AcceleratorDevice,
  type Gpu,
  isUnknown,
  knownValue,
  type OtherAccelerator,
  type PciGpu,
  type StackFacts,
} from '../../../stack/facts/facts.ts';
import { meansNoGpu } from '../summary.ts';
import { gibibytes, inDetail, knownRow, type Row, row } from './row.ts';

/** The GPUs of all vendors, and the driver. */
export function describeGpus(facts: StackFacts): Row[] {
  const { gpus, driver, driverCuda, otherAccelerators } = facts;
  const list = knownValue(gpus);
  const others = knownValue(otherAccelerators) ?? [];
  const rows = list?.length
    ? list.flatMap((gpu) => [row(`GPU ${gpu.index}`, gpus, () => describeGpu(gpu)), ...describeInstances(gpu)])
    : [...noneOfNvidia(facts, others), ...withoutDriver(facts)];
  rows.push(...others.map(describeOther));
  // Without any NVIDIA GPU the reason has been given once.
  const reasonGiven = isUnknown(driver) && (isUnknown(gpus) || list?.length === 0);
  if (!reasonGiven) {
    rows.push(row('Driver', driver, (version) => `${version}${flavour(facts)}`));
    rows.push(row('Driver supports CUDA', driverCuda, (version) => `up to ${version}`));
  }
  return [...rows, ...describeAccess(facts)];
}

/** With a GPU from another vendor, a missing NVIDIA tool is normal. */
function noneOfNvidia(facts: StackFacts, others: OtherAccelerator[]): Row[] {
  const { gpus } = facts;
  const expected = isUnknown(gpus) && (gpus.cause === 'absent' || gpus.cause === 'notApplicable');
  if (others.length > 0 && expected) return [];
  const none = row('NVIDIA GPUs', gpus, () => 'none');
  // If the headline says "no GPU", the row does not say "unknown".
  return [isUnknown(gpus) && meansNoGpu(facts) ? { ...none, value: `none usable (${gpus.unknown})` } : none];
}

function describeGpu({ name, memoryTotal, memoryUsed, computeCapability, mig, uuid }: Gpu): string {
  const parts = [name];
  if (memoryTotal !== null) {
    const used = memoryUsed === null ? '' : `, ${gibibytes(memoryUsed)} in use`;
    parts.push(`${gibibytes(memoryTotal)} memory${used}`);
  }
  if (computeCapability !== null) parts.push(`compute capability ${computeCapability}`);
  if (mig) parts.push('split by MIG');
  if (uuid !== null) parts.push(uuid);
  return parts.join(', ');
}

function describeInstances({ index, migInstances }: Gpu): Row[] {
  return migInstances.map(({ profile, uuid }) => inDetail(knownRow(`MIG of GPU ${index}`, `${profile}, ${uuid}`)));
}

const OTHERS: Record<OtherAccelerator['api'], { label: string; device: string }> = {
  mps: { label: 'Metal (MPS)', device: 'device "mps"' },
  rocm: { label: 'ROCm', device: 'device "cuda" in torch for ROCm' },
  xpu: { label: 'Intel GPU (XPU)', device: 'device "xpu" in torch for XPU' },
};

function describeOther({ vendor, api, sign, version, devices }: OtherAccelerator): Row {
  const { label, device } = OTHERS[api];
  const nameless = `${{ apple: 'Apple', amd: 'AMD', intel: 'Intel' }[vendor]} GPU`;
  const names = devices.map(describeDevice);
  const software = version === null ? '' : `, ${label} ${version}`;
  return knownRow(label, `${names.length > 0 ? names.join(', ') : nameless}${software}, ${device}`, sign);
}

function describeDevice({ name, memoryTotal }: AcceleratorDevice): string {
  return memoryTotal === null ? name : `${name} with ${gibibytes(memoryTotal)}`;
}

/** NVIDIA cards that no NVIDIA driver controls: the driver is missing, not the GPU. */
function withoutDriver({ pciGpus }: StackFacts): Row[] {
  const cards = (knownValue(pciGpus) ?? []).filter(({ vendor }) => vendor === 'nvidia');
  return cards.map((card) => knownRow('NVIDIA card on the PCI bus', describeCard(card), pciGpus.source));
}

function describeCard({ address, device, driver }: PciGpu): string {
  const held = driver === null ? 'no driver' : `driver ${driver}`;
  return `${address} (10de:${device}), ${held}`;
}

function flavour({ kernelModule }: StackFacts): string {
  return knownValue(kernelModule)?.open ? ', open kernel module' : '';
}

/** How programs access the driver; relevant if GPUs must be passed in, or if access is denied. */
function describeAccess({ container, wsl, deviceFiles, driverLibraries }: StackFacts): Row[] {
  const rows: Row[] = [];
  const files = knownValue(deviceFiles);
  const refused = files?.filter(({ usable }) => !usable) ?? [];
  const handedIn = Boolean(knownValue(container)) || Boolean(knownValue(wsl));
  if (files !== undefined && (handedIn || refused.length > 0)) {
    const value = files.map(({ path, usable }) => (usable ? path : `${path} (no permission)`)).join(', ');
    rows.push(row('Device files', deviceFiles, () => value || 'no GPU devices'));
  }
  const libraries = knownValue(driverLibraries) ?? [];
  if (handedIn || libraries.length > 1) {
    const value = libraries.map(({ path, version }) => (version === '1' ? path : `${version} ${path}`)).join(', ');
    rows.push(row("Driver's library", driverLibraries, () => value || 'no libcuda found'));
  }
  return rows.map((each) => (refused.length > 0 ? each : inDetail(each)));
}
