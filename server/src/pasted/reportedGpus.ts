/** The GPUs of a machine in reports. */
import type { Fact, Gpu, OtherAccelerator, StackFacts } from '../stack/facts/facts.ts';
import type { Report } from './report.ts';
import { first, notReportedBecause, reported } from './reportedFacts.ts';

/** Frameworks' names for AMD GPUs, which torch lists like NVIDIA's. */
const AMD = /^(?:AMD|ATI)\b|\bRadeon\b|\bInstinct\b|\bgfx\d/i;

/** Returns a report without its AMD GPUs. */
export function ofNvidia(report: Report): Report {
  const { gpus, ...others } = report;
  const own = gpus?.filter(({ name }) => !AMD.test(name));
  return gpus === undefined || own?.length === gpus.length ? report : { ...others, ...(own?.length && { gpus: own }) };
}

/** The AMD GPUs in a report; undefined without any. */
export function ofAmd({ gpus, program }: Report): OtherAccelerator[] | undefined {
  const devices = (gpus ?? [])
    .filter(({ name }) => AMD.test(name))
    .map(({ name, memoryTotal }) => ({ name, architecture: name.match(/gfx\w+/)?.[0] ?? null, memoryTotal }));
  return devices.length === 0 ? undefined : [{ vendor: 'amd', api: 'rocm', sign: program, version: null, devices }];
}

/** Tables cut long names; another report may have the full name, and the table the memory. */
export function gpusOf(reports: readonly Report[]): Fact<Gpu[]> {
  // If a program explains why it sees no GPU, a GPU that a person mentions is not usable.
  const isRefused = reports.some(({ noGpus }) => noGpus);
  const telling = reports.filter(({ gpus, isWritten }) => gpus !== undefined && !(isRefused && isWritten));
  const whole = telling.find(({ gpus }) => gpus?.every(({ name }) => !name.endsWith('...'))) ?? telling[0];
  if (whole?.gpus === undefined) {
    return notReportedBecause(first(reports, ({ noGpus }) => noGpus));
  }
  const others = telling.filter((each) => each !== whole && each.gpus?.length === whole.gpus?.length);
  const gpus = whole.gpus.map((gpu, at) => others.reduce((known, { gpus: more }) => filledIn(known, more?.[at]), gpu));
  return reported(gpus, whole);
}

function filledIn(gpu: Gpu, other: Gpu | undefined): Gpu {
  if (other === undefined) return gpu;
  const absent = Object.entries(other).filter(
    ([key, value]) => value !== null && (gpu[key as keyof Gpu] ?? null) === null,
  );
  return { ...gpu, ...Object.fromEntries(absent) };
}

/** A board is only mentioned by people who have another GPU. */
export function boardOf(reports: readonly Report[]): StackFacts['board'] | undefined {
  const gpus = gpusOf(reports);
  const isOther = 'value' in gpus && gpus.value.some(({ name }) => !/Orin|Xavier|Tegra|Thor|nvgpu/.test(name));
  return isOther ? undefined : first(reports, ({ board }) => board);
}

/** Reports that list every GPU of a machine; others list the visible ones, or one. */
const LISTS_ALL = /^(?:nvidia-smi|collect_env)/;

/** Unknown if a variable names more GPUs than are reported. */
export function variablesOf(reports: readonly Report[]): StackFacts['variables'] | undefined {
  const fact = first(reports, ({ variables }) => variables && { ...variables });
  const gpus = gpusOf(reports);
  const isCounted = 'value' in gpus && !LISTS_ALL.test(gpus.source);
  const highest = Math.max(-1, ...(fact?.value.CUDA_VISIBLE_DEVICES?.match(/(?<![\w-])\d+/g) ?? []).map(Number));
  if (fact === undefined || !isCounted || highest < gpus.value.length) return fact;
  const { CUDA_VISIBLE_DEVICES: _, ...others } = fact.value;
  return Object.keys(others).length > 0 ? { ...fact, value: others } : undefined;
}
