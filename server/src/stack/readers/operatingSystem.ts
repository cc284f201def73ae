import type { Board, KnownFact, OperatingSystem, UnknownFact } from '../facts/facts.ts';
import { environmentVariable, type Machine, readTextIfThere, realPathIfThere } from '../machine/machine.ts';
import { known, readFact } from './readFact.ts';

export function readOperatingSystem(machine: Machine): Promise<KnownFact<OperatingSystem> | UnknownFact> {
  const { architecture, release: kernel } = machine;
  const about = { architecture, kernel, libc: null };
  switch (machine.platform) {
    case 'linux':
      return readFact(machine, '/etc/os-release', async () => {
        const release = await readTextIfThere(machine, '/etc/os-release');
        const name = release?.match(/^PRETTY_NAME="?(.*?)"?$/m)?.[1] ?? null;
        const processor = await readProcessor(machine);
        return { ...about, family: 'linux', name, ...processor, libc: await readLibc(machine) };
      });
    case 'darwin': {
      const file = '/System/Library/CoreServices/SystemVersion.plist';
      return readFact(machine, file, async () => {
        const version = (await readTextIfThere(machine, file))?.match(
          /<key>ProductVersion<\/key>\s*<string>([^<]+)</,
        )?.[1];
        return {
          ...about,
          processor: machine.processor(),
          family: 'macos',
          name: version === undefined ? 'macOS' : `macOS ${version}`,
        };
      });
    }
    case 'win32':
      return readFact(machine, 'Windows version', async () => ({
        ...about,
        processor: machine.processor(),
        family: 'windows',
        name: windowsName(kernel),
      }));
    default:
      return readFact(machine, 'platform', async () => ({
        ...about,
        processor: null,
        family: 'other',
        name: machine.platform,
      }));
  }
}

/** The first processor; one is sufficient, and hosts with hundreds take long to list them. */
async function readProcessor(machine: Machine): Promise<Pick<OperatingSystem, 'processor' | 'avx'>> {
  const text = await readTextIfThere(machine, '/proc/cpuinfo', 4096).catch(() => undefined);
  const processor = text?.match(/^model name\s*:\s*(.+?)\s*$/m)?.[1] ?? null;
  const flags = text?.match(/^flags\s*:(.*)\n/m)?.[1]?.split(' ');
  return flags === undefined ? { processor } : { processor, avx: flags.includes('avx') };
}

/** The C library, from its script `ldd`. */
async function readLibc(machine: Machine): Promise<string | null> {
  const script = await readTextIfThere(machine, '/usr/bin/ldd').catch(() => undefined);
  const glibc = script?.match(/\bldd \([^)]*(?:GLIBC|GNU libc)[^)]*\) (\d+\.\d+)/)?.[1];
  if (glibc !== undefined) return `glibc ${glibc}`;
  return script?.includes('musl') ? 'musl' : null;
}

/** Windows 11 still reports 10.0; its builds start at 22000. */
function windowsName(release: string): string {
  const build = Number(release.split('.')[2]);
  return build >= 22000 ? `Windows 11 (${release})` : `Windows ${release}`;
}

export async function readWsl(machine: Machine): Promise<KnownFact<1 | 2 | null> | UnknownFact> {
  if (machine.platform !== 'linux') return known(machine, 'platform', null);
  const file = '/proc/sys/kernel/osrelease';
  return readFact(machine, file, async () => {
    const release = (await readTextIfThere(machine, file)) ?? '';
    if (!/microsoft/i.test(release)) return null;
    return /microsoft-standard|wsl2/i.test(release) ? 2 : 1;
  });
}

/** Evidence of containers, the most specific first: a variable's name or a file's path. */
const CONTAINER_SIGNS: { name: string; variable?: string; file?: string }[] = [
  { name: 'Google Colab', variable: 'COLAB_RELEASE_TAG' },
  { name: 'Google Colab', variable: 'COLAB_GPU' },
  { name: 'Kaggle', variable: 'KAGGLE_KERNEL_RUN_TYPE' },
  { name: 'GitHub Codespaces', variable: 'CODESPACES' },
  { name: 'Kubernetes', variable: 'KUBERNETES_SERVICE_HOST' },
  { name: 'Apptainer', variable: 'APPTAINER_CONTAINER' },
  { name: 'Singularity', variable: 'SINGULARITY_CONTAINER' },
  { name: 'Podman', file: '/run/.containerenv' },
  { name: 'Docker', file: '/.dockerenv' },
];

const CONTAINER_GROUPS: [RegExp, string][] = [
  [/kubepods/, 'Kubernetes'],
  [/libpod/, 'Podman'],
  [/docker/, 'Docker'],
  [/containerd/, 'containerd'],
  [/\/lxc/, 'LXC'],
];

export async function readContainer(machine: Machine): Promise<KnownFact<string | null> | UnknownFact> {
  if (machine.platform !== 'linux') return known(machine, 'platform', null);
  for (const { name, variable, file } of CONTAINER_SIGNS) {
    if (variable !== undefined && environmentVariable(machine, variable)) return known(machine, variable, name);
    if (file !== undefined && (await realPathIfThere(machine, file)) !== undefined) return known(machine, file, name);
  }
  const file = '/proc/1/cgroup';
  const groups = await machine.readText(file).catch(() => '');
  return known(machine, file, CONTAINER_GROUPS.find(([pattern]) => pattern.test(groups))?.[1] ?? null);
}

/** True if the kernel only has cgroup v2. */
export async function readCgroup2(machine: Machine): Promise<KnownFact<boolean> | UnknownFact> {
  const file = '/sys/fs/cgroup/cgroup.controllers';
  if (machine.platform !== 'linux') return known(machine, 'platform', false);
  return readFact(machine, file, async () => (await realPathIfThere(machine, file)) !== undefined);
}

const RELEASE = '/etc/nv_tegra_release';

/** The NVIDIA system on a chip, such as a Jetson; null for every other machine. */
export async function readBoard(machine: Machine): Promise<KnownFact<Board | null> | UnknownFact> {
  if (machine.platform !== 'linux') return known(machine, 'platform', null);
  return readFact(machine, RELEASE, async () => {
    const release = await readTextIfThere(machine, RELEASE);
    const kernel = (await readTextIfThere(machine, '/proc/sys/kernel/osrelease').catch(() => undefined)) ?? '';
    if (release === undefined && !/tegra/.test(`${machine.release} ${kernel}`)) return null;
    // It ends with a NUL.
    const model = (await readTextIfThere(machine, '/proc/device-tree/model').catch(() => undefined))?.split('\0')[0];
    const [, major, revision] = release?.match(/R(\d+) \(release\), REVISION: ([\d.]+)/) ?? [];
    return { model: model?.trim() || null, l4t: major === undefined ? null : `${major}.${revision}` };
  });
}
