import type { Gpu } from '../stack/facts/facts.ts';
import { computeModes, LIBCUDA_NOT_LOADED, nvidiaSmiFailure, persistenceModes } from '../stack/readers/nvidiaSmi.ts';
import { isOnArm } from './printedSigns.ts';
import { gpuNamed, type Report, type ReportReader } from './report.ts';
import { systemOf } from './system.ts';

const HEADER = /NVIDIA-SMI\s+(\d+\.[\d.]+)\s+(?:KMD Version:\s*\S+\s+|Driver Version:\s*(\d+\.[\d.]+))/;

/** A GPU's first line: number, name, a mode and the bus address. Windows prints the driver model. */
const FIRST_LINE = /^\|?\s*(\d{1,2})\s+(\S.*?)\s+(?:On|Off|WDDM|TCC|MCDM|N\/A)\s*\|\s*[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:/;

/** The end of a GPU's third line; GPUs without MIG show "N/A" there. */
const MIG = /\|\s*(Enabled|Disabled)\*?\s*\|?$/;

const MEMORY = /(\d+)\s*MiB\s*\/\s*(\d+)\s*MiB\s*\|(?:\s*(\d+)%)?/;

/** The table of `nvidia-smi`, its list (`-L`), or the reason why it prints none. */
export const readReportedNvidiaSmi: ReportReader = (text) => table(text) ?? list(text) ?? failure(text);

function table(text: string): Report | undefined {
  const header = HEADER.exec(text);
  if (header === null) return undefined;
  // The number after its name is the tool's version, which differs from the driver's in WSL.
  const driver = header[2] ?? header[1];
  const lines = text.slice(header.index).split('\n', MOST_LINES).map(edged);
  const gpus = gpusIn(lines);
  const joined = lines.join('\n');
  const cuda = joined.match(/CUDA (?:UMD )?Version:\s*(\d+\.\d+)/)?.[1];
  const isNotLoaded = /CUDA (?:UMD )?Version:\s*(?:N\/A|ERR!)/.test(joined);
  const none = /^\|?\s*No devices were found/m.test(joined);
  return {
    program: 'nvidia-smi',
    at: header.index,
    ...(driver && { driver }),
    ...(cuda && { driverCuda: cuda }),
    ...(isNotLoaded && { noDriverCuda: { cause: 'failed', reason: LIBCUDA_NOT_LOADED } }),
    ...(gpus.length > 0 ? { gpus: withModes(gpus, joined) } : none && { gpus: [] }),
    ...systemShown(joined, gpus.length > 0, header[2] !== undefined && header[1] !== header[2], isOnArm(text)),
  };
}

const MOST_LINES = 200;

/** Only Windows has driver models, and only in WSL the tool and the driver have different versions. */
function systemShown(
  joined: string,
  hasGpus: boolean,
  isOfOtherVersion: boolean,
  isArm: boolean,
): Pick<Report, 'os' | 'wsl'> {
  if (/\b(?:WDDM|TCC|MCDM)\b/.test(joined)) return systemOf(undefined, 'win32');
  if (!hasGpus) return {};
  return { ...systemOf(undefined, isArm ? 'linux aarch64' : 'linux'), ...(isOfOtherVersion && { wsl: 2 as const }) };
}

/** Includes an edge that a quotation or an indented block may have removed. */
function edged(line: string): string {
  const bare = line.trim();
  return bare.startsWith('|') || !bare.endsWith('|') ? bare : `| ${bare}`;
}

function gpusIn(lines: readonly string[]): Gpu[] {
  return lines.flatMap((line, at) => {
    const [, index, name] = FIRST_LINE.exec(line) ?? [];
    if (index === undefined || name === undefined) return [];
    const [, used, total, busy] = MEMORY.exec(lines[at + 1] ?? '') ?? [];
    const [, mig] = MIG.exec(lines[at + 2] ?? '') ?? [];
    return [
      {
        ...gpuNamed(name, Number(index)),
        memoryTotal: total === undefined ? null : Number(total),
        memoryUsed: used === undefined ? null : Number(used),
        utilization: busy === undefined ? null : Number(busy),
        mig: mig === undefined ? null : mig === 'Enabled',
      },
    ];
  });
}

function withModes(gpus: readonly Gpu[], joined: string): Gpu[] {
  const modes = computeModes(joined);
  const persistences = persistenceModes(joined);
  return gpus.map((gpu, at) => {
    const computeMode = modes.length === gpus.length ? modes[at] : undefined;
    const persistence = persistences.length === gpus.length ? persistences[at] : undefined;
    return { ...gpu, ...(computeMode && { computeMode }), ...(persistence !== undefined && { persistence }) };
  });
}

function list(text: string): Report | undefined {
  const rows = [...text.matchAll(/^[ \t]*GPU (\d+): (\S.*?) \(UUID: (GPU-[0-9a-f-]+)\)/gm)];
  const [first] = rows;
  if (first === undefined) return undefined;
  const gpus = rows.map(([, index, name = '', uuid = '']) => ({ ...gpuNamed(name, Number(index)), uuid }));
  return { program: 'nvidia-smi -L', at: first.index, gpus };
}

const FAILURE =
  /^.*(?:NVIDIA-SMI has failed because|Failed to initialize NVML|NVIDIA-SMI couldn't find|Unable to determine the device handle|GPU access blocked by the operating system).*$/m;

const ABSENT = /nvidia-smi['"`]?(?::| is)? (?:command )?not (?:found|recognized)|'nvidia-smi' is not recognized/;

function failure(text: string): Report | undefined {
  const said = FAILURE.exec(text);
  if (said !== null) {
    const noGpus = nvidiaSmiFailure({ stdout: said[0], stderr: '', exitCode: 9 });
    return noGpus && { program: 'nvidia-smi', at: said.index, noGpus };
  }
  const absent = text.search(ABSENT);
  if (absent < 0) return undefined;
  return { program: 'nvidia-smi', at: absent, noGpus: { cause: 'absent', reason: 'nvidia-smi not found' } };
}
