import { capabilityOf } from '../../published/gpuCapabilities.ts';
import type { Gpu, KnownFact, MigInstance, UnknownCause, UnknownFact } from '../facts/facts.ts';
import { COMMAND_TIMEOUT, type CommandResult } from '../machine/command.ts';
import { environmentVariable, listIfThere, type Machine, realPathIfThere, searchPath } from '../machine/machine.ts';
import { known, unknownFact } from './readFact.ts';

interface NvidiaSmiFacts {
  gpus: KnownFact<Gpu[]> | UnknownFact;
  driver: KnownFact<string> | UnknownFact;
  driverCuda: KnownFact<string> | UnknownFact;
}

const FIELDS = [
  'index',
  'uuid',
  'name',
  'driver_version',
  'memory.total',
  'memory.used',
  'utilization.gpu',
  'compute_cap',
  'mig.mode.current',
] as const;

/** Drivers before R510 do not support `compute_cap` and reject the whole query. */
const OLD_FIELDS = FIELDS.slice(0, 7);

/**
 * Queries nvidia-smi for the GPUs and the driver. It never throws and takes at most three times the command's limit.
 */
export async function readNvidiaSmi(machine: Machine, signal?: AbortSignal): Promise<NvidiaSmiFacts> {
  const source = 'nvidia-smi';
  const nothing = (cause: UnknownCause, reason: string): NvidiaSmiFacts => {
    const fact = unknownFact(machine, source, cause, reason);
    return { gpus: fact, driver: fact, driverCuda: fact };
  };
  if (machine.platform === 'darwin') return nothing('notApplicable', 'there is no NVIDIA driver for macOS');
  const program = await locateNvidiaSmi(machine);
  if (program === undefined) return nothing('absent', 'nvidia-smi not found');

  const [query, header] = await Promise.all([runQuery(machine, program, signal), machine.run(program, [], { signal })]);
  const failure = nvidiaSmiFailure(query);
  if (failure !== undefined) return nothing(failure.cause, failure.reason);

  if (/^No devices were found/m.test(query.stdout)) {
    const none = unknownFact(machine, program, 'notApplicable', 'nvidia-smi finds no device');
    return { gpus: known(machine, program, []), driver: none, driverCuda: none };
  }
  const rows = query.stdout.split('\n').flatMap((line) => parseRow(line) ?? []);
  const [first] = rows;
  if (first === undefined)
    return nothing('unreadable', `nvidia-smi printed ${quote(query.stdout)} instead of a list of GPUs`);
  const modes = computeModes(header.stdout);
  const persistences = persistenceModes(header.stdout);
  const gpus = rows.map(({ gpu }, at) => {
    const computeMode = modes.length === rows.length ? modes[at] : undefined;
    const persistence = persistences.length === rows.length ? persistences[at] : undefined;
    return { ...gpu, ...(computeMode && { computeMode }), ...(persistence !== undefined && { persistence }) };
  });
  if (gpus.some(({ mig }) => mig)) {
    const list = await machine.run(program, ['-L'], { signal });
    const instances = parseInstances(list.stdout);
    for (const gpu of gpus) gpu.migInstances = instances.get(gpu.uuid ?? '') ?? [];
  }
  return {
    gpus: known(machine, program, gpus),
    driver: known(machine, program, first.driver),
    driverCuda: readDriverCuda(machine, program, header),
  };
}

/** The full path of nvidia-smi: on the PATH, or in the folders of drivers and containers. */
export async function locateNvidiaSmi(machine: Machine): Promise<string | undefined> {
  const name = machine.platform === 'win32' ? 'nvidia-smi.exe' : 'nvidia-smi';
  for (const folder of [...searchPath(machine), ...(await wellKnownFolders(machine))]) {
    const program = machine.path.join(folder, name);
    if ((await realPathIfThere(machine, program)) !== undefined) return program;
  }
  return undefined;
}

