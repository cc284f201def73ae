import { judgeStack } from '../../server/src/diagnosis/judgeStack.ts';
import type { CommandResult } from '../../server/src/stack/machine/command.ts';
import type { Machine } from '../../server/src/stack/machine/machine.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { type Recording, recordedMachine } from './recordedMachine.ts';

/** A short description of a machine, as in an issue or a test. Everything else is as on a typical Linux machine. */
export interface Description {
  /** Each as "NVIDIA GeForce RTX 3090 8.6"; without GPUs, there is no driver. */
  gpus?: readonly string[];
  driver?: string;
  /** The newest CUDA that the driver supports, from nvidia-smi's header. */
  driverCuda?: string;
  python?: string;
  /** A torch version as in its `version.py`: "2.6.0+cu124". */
  torch?: string;
  /** Other packages as "numpy==2.0.1", followed by their requirements: "vllm==0.3.2 torch==2.1.2 numpy". */
  packages?: readonly string[];
  /** Conda packages: "pytorch-2.1.0-py3.10_cuda12.1_cudnn8.9.2_0". If set, the environment is conda's. */
  conda?: readonly string[];
  /** Paths below site-packages, with or without contents. */
  inPackages?: Record<string, string | null>;
  /** Other absolute paths. */
  files?: Record<string, string | null>;
  links?: Record<string, string>;
  env?: Record<string, string>;
  platform?: NodeJS.Platform;
  architecture?: string;
  os?: string;
  kernel?: string;
  /** The version of the toolkit in /usr/local/cuda. */
  toolkit?: string;
  /** The column "Persistence-M" of nvidia-smi's table. */
  persistence?: boolean;
  /** The output of nvidia-smi instead of a list. */
  smi?: string;
}

const DRIVER = '550.54.15';

/** The described machine and the folders of its workspace. */
export function describedMachine(description: Description): { machine: Machine; folders: string[] } {
  const { platform = 'linux', gpus = [], smi, env = {} } = description;
  const windows = platform === 'win32';
  const home = windows ? 'C:\\Users\\ada' : '/home/ada';
  const folders = [`${home}${windows ? '\\' : '/'}project`];
  const program = windows ? 'C:\\Windows\\System32\\nvidia-smi.exe' : '/usr/bin/nvidia-smi';
  const answers = gpus.length > 0 || smi !== undefined;
  const recording: Recording = {
    about: '',
    platform,
    architecture: description.architecture ?? 'x64',
    release: description.kernel ?? (windows ? '10.0.22631' : '6.8.0-85-generic'),
    home,
    env: {
      PATH: windows ? 'C:\\Windows\\System32' : '/usr/local/bin:/usr/bin:/bin',
      SystemRoot: 'C:\\Windows',
      ...env,
    },
    folders,
    commands: answers ? { [program]: {} } : {},
    links: description.links,
    files: {
      ...pythonFiles(description, folders[0] ?? '', windows),
      ...(windows ? {} : systemFiles(description)),
      ...description.files,
    },
  };
  const recorded = recordedMachine('', recording);
  const machine: Machine = {
    ...recorded,
    run: async (name, args, options) =>
      name === program && answers ? nvidiaSmiOutput(args, description) : recorded.run(name, args, options),
  };
  return { machine, folders };
}

function nvidiaSmiOutput(
  args: string[],
  { gpus = [], driver = DRIVER, driverCuda, persistence, smi }: Description,
): CommandResult {
  if (smi !== undefined) return { stdout: smi, stderr: '', exitCode: 9 };
  const rows = gpus.map((gpu, index) => {
    const [, name = gpu, capability = '[N/A]'] = gpu.match(/^(.*) (\d+\.\d)$/) ?? [];
    return `${index}, GPU-5a1b2c00-1111-2222-3333-44445555666${index}, ${name}, ${driver}, 24576, 300, 3, ${capability}, [N/A]`;
  });
  const table = [
    ...(driverCuda === undefined
      ? []
      : [`| NVIDIA-SMI ${driver}    Driver Version: ${driver}    CUDA Version: ${driverCuda}     |`]),
    '| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |',
    ...(persistence === undefined
      ? []
      : gpus.map((gpu, index) => `|   ${index}  ${gpu}  ${persistence ? 'On' : 'Off'} | 00000000:01:00.0 Off | N/A |`)),
  ].join('\n');
  const query = args.some((each) => each.startsWith('--query-gpu'));
  return { stdout: query ? `${rows.join('\n')}\n` : table, stderr: '', exitCode: 0 };
}

