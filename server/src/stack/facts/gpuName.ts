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

/**
 * Compute capabilities by name, for drivers before R510, which do not report them, and for GPU lists obtained without
 * nvidia-smi. Those drivers support no GPU newer than Ampere. The first match counts. Source: NVIDIA's lists of CUDA
 * GPUs (https://developer.nvidia.com/cuda-gpus, https://developer.nvidia.com/cuda-legacy-gpus).
 */
const CAPABILITIES: [RegExp, string][] = [
  [/\b(RTX 50[5-9]0|RTX PRO \d{3,4}\b.*Blackwell)/, '12.0'],
  [/\bGB10\b/, '12.1'],
  [/\b(B300|GB300)\b/, '10.3'],
  [/\b(B100|B200|GB200)\b/, '10.0'],
  [/\b(H100|H200|H800|H20|GH200)\b/, '9.0'],
  [/\b(L40S?|L20|L4|L2)\b|\bRTX 40[5-9]0\b|\bRTX \d{4} (SFF )?Ada\b/, '8.9'],
  [/\b(A100[DX]?|A800|A30)\b/, '8.0'],
  [/\b(A40|A10G?|A16|A2)\b|\bRTX (A\d{3,4}|30[5-9]0|2050)\b|\bMX570\b/, '8.6'],
  [
    /\bT4G?\b|\bRTX 20[678]0\b|\bGTX 16\d0\b|\bTITAN RTX\b|\bQuadro RTX \d{4}\b|\bT(400|600|1000|1200|2000)\b|\bMX[45]50\b/,
    '7.5',
  ],
  [/\bV100[DSX]?\b|\bTITAN V\b|\bGV100\b/, '7.0'],
  [/\bP100\b|\bGP100\b/, '6.0'],
  [/\b(P40|P4|P6)\b|\bGTX 10[5-8]0\b|\bGT 10[13]0\b|\bTITAN Xp\b|\bQuadro P\d{3,4}\b|\bMX(150|[23][35]0)\b/, '6.1'],
  [
    /\b(M60|M40|M6|M4)\b|\bGTX 9[5-8]0\b|\bGTX 9(?:65|70|80)M\b|\bGTX TITAN X\b|\bQuadro M(2000|4000|5000|6000)\b/,
    '5.2',
  ],
  [/\bTITAN X\b/, '6.1'],
  [
    /\bM10\b|\bGTX 7(45|50)( Ti)?\b|\bGTX 9[56]0M\b|\bGTX 8[56]0M\b|\b9[34]0MX?\b|\bMX1[13]0\b|\bQuadro (K620|K[12]200|M1200|M(500|600|1000|2000)M)\b/,
    '5.0',
  ],
  [/\bK80\b/, '3.7'],
  [/\bK(40|20)[cmstX]*\b|\bGTX 780\b|\bGTX TITAN\b|\bGT 7[123]0\b|\bQuadro K(5200|6000)\b/, '3.5'],
  [
    /\bK10\b|\bGTX 6[5-9]0\b|\bGTX 7[67]0\b|\bGTX? [67][45]0M\b|\bGT [67]40\b|\bQuadro K([245]000|420|600|4200|[12]100M)\b/,
    '3.0',
  ],
  [/\bGTX (465|4[78]0|5[789]0)\b|\bTesla [CM]20[579][05]\b|\bQuadro [456]000\b/, '2.0'],
  [/\bG(T|TX|TS) ?[45]\d\dM?\b|\bQuadro (600|2000)\b|\bNVS (31[05]|4200M|5[24]00M)\b/, '2.1'],
];

/**
 * Returns the compute capability of the GPU with that name, such as "3.7" for "Tesla K80"; null for names not in the
 * table.
 */
export function capabilityOf(name: string): string | null {
  return CAPABILITIES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
