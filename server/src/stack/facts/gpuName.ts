import type { Gpu } from './facts.ts';

/** The common name: "NVIDIA GeForce RTX 3090" is an "RTX 3090", "NVIDIA A100-SXM4-80GB" an "A100 80GB". */
export function shortGpuName(name: string): string {
  return name
    .replace(/\((R|TM)\)/gi, '')
    .replace(/^NVIDIA\s+/i, '')
    .replace(/^(GeForce|Tesla)\s+/i, '')
    .replace(/[- ](SXM\d*|PCIE?|NVL)\b/gi, '')
    .replace(/\s+(HBM\d\w*|GPU|Generation)\b/gi, '')
    .replace(/\s+(Workstation|Server|Max-Q Workstation) Edition$/i, '')
    .replace(/-(\d+GB)\b/i, ' $1')
    .replace(/^\.\.\.$/, 'GPU')
    .trim();
}

/** A short description of all of them: "8 × A100 80GB", "RTX 3090 + RTX 3060", "RTX 3090 + 3 more". */
export function nameGpus(gpus: readonly Pick<Gpu, 'name' | 'mig'>[]): string {
  const counts = new Map<string, number>();
  for (const gpu of gpus) {
    const name = `${shortGpuName(gpu.name)}${gpu.mig ? ' MIG' : ''}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [first = 'GPU', second, third] = [...counts].map(([name, count]) => (count > 1 ? `${count} × ${name}` : name));
  if (second === undefined) return first;
  if (third === undefined) return `${first} + ${second}`;
  const [firstCount = 0] = counts.values();
  return `${first} + ${gpus.length - firstCount} more`;
}

/** With article and verb: "the RTX 3090 is there", "8 × A100 80GB are there". */
export function gpusAreThere(gpus: Gpu[]): string {
  return gpus.length === 1 ? `the ${nameGpus(gpus)} is there` : `${nameGpus(gpus)} are there`;
}

/** As the object of a sentence: "the RTX 3090", "any of 8 × A100 80GB". */
export function anyOf(gpus: Gpu[]): string {
  return gpus.length === 1 ? `the ${nameGpus(gpus)}` : `any of ${nameGpus(gpus)}`;
}

/** "a", "a and b", "a, b and c". */
export function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
