import type { TorchCompanion } from '../../published/releases/torchCompanions.ts';
import type { BuildTarget, FrameworkBuild, KnownFact, Package, PinnedWheel, UnknownFact } from '../facts/facts.ts';
import type { Machine } from '../machine/machine.ts';
import { declaredRequirements, readInstaller } from './metadata.ts';
import { known, unknownFact } from './readFact.ts';
import { findInFolders, type InstalledPackages } from './sitePackages.ts';

/**
 * The installed torch. `torch/version.py` describes the build; the metadata of wheels from PyPI omits the local tag
 * ("+cu130") and so cannot distinguish a CUDA build from a CPU build.
 */
export async function readTorch(
  machine: Machine,
  folders: string[],
  installed: InstalledPackages,
): Promise<KnownFact<FrameworkBuild | null> | UnknownFact> {
  const found = await findInFolders(machine, folders, 'torch', 'version.py');
  const metadata = installed.get('torch');
  if (found === undefined) {
    if (metadata === undefined) return known(machine, folders.join(', '), null);
    const reason = `torch ${metadata.version} is recorded as installed but torch/version.py is missing`;
    return unknownFact(machine, metadata.folder, 'unreadable', reason);
  }
  const version = found.text.match(/^__version__\s*=\s*['"]([^'"]+)['"]/m)?.[1];
  if (version === undefined) return unknownFact(machine, found.path, 'unreadable', `${found.path} contains no version`);
  const field = (name: string) =>
    found.text.match(new RegExp(`^${name}(?:\\s*:[^=\\n]+)?\\s*=\\s*['"]([^'"]+)['"]`, 'm'))?.[1] ?? null;
  const cuda = field('cuda');
  const rocm = field('rocm') ?? field('hip');
  const pinned = cuda === null ? [] : await pinnedWheels(machine, installed);
  return known(machine, found.path, {
    name: 'torch',
    version,
    folder: found.folder,
    alsoInstalled: metadata?.folder === found.folder ? others(metadata, version) : [],
    ...(metadata?.hides && { hides: metadata.hides }),
    target: targetOf(machine, cuda, rocm, field('xpu')),
    cuda,
    rocm,
    cudnn: cudnnOf(pinned),
    architectures: null,
    pinned,
    installer: await readInstaller(machine, installed, 'torch'),
  });
}

/** Recorded versions other than the imported one. */
function others({ version, alsoInstalled }: Package, imported: string): string[] {
  if (alsoInstalled.length === 0) return [];
  return [version, ...alsoInstalled].filter((each) => each.split('+')[0] !== imported.split('+')[0]);
}

/** The NVIDIA wheels that this wheel pins exactly, because it was built with them. */
async function pinnedWheels(machine: Machine, installed: InstalledPackages): Promise<PinnedWheel[]> {
  return (await declaredRequirements(machine, installed, 'torch')).flatMap(({ name, clauses }) => {
    const version = clauses.text.match(/^==\s*(\d+(?:\.\d+)+)/)?.[1];
    return name.startsWith('nvidia-') && version !== undefined ? [{ name, version }] : [];
  });
}

/** The first three parts of the wheel's version; the fourth is a build number. */
function cudnnOf(pinned: PinnedWheel[]): string | null {
  const wheel = pinned.find(({ name }) => /^nvidia-cudnn(-cu\d+)?$/.test(name));
  return wheel?.version.match(/^\d+\.\d+\.\d+/)?.[0] ?? null;
}

function targetOf(machine: Machine, cuda: string | null, rocm: string | null, xpu: string | null): BuildTarget {
  if (cuda !== null) return 'cuda';
  if (rocm !== null) return 'rocm';
  if (xpu !== null) return 'xpu';
  // Every torch for Apple processors is built with MPS (Metal).
  return machine.platform === 'darwin' && machine.architecture === 'arm64' ? 'mps' : 'cpu';
}

/**
 * The installed torchvision or torchaudio. Only a local tag ("0.24.0+cu128") identifies its build without importing it;
 * wheels from PyPI have none.
 */
export async function readTorchExtension(
  machine: Machine,
  folders: string[],
  installed: InstalledPackages,
  name: TorchCompanion,
): Promise<KnownFact<FrameworkBuild | null> | UnknownFact> {
  const metadata = installed.get(name);
  const found = await findInFolders(machine, folders, name, 'version.py');
  const version = found?.text.match(/^__version__\s*=\s*['"]([^'"]+)['"]/m)?.[1] ?? metadata?.version;
  if (version === undefined) return known(machine, folders.join(', '), null);
  return known(machine, found?.path ?? metadata?.folder ?? '', {
    name,
    version,
    folder: found?.folder ?? metadata?.folder ?? '',
    alsoInstalled: metadata?.alsoInstalled ?? [],
    ...targetOfLocalTag(version),
    cudnn: null,
    architectures: null,
    pinned: [],
    installer: await readInstaller(machine, installed, name),
  });
}

/** "+cpu", "+cu128" (12.8) and "+rocm6.4", as in wheels of PyTorch's own index. */
export function targetOfLocalTag(version: string): Pick<FrameworkBuild, 'target' | 'cuda' | 'rocm'> {
  const tag = version.split('+')[1] ?? '';
  const cuda = tag.match(/^cu(\d+)(\d)\b/);
  if (cuda !== null) return { target: 'cuda', cuda: `${cuda[1]}.${cuda[2]}`, rocm: null };
  const rocm = tag.match(/^rocm([\d.]+)/)?.[1];
  if (rocm !== undefined) return { target: 'rocm', cuda: null, rocm };
  if (/^xpu\b/.test(tag)) return { target: 'xpu', cuda: null, rocm: null };
  return { target: /^cpu\b/.test(tag) ? 'cpu' : null, cuda: null, rocm: null };
}
