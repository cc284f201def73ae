/**
 * GPUs of cloud machines, by instance type. Sources: https://aws.amazon.com/ec2/instance-types/,
 * https://learn.microsoft.com/azure/virtual-machines/sizes/overview, https://cloud.google.com/compute/docs/gpus
 */
const MACHINES: readonly (readonly [kind: RegExp, gpu: string])[] = [
  [/\bp2\.\d*xlarge\b/, 'Tesla K80'],
  [/\bp3(?:dn)?\.\d*xlarge\b|\bNC\d{1,2}r?s_v3\b/i, 'Tesla V100'],
  [/\bp4de?\.24xlarge\b|\bNC\d{2}ads_A100_v4\b|\ba2-(?:high|mega|ultra)gpu-\d+g\b/i, 'A100'],
  [/\bp5\.\d*xlarge\b|\ba3-(?:high|mega)gpu-\d+g\b/, 'H100'],
  [/\bg3s?\.\d*xlarge\b/, 'Tesla M60'],
  [/\bg4dn\.(?:\d*xlarge|metal)\b|\bNC\d{1,2}as_T4_v3\b/i, 'Tesla T4'],
  [/\bg5\.\d*xlarge\b/, 'A10G'],
  [/\bg6\.\d*xlarge\b|\bg2-standard-\d+\b/, 'L4'],
  [/\bg6e\.\d*xlarge\b/, 'L40S'],
  [/\bNC\d{1,2}s_v2\b/i, 'Tesla P100'],
];

/** The GPU of the only instance type that a text names. */
export function gpuOfCloudMachine(text: string): string | undefined {
  const [only, another] = MACHINES.filter(([kind]) => kind.test(text));
  return another === undefined ? only?.[1] : undefined;
}
