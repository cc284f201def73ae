/** The system's package manager. */
export type PackageTool = 'apt' | 'dnf' | 'pacman' | 'zypper';

const SYSTEMS: Readonly<Record<PackageTool, RegExp>> = {
  pacman: /\b(?:Arch Linux|archlinux|Manjaro|EndeavourOS|CachyOS|Garuda)\b|\bpacman -S/i,
  dnf: /\b(?:Fedora|Red Hat|RHEL|CentOS|Rocky Linux|AlmaLinux|Oracle Linux|Amazon Linux)\b|\bdnf install\b/i,
  zypper: /\b(?:open)?SUSE\b|\bzypper install\b/i,
  apt: /\b(?:Ubuntu|Debian|Linux Mint|Pop!_OS)\b|\bapt(?:-get)? install\b/i,
};

/** Determined by the system's name or, for a text, its description; the first match counts. */
export function packageToolNamedIn(text: string): PackageTool | undefined {
  const places = Object.entries(SYSTEMS).map(([tool, names]) => ({ tool, at: text.search(names) }));
  const [first] = places.filter(({ at }) => at >= 0).sort((left, right) => left.at - right.at);
  return first?.tool as PackageTool | undefined;
}
