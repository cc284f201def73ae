import type { OperatingSystem } from '../stack/facts/facts.ts';
import type { Report } from './report.ts';

const FAMILIES: readonly [RegExp, OperatingSystem['family']][] = [
  [
    /linux|ubuntu|debian|centos|fedora|red ?hat|rhel|suse|manjaro|rocky|alma|nixos|gentoo|\bmint\b|\barch\b|pop!?_?os|wsl|colab/i,
    'linux',
  ],
  [/darwin|mac ?os|\bos ?x\b/i, 'macos'],
  [/\bwin(?:dows|32|64|\s?\d+\b)|^\s*nt\s*$/i, 'windows'],
];

/**
 * The system in a report, in a person's words ("Ubuntu 22.04.3 LTS (x86_64)") or Python's
 * ("Linux-5.15.0-91-generic-x86_64-with-glibc2.35"); empty if neither identifies it.
 */
export function systemOf(name: string | undefined, platform: string | undefined): Pick<Report, 'os' | 'wsl'> {
  const words = `${platform ?? ''} ${name ?? ''}`;
  const family = FAMILIES.find(([pattern]) => pattern.test(words))?.[1];
  if (family === undefined) return {};
  const kernel =
    platform?.match(/^Linux-(\S+?)-(?:x86_64|aarch64|arm64)/i)?.[1] ??
    platform?.match(/\brelease='([^']+)'/)?.[1] ??
    platform?.match(/^Windows-\w+-([\d.]+)/)?.[1] ??
    '';
  const libc = words.match(/glibc[- ]?(\d+\.\d+)/)?.[1];
  return {
    os: {
      family,
      name: name === undefined ? null : name.replace(/ \((?:x86_64|64-bit)\)$/, ''),
      // Machines with another processor have these names.
      architecture: /aarch64|arm64/i.test(words) ? 'arm64' : 'x64',
      processor: null,
      kernel,
      libc: libc === undefined ? null : `glibc ${libc}`,
    },
    ...wslOf(family, kernel, words),
  };
}

function wslOf(family: string, kernel: string, words: string): Pick<Report, 'wsl'> {
  if (family !== 'linux') return { wsl: null };
  if (/\bwsl ?1\b/i.test(words)) return { wsl: 1 };
  if (/microsoft-standard|wsl/i.test(words)) return { wsl: 2 };
  if (/microsoft/i.test(kernel)) return { wsl: 1 };
  return kernel === '' ? {} : { wsl: null };
}
