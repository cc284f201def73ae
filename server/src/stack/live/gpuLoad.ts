import { knownValue, type StackFacts } from '../facts/facts.ts';
import type { GpuReading } from './liveReadings.ts';

/** Returns the facts with the newest readings of each known GPU. */
export function withReadings(facts: StackFacts, readings: readonly GpuReading[]): StackFacts {
  const { gpus } = facts;
  if (!('value' in gpus) || readings.length === 0) return facts;
  const value = gpus.value.map((gpu) => {
    const reading = readings.find(({ uuid, index }) => (uuid === null ? index === gpu.index : uuid === gpu.uuid));
    return reading ? { ...gpu, memoryUsed: reading.memoryUsed, utilization: reading.utilization } : gpu;
  });
  return { ...facts, gpus: { ...gpus, value } };
}

/**
 * The load of the GPUs in fixed width: " 37 % · 3.1/24.0 GiB", the mean load and the total memory; null without any
 * reading.
 */
export function describeLoad(facts: StackFacts): string | null {
  const gpus = knownValue(facts.gpus) ?? [];
  const utilizations = gpus.flatMap(({ utilization }) => utilization ?? []);
  const memories = gpus.flatMap(({ memoryUsed, memoryTotal }) =>
    memoryUsed === null || memoryTotal === null ? [] : [{ memoryUsed, memoryTotal }],
  );
  const parts: string[] = [];
  if (utilizations.length > 0) parts.push(`${padded(Math.round(sum(utilizations) / utilizations.length), 3)} %`);
  if (memories.length > 0) {
    const total = inGibibytes(sum(memories.map(({ memoryTotal }) => memoryTotal)));
    parts.push(`${padded(inGibibytes(sum(memories.map(({ memoryUsed }) => memoryUsed))), total.length)}/${total} GiB`);
  }
  return parts.length > 0 ? parts.join(' · ') : null;
}

/** A figure space is as wide as a digit, so the text after it does not move. */
function padded(value: number | string, width: number): string {
  return String(value).padStart(width, '\u2007');
}

/** MiB converted to GiB, without the unit. */
export function inGibibytes(mebibytes: number): string {
  return (mebibytes / 1024).toFixed(1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
