import type { Gpu } from './facts.ts';

/** What people call it: "NVIDIA GeForce RTX 3090" is an "RTX 3090", "NVIDIA A100-SXM4-80GB" an "A100 80GB". */
export function shortGpuName(name: string): string {
  return name
    .replace(/^NVIDIA\s+/i, '')
    .replace(/^(GeForce|Tesla)\s+/i, '')
    .replace(/[- ](SXM\d*|PCIE?|NVL)\b/gi, '')
    .replace(/\s+(HBM\d\w*|GPU|Generation)\b/gi, '')
    .replace(/\s+(Workstation|Server|Max-Q Workstation) Edition$/i, '')
    .replace(/-(\d+GB)\b/i, ' $1')
    .trim();
}

/** All of them in a few words: "8 × A100 80GB", "RTX 3090 + RTX 3060", "RTX 3090 + 3 more". */
export function nameGpus(gpus: Gpu[]): string {
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
