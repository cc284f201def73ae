/** The GPUs of a machine that reports tell of. */
import type { Fact, Gpu, OtherAccelerator, StackFacts } from '../stack/facts/facts.ts';
import type { Report } from './report.ts';
import { first, notReportedBecause, reported } from './reportedFacts.ts';

/** How frameworks call the GPUs of AMD, which torch lists as it does NVIDIA's. */
const AMD = /^(?:AMD|ATI)\b|\bRadeon\b|\bInstinct\b|\bgfx\d/i;

/** A report without the GPUs of AMD. */
export function ofNvidia(report: Report): Report {
  const { gpus, ...others } = report;
  const own = gpus?.filter(({ name }) => !AMD.test(name));
  return gpus === undefined || own?.length === gpus.length ? report : { ...others, ...(own?.length && { gpus: own }) };
}

/** The GPUs of AMD in a report; undefined without any. */
export function ofAmd({ gpus, program }: Report): OtherAccelerator[] | undefined {
  const devices = (gpus ?? [])
    .filter(({ name }) => AMD.test(name))
    .map(({ name, memoryTotal }) => ({ name, architecture: name.match(/gfx\w+/)?.[0] ?? null, memoryTotal }));
  return devices.length === 0 ? undefined : [{ vendor: 'amd', api: 'rocm', sign: program, version: null, devices }];
}

/** Tables cut long names; another report may have the whole one, and the table the memory. */
export function gpusOf(reports: readonly Report[]): Fact<Gpu[]> {
  // Where a program says why it sees none, a GPU that somebody only writes of is not one that can be used.
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

/** Who has another GPU only speaks of a board. */
export function boardOf(reports: readonly Report[]): StackFacts['board'] | undefined {
  const gpus = gpusOf(reports);
  const isOther = 'value' in gpus && gpus.value.some(({ name }) => !/Orin|Xavier|Tegra|Thor|nvgpu/.test(name));
  return isOther ? undefined : first(reports, ({ board }) => board);
}

/** Reports that list every GPU of a machine; others tell of those that are visible, or of one. */
const LISTS_ALL = /^(?:nvidia-smi|collect_env)/;

/** Which GPUs a variable leaves is not known where it counts further than the GPUs that are told of. */
export function variablesOf(reports: readonly Report[]): StackFacts['variables'] | undefined {
  const fact = first(reports, ({ variables }) => variables && { ...variables });
  const gpus = gpusOf(reports);
  const isCounted = 'value' in gpus && !LISTS_ALL.test(gpus.source);
  const highest = Math.max(-1, ...(fact?.value.CUDA_VISIBLE_DEVICES?.match(/(?<![\w-])\d+/g) ?? []).map(Number));
  if (fact === undefined || !isCounted || highest < gpus.value.length) return fact;
  const { CUDA_VISIBLE_DEVICES: _, ...others } = fact.value;
  return Object.keys(others).length > 0 ? { ...fact, value: others } : undefined;
}