async function wellKnownFolders(machine: Machine): Promise<string[]> {
  if (machine.platform !== 'win32') {
    return [
      '/usr/bin',
      '/usr/local/bin',
      '/usr/lib/wsl/lib',
      // GKE and other hosts that mount the driver into containers.
      '/usr/local/nvidia/bin',
      // NixOS.
      '/run/current-system/sw/bin',
      '/opt/bin',
    ];
  }
  const { join } = machine.path;
  const windows = environmentVariable(machine, 'SystemRoot') ?? 'C:\\Windows';
  const programs = environmentVariable(machine, 'ProgramFiles') ?? 'C:\\Program Files';
  const store = join(windows, 'System32', 'DriverStore', 'FileRepository');
  const drivers = (await listIfThere(machine, store)).filter((name) => /^nv/i.test(name));
  return [
    join(windows, 'System32'),
    join(programs, 'NVIDIA Corporation', 'NVSMI'),
    ...drivers.map((name) => join(store, name)),
  ];
}

async function runQuery(machine: Machine, program: string, signal?: AbortSignal): Promise<CommandResult> {
  const ask = (fields: readonly string[]) =>
    machine.run(program, [`--query-gpu=${fields.join(',')}`, '--format=csv,noheader,nounits'], { signal });
  const result = await ask(FIELDS);
  return /is not a valid field to query/.test(result.stdout) ? ask(OLD_FIELDS) : result;
}

/** nvidia-smi's messages when it cannot work. They are printed to standard output and never translated. */
const FAILURE_TEXTS: [RegExp, UnknownCause, string][] = [
  [
    /Driver\/library version mismatch/,
    'driverMismatch',
    'nvidia-smi: the NVIDIA libraries and the loaded kernel module are of different versions',
  ],
  [
    /couldn't communicate with the NVIDIA driver/,
    'driverNotRunning',
    'nvidia-smi cannot reach the NVIDIA driver: it is not installed or not running',
  ],
  [
    /couldn't find libnvidia-ml|libnvidia-ml\.so: cannot open|couldn't find nvml\.dll|NVML Shared Library Not Found/i,
    'driverNotRunning',
    "nvidia-smi cannot find the driver's management library (libnvidia-ml)",
  ],
  [
    /GPU access blocked by the operating system/,
    'refused',
    'nvidia-smi: the operating system blocks access to the GPU',
  ],
  [/Insufficient Permissions|permission/i, 'refused', 'nvidia-smi is not permitted to access the GPU'],
  [/GPU is lost/, 'failed', 'nvidia-smi: a GPU is lost (it has fallen off the bus)'],
];

export function nvidiaSmiFailure(result: CommandResult): { cause: UnknownCause; reason: string } | undefined {
  switch (result.failure) {
    case 'timedOut':
      return { cause: 'timedOut', reason: `nvidia-smi did not answer within ${COMMAND_TIMEOUT / 1000} s` };
    case 'aborted':
      return { cause: 'aborted', reason: 'reading was canceled' };
    case 'tooMuchOutput':
      return { cause: 'unreadable', reason: 'nvidia-smi produced endless output' };
    case 'notFound':
      return { cause: 'absent', reason: 'nvidia-smi not found' };
    case 'notPermitted':
      return { cause: 'refused', reason: 'no permission to run nvidia-smi' };
    case 'notStarted':
      return { cause: 'failed', reason: 'nvidia-smi could not be started' };
    case 'killed':
      return { cause: 'failed', reason: 'nvidia-smi was killed before it finished' };
  }
  // A list of some GPUs counts even if another one failed.
  if (result.exitCode === 0 || parseRow(result.stdout.split('\n')[0] ?? '') !== undefined) return undefined;
  const said = `${result.stdout}\n${result.stderr}`;
  if (/^No devices were found/m.test(said)) return undefined;
  const known = FAILURE_TEXTS.find(([pattern]) => pattern.test(said));
  if (known !== undefined) return { cause: known[1], reason: known[2] };
  return { cause: 'failed', reason: `nvidia-smi exited with code ${result.exitCode} and ${quote(said)}` };
}

