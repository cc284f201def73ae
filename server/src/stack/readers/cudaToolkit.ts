import { cudaOfNumber } from '../../published/releases/versionNumbers.ts';
import type { CudaToolkit, Interpreter, KnownFact, UnknownFact } from '../facts/facts.ts';
import {
  environmentVariable,
  listIfThere,
  type Machine,
  readTextIfThere,
  realPathIfThere,
  searchPath,
} from '../machine/machine.ts';
import { readFact } from './readFact.ts';

const WELL_KNOWN = 'well-known folder';

/** The CUDA toolkits named by variables, on PATH and in the usual folders, each once, from their version files. */
export function readToolkits(machine: Machine): Promise<KnownFact<CudaToolkit[]> | UnknownFact> {
  return readFact(machine, 'CUDA_HOME, CUDA_PATH, PATH, conda and well-known folders', async () => {
    const toolkits = new Map<string, CudaToolkit>();
    for (const { root, namedBy } of await candidates(machine)) {
      const real = await realPathIfThere(machine, root);
      if (real === undefined || toolkits.has(real)) continue;
      const version = await toolkitVersion(machine, real);
      // A folder of that name without a version may remain from an uninstallation; an explicitly named one counts.
      if (version === null && namedBy === WELL_KNOWN) continue;
      toolkits.set(real, { root, version, namedBy });
    }
    return [...toolkits.values()];
  });
}

/**
 * The same, including a compiler that conda installed into the environment; a package with only libraries, such as
 * `cudatoolkit`, is not a toolkit.
 */
export async function withCondaToolkit(
  machine: Machine,
  toolkits: KnownFact<CudaToolkit[]> | UnknownFact,
  interpreter: Interpreter | undefined,
): Promise<KnownFact<CudaToolkit[]> | UnknownFact> {
  if (interpreter?.environment !== 'conda' || 'unknown' in toolkits) return toolkits;
  const root = interpreter.prefix;
  const names = await listIfThere(machine, machine.path.join(root, 'conda-meta'));
  const version = names.flatMap(
    (name) => name.match(/^(?:cuda-nvcc|cudatoolkit-dev)-(\d[\d.]*)-.*\.json$/)?.[1] ?? [],
  )[0];
  if (version === undefined) return toolkits;
  const others = toolkits.value.filter((toolkit) => toolkit.root !== root);
  return { ...toolkits, value: [...others, { root, version, namedBy: 'conda' }] };
}

async function candidates(machine: Machine): Promise<{ root: string; namedBy: string }[]> {
  const { join, dirname } = machine.path;
  const found: { root: string; namedBy: string }[] = [];
  for (const namedBy of ['CUDA_HOME', 'CUDA_PATH']) {
    const root = environmentVariable(machine, namedBy);
    if (root) found.push({ root, namedBy });
  }
  const windows = machine.platform === 'win32';
  const bins = searchPath(machine).filter((folder) => /(^|[\\/])bin([\\/]x64)?[\\/]?$/i.test(folder));
  const nvccs = await Promise.all(
    bins.map((folder) => realPathIfThere(machine, join(folder, windows ? 'nvcc.exe' : 'nvcc'))),
  );
  for (const nvcc of nvccs) {
    if (nvcc !== undefined) found.push({ root: dirname(dirname(nvcc)), namedBy: 'nvcc on PATH' });
  }
  const parent = windows
    ? join(environmentVariable(machine, 'ProgramFiles') ?? 'C:\\Program Files', 'NVIDIA GPU Computing Toolkit', 'CUDA')
    : '/usr/local';
  const pattern = windows ? /^v\d+\.\d+$/i : /^cuda(-\d+(\.\d+)?)?$/;
  for (const name of (await listIfThere(machine, parent)).filter((each) => pattern.test(each)).sort()) {
    found.push({ root: join(parent, name), namedBy: WELL_KNOWN });
  }
  // Arch Linux and Debian.
  if (!windows) for (const root of ['/opt/cuda', '/usr/lib/cuda']) found.push({ root, namedBy: WELL_KNOWN });
  return found;
}

/** From version.json (11.1 and newer), version.txt (11.0 and older) or the header. */
async function toolkitVersion(machine: Machine, root: string): Promise<string | null> {
  const read = (...file: string[]) => readTextIfThere(machine, machine.path.join(root, ...file)).catch(() => undefined);
  const json = await read('version.json');
  const recorded = json?.match(/"cuda"\s*:\s*\{[^}]*?"version"\s*:\s*"([\d.]+)"/)?.[1];
  if (recorded !== undefined) return recorded;
  const text = (await read('version.txt'))?.match(/CUDA Version ([\d.]+)/)?.[1];
  if (text !== undefined) return text;
  const macro = (await read('include', 'cuda.h'))?.match(/^#define\s+CUDA_VERSION\s+(\d+)/m)?.[1];
  return macro === undefined ? null : cudaOfNumber(Number(macro));
}
