import type { ReportReader } from './report.ts';
import { systemOf } from './system.ts';

/** Text that identifies the driver version: the kernel's, Debian's package list, and program output about NVML. */
const PLACES: readonly (readonly [program: string, pattern: RegExp])[] = [
  [
    '/proc/driver/nvidia/version',
    /^[ \t]*NVRM version: NVIDIA UNIX \S+ .{0,30}?Kernel Module(?: for \S+)?\s+(\d{3}\.[\d.]+)/m,
  ],
  ['modinfo', /^filename:\s+\/lib\/modules\/\S*nvidia\S*\.ko\S*\n(?:[a-z]+:.*\n){0,4}?version:\s+(\d{3}\.[\d.]+)/m],
  [
    'the list of packages',
    /^ii\s+nvidia-(?:driver|utils|kernel-source|dkms|headless)-\d{3}(?:-\w+)*(?::amd64)?\s+(?:\d:)?(\d{3}\.[\d.]+\d)/m,
  ],
  [
    'nvidia-smi',
    /^[^\S\n]*NVIDIA-SMI version\s*:\s*\d{3}\.[\d.]+\n(?:.*\n){0,2}?\s*(?:DRIVER|KMD) version\s*:\s*(\d{3}\.[\d.]+)/im,
  ],
  ['nvidia-smi', /^[^\S\n]*(?:nvidia[- ])?driver[_ ]version\s*\n\s*(?:NVIDIA[^,\n]*,\s*)?(\d{3}\.[\d.]+)\s*$/im],
  ['the log', /\bNVIDIA Driver: (\d{3}\.[\d.]+)\b/],
];

/** The driver, if it is reported without a table of nvidia-smi. */
export const readDriver: ReportReader = (text) => {
  for (const [program, pattern] of PLACES) {
    const found = pattern.exec(text);
    if (found?.[1] === undefined) continue;
    const isLinux = program.startsWith('/proc') || /^(?:modinfo|the list)/.test(program);
    return { program, at: found.index, driver: found[1], ...(isLinux && systemOf(undefined, 'linux')) };
  }
  return undefined;
};