function systemFiles({ gpus = [], driver = DRIVER, os = 'Ubuntu 22.04.5 LTS', kernel, toolkit }: Description) {
  return {
    '/etc/os-release': `PRETTY_NAME="${os}"\n`,
    '/proc/sys/kernel/osrelease': kernel ?? '6.8.0-85-generic',
    ...(toolkit && { '/usr/local/cuda/version.json': `{"cuda": {"version": "${toolkit}"}}` }),
    ...(gpus.length > 0 &&
      !/microsoft/i.test(kernel ?? '') && {
        '/proc/driver/nvidia/version': `NVRM version: NVIDIA UNIX x86_64 Kernel Module  ${driver}  Release Build\n`,
        '/dev/nvidiactl': null,
        '/dev/nvidia-uvm': null,
        ...Object.fromEntries(gpus.map((_, index) => [`/dev/nvidia${index}`, null])),
      }),
  };
}

function pythonFiles(description: Description, project: string, windows: boolean): Record<string, string | null> {
  const { python = '3.10.12', torch, packages = [], conda, inPackages = {} } = description;
  const join = (...parts: string[]) => parts.join(windows ? '\\' : '/');
  const short = python.split('.').slice(0, 2).join('.');
  const prefix = join(project, '.venv');
  const site = windows ? join(prefix, 'Lib', 'site-packages') : join(prefix, 'lib', `python${short}`, 'site-packages');
  const cuda = torch?.match(/\+cu(\d+)(\d)$/);
  const all = torch === undefined ? packages : [...packages, `torch==${torch}`];
  const metadata = all.flatMap((each) => {
    const [spelled = '', ...requires] = each.split(' ');
    const [name = '', version = ''] = spelled.split('==');
    const folder = join(site, `${name.replaceAll('-', '_')}-${version}.dist-info`);
    const lines = requires.map((one) => `Requires-Dist: ${one}\n`).join('');
    return [
      [join(folder, 'METADATA'), `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${lines}`],
      ...(conda === undefined ? [[join(folder, 'INSTALLER'), 'pip\n']] : []),
    ];
  });
  return {
    ...(conda === undefined
      ? { [join(prefix, 'pyvenv.cfg')]: `home = /usr/bin\nversion = ${python}\n` }
      : Object.fromEntries([
          [join(prefix, 'conda-meta', `python-${python}-h123_0.json`), null],
          ...conda.map((name) => [join(prefix, 'conda-meta', `${name}.json`), null]),
        ])),
    [windows ? join(prefix, 'Scripts', 'python.exe') : join(prefix, 'bin', 'python')]: null,
    ...(torch && {
      [join(site, 'torch', 'version.py')]:
        `__version__ = '${torch}'\ncuda = ${cuda ? `'${cuda[1]}.${cuda[2]}'` : 'None'}\nhip = ${torch.includes('rocm') ? "'6.2'" : 'None'}\n`,
    }),
    ...Object.fromEntries(metadata),
    ...Object.fromEntries(Object.entries(inPackages).map(([file, text]) => [join(site, ...file.split('/')), text])),
  };
}

/** Returns the ids of all its diagnoses, worst first. */
export async function verdictsOn(description: Description): Promise<string[]> {
  return judgeStack(await readStack(describedMachine(description))).map(({ id }) => id);
}