/** Parses one line of the query's answer; undefined for anything else. */
export function parseRow(line: string): { gpu: Gpu; driver: string } | undefined {
  const cells = line.trim().split(/,\s+/);
  if (cells.length !== FIELDS.length && cells.length !== OLD_FIELDS.length) return undefined;
  const [index = '', uuid = '', name = '', driver = '', total, used, utilization, capability, mig] = cells;
  if (!/^\d+$/.test(index) || name === '' || !/^\d+\.\d+/.test(driver)) return undefined;
  return {
    driver,
    gpu: {
      index: Number(index),
      name,
      uuid: textCell(uuid),
      memoryTotal: numberCell(total),
      memoryUsed: numberCell(used),
      utilization: numberCell(utilization),
      computeCapability: textCell(capability) ?? capabilityOf(name),
      mig: textCell(mig) === null ? null : mig === 'Enabled',
      migInstances: [],
    },
  };
}

const COMPUTE_MODES: Readonly<Record<string, Gpu['computeMode']>> = {
  'E. Process': 'Exclusive_Process',
  Prohibited: 'Prohibited',
};

/** The last column of each GPU's second line in the table of nvidia-smi. */
export function computeModes(table: string): Gpu['computeMode'][] {
  const lines = table.matchAll(/^\|.*\|.*\|\s*\S*\s+(Default|E\. Process|E\. Thread|Prohibited)\s*\|\s*$/gm);
  return [...lines].map(([, mode = '']) => COMPUTE_MODES[mode]);
}

/** The end of the first column of each GPU's first line, under "Persistence-M". */
export function persistenceModes(table: string): boolean[] {
  if (!table.includes('Persistence-M')) return [];
  return [...table.matchAll(/^\|\s+\d+\s.*?\s(On|Off)\s*\|/gm)].map(([, mode]) => mode === 'On');
}

/** The MIG instances by the UUID of their GPU, from the output of `-L`. */
function parseInstances(list: string): Map<string, MigInstance[]> {
  const instances = new Map<string, MigInstance[]>();
  let current: MigInstance[] = [];
  for (const line of list.split('\n')) {
    const gpu = line.match(/^GPU \d+: .*\(UUID: (GPU-[0-9a-f-]+)\)/)?.[1];
    if (gpu !== undefined) {
      current = [];
      instances.set(gpu, current);
    }
    const [, profile, uuid] = line.match(/^\s+MIG (\S+)\s+Device\s+\d+: \(UUID: (MIG-[^)]+)\)/) ?? [];
    if (profile !== undefined && uuid !== undefined) current.push({ profile, uuid });
  }
  return instances;
}

/** Missing values are "[N/A]", "N/A", "[Not Supported]", "[Unknown Error]", "[GPU is lost]" and so on. */
export function textCell(cell: string | undefined): string | null {
  return cell === undefined || cell === '' || cell === 'N/A' || cell.startsWith('[') ? null : cell;
}

export function numberCell(cell: string | undefined): number | null {
  return cell !== undefined && /^\d+(\.\d+)?$/.test(cell) ? Number(cell) : null;
}

/** From R610 on the header has "CUDA UMD Version"; "N/A" and "ERR!" mean that libcuda cannot be loaded. */
function readDriverCuda(machine: Machine, program: string, header: CommandResult): KnownFact<string> | UnknownFact {
  const version = header.stdout.match(/CUDA (?:UMD )?Version:\s*([\d.]+|N\/A|ERR!)/)?.[1];
  if (version === undefined) {
    const reason =
      nvidiaSmiFailure(header)?.reason ?? "nvidia-smi's header names no CUDA version, as those of old drivers do not";
    return unknownFact(machine, program, 'unreadable', reason);
  }
  return /^\d/.test(version)
    ? known(machine, program, version)
    : unknownFact(machine, program, 'failed', LIBCUDA_NOT_LOADED);
}

/** The meaning of "CUDA Version: N/A" and "ERR!" in the header of nvidia-smi. */
export const LIBCUDA_NOT_LOADED = 'nvidia-smi cannot load libcuda, so programs cannot use CUDA here either';

/** The start of a program's output on one line, safe to show; bytes that are not UTF-8 become "?". */
function quote(said: string): string {
  const line = said
    .replaceAll('\uFFFD', '?')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  return line === '' ? 'nothing' : `"${line.length > 80 ? `${line.slice(0, 80)}…` : line}"`;
}
