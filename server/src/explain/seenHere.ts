import { gibibytes } from '../diagnosis/readout/describe/row.ts';
import { gpuVariables } from '../published/variables.ts';
import { gpuCodeOf } from '../stack/builds/gpuCode.ts';
import { type Fact, isUnknown, knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { isRelatedPackage } from '../stack/readers/packages.ts';
import type { ErrorEvidence } from './conditions/condition.ts';

/** Reads what one command, or one expression that a Python command prints, would show; undefined if the facts lack it. */
type Reader = (facts: StackFacts, captured: string) => string | undefined;

type Readers = readonly (readonly [RegExp, Reader])[];

/**
 * Returns what the commands of a question would show, from the facts of this machine and the file, which were read
 * without running anything of the project; undefined if a part of it is unknown, or if the machine was not looked at.
 */
export function seenHere(command: string, { facts, checkpoint }: ErrorEvidence): string | undefined {
  const wasLookedAt = facts !== undefined && !(isUnknown(facts.pciGpus) && facts.pciGpus.cause === 'notAsked');
  const parts = command
    .split(SEPARATOR)
    .map((each) => ofFile(each, checkpoint) ?? (wasLookedAt ? seenBy(each, COMMANDS, facts) : undefined));
  return parts.every((each) => each !== undefined) ? [...new Set(parts)].join('; ') : undefined;
}

/** Between commands, and not inside quotes. */
const SEPARATOR = /\s*(?:;(?=(?:[^"]*"[^"]*")*[^"]*$)|&&)\s*/;

/** A command that shows what the file is, or how much space is free where it lies. */
function ofFile(words: string, found: ErrorEvidence['checkpoint']): string | undefined {
  const [, program] =
    /^(gpu-doctor inspect|ls -l|head -c \d+|df(?: -h \.$)?)(?: "?(?:\{path\|?[^}]*\}|FILE)"?)?$/.exec(words) ?? [];
  if (found === undefined || program === undefined) return undefined;
  const { path, checkpoint, free } = found;
  if (program.startsWith('df'))
    return free === undefined ? undefined : `${gibibytes(free / 2 ** 20)} free beside ${path}`;
  const { format, size, writtenBy } = checkpoint;
  return `${path} is a ${format} file of ${size} bytes${writtenBy ? `, written by ${writtenBy}` : ''}`;
}

function seenBy(words: string, readers: Readers, facts: StackFacts): string | undefined {
  for (const [pattern, read] of readers) {
    const match = pattern.exec(words);
    if (match !== null) return read(facts, match[1] ?? '');
  }
  return undefined;
}

const COMMANDS: Readers = [
  [/^nvidia-smi(?: -L| --query-gpu=(?:name,)?compute_cap --format=csv)?$/, gpusOf],
  [/^(?:which nvcc|nvcc --version|ls -d \/usr\/local\/cuda\*|ls \/usr\/local \| grep cuda)$/, toolkitsOf],
  [/^(?:python -m )?(?:pip|conda) list \| grep (?:-i ?|-E |-iE )*"?([\w|\-^()]+)"?$/, packagesOf],
  [/^conda list (\w+)$/, packagesOf],
  [/^(?:python -m )?pip show (\S+)$/, (facts, name) => packagesOf(facts, `^${name}$`)],
  [/^python -VV$/, ({ interpreter }) => pythonOf(interpreter)],
  [/^python -c "(?:import|from) [^"]*?print\((.*)\)"$/, expressionsOf],
  [/^echo "?((?:\$\w+ ?)+)"?$/, variablesOf],
  [/^uname -r$/, ({ os }) => knownValue(os)?.kernel],
  [/^free -h$/, ({ memory }) => amountOf(knownValue(memory)?.total)],
  [/^grep \S.* avx \/proc\/cpuinfo$/, ({ os }) => ({ true: 'avx', false: 'no avx' })[String(knownValue(os)?.avx)]],
  [
    /^lspci -nn/,
    ({ pciGpus }) =>
      listed(
        pciGpus,
        ({ vendor, device, driver }) => `${vendor} ${device} (${driver ? `driver ${driver}` : 'no driver'})`,
        'no GPU on the PCI bus',
      ),
  ],
  [/^ldconfig -p \| grep (?:-E )?"?([\w|.]+)"?$/, librariesOf],
  [/^(?:ls -l|find) .*\b(libcuda)(?:\.so)?(?:\.\*|\*)/, librariesOf],
  [/^ls -l (\/dev\/[\w/* ]+)$/, deviceFilesOf],
  [
    /^(?:cat \/proc\/driver\/nvidia\/version|modinfo nvidia \| grep \^version|lsmod \| grep nvidia)$/,
    ({ kernelModule }) =>
      'value' in kernelModule
        ? `kernel module ${kernelModule.value.version}`
        : isUnknown(kernelModule)
          ? kernelModule.unknown
          : undefined,
  ],
  [/^conda info \| grep __cuda$/, ({ driverCuda }) => knownValue(driverCuda) && `CUDA up to ${knownValue(driverCuda)}`],
];

const EXPRESSIONS: Readers = [
  [/^(\w+)\.__version__$/, (facts, module) => packagesOf(facts, `^${module === 'tf' ? 'tensorflow' : module}$`)],
  [/^torch\.version\.cuda$/, (facts) => torchOf(facts, ({ cuda }) => (cuda ? `CUDA ${cuda}` : 'no CUDA'))],
  [/^torch\.version\.hip$/, (facts) => torchOf(facts, ({ rocm }) => rocm ?? 'no ROCm')],
  [/^torch\.__file__$/, ({ frameworks }) => knownValue(frameworks.torch)?.folder],
  [/^torch\.cuda\.get_device_capability\(\)$/, gpusOf],
  [/^torch\.cuda\.get_arch_list\(\)$/, (facts) => gpuCodeOf(facts, 'torch')?.value.join(' ')],
  [/^sys\.version$/, ({ interpreter }) => pythonOf(interpreter)],
  [/^sys\.executable$/, ({ interpreter }) => knownValue(interpreter)?.path],
  [/^(?:platform\.machine|sysconfig\.get_platform)\(\)$/, ({ os }) => knownValue(os)?.architecture],
];

function expressionsOf(facts: StackFacts, printed: string): string | undefined {
  const parts = printed.split(/,\s*(?![^(]*\))/).map((each) => seenBy(each, EXPRESSIONS, facts));
  return parts.every((each) => each !== undefined) ? parts.join(', ') : undefined;
}

function amountOf(mebibytes: number | undefined): string | undefined {
  return mebibytes === undefined ? undefined : `${gibibytes(mebibytes)} of RAM`;
}

/** The items of a fact as a list, or the words for none; undefined if the fact is unknown. */
function listed<T>(fact: Fact<T[]>, describe: (item: T) => string, none: string): string | undefined {
  return knownValue(fact) && (knownValue(fact)?.map(describe).join(', ') || none);
}

function gpusOf({ gpus, driver, driverCuda, container }: StackFacts): string | undefined {
  // The question may be about the host.
  if (knownValue(container)) return undefined;
  const found = knownValue(gpus);
  if (found === undefined) return isUnknown(gpus) ? gpus.unknown : undefined;
  const each = found.map(
    ({ name, computeCapability }) => `${name}${computeCapability ? ` (${computeCapability})` : ''}`,
  );
  const cuda = knownValue(driverCuda);
  return [...each, `driver ${knownValue(driver) ?? 'unknown'}`, ...(cuda ? [`CUDA up to ${cuda}`] : [])].join(', ');
}

function toolkitsOf({ toolkits }: StackFacts): string | undefined {
  return listed(
    toolkits,
    ({ root, version }) => `CUDA ${version ?? 'of unknown version'} in ${root}`,
    'no CUDA toolkit',
  );
}

function torchOf(
  { frameworks: { torch } }: StackFacts,
  describe: (build: { cuda: string | null; rocm: string | null }) => string,
): string | undefined {
  const build = knownValue(torch);
  return build ? `torch for ${describe(build)}` : undefined;
}

/** The copies of libraries that a program could load. */
function librariesOf(facts: StackFacts, names: string): string | undefined {
  const each = names.split('|').map((name) => {
    const fact = LIBRARIES[name.replace(/^lib|\.so$/g, '')];
    return fact && listed(facts[fact], ({ path, version }) => `${path} (${version})`, `no ${name}`);
  });
  return each.every((found) => found !== undefined) ? each.join(', ') : undefined;
}

/** The libraries whose copies facts list. */
const LIBRARIES: Readonly<Record<string, 'driverLibraries' | 'cudaRuntimes' | 'cudnns'>> = {
  cuda: 'driverLibraries',
  cudart: 'cudaRuntimes',
  cudnn: 'cudnns',
};

function deviceFilesOf({ deviceFiles }: StackFacts, patterns: string): string | undefined {
  const starts = patterns.split(' ').map((each) => each.replace('*', ''));
  const found = knownValue(deviceFiles)?.filter(({ path }) => starts.some((start) => path.startsWith(start)));
  return (
    found && (found.map(({ path, usable }) => `${path}${usable ? '' : ' (no access)'}`).join(', ') || `no ${patterns}`)
  );
}

function packagesOf(facts: StackFacts, names: string): string | undefined {
  const { packages, distributions, nvidiaWheels, frameworks } = facts;
  const lists = [packages, distributions, nvidiaWheels].map((fact) =>
    knownValue<readonly { name: string; version: string }[]>(fact),
  );
  const builds = Object.entries(frameworks).map(
    ([name, fact]) => [name, knownValue<{ name: string; version: string } | null>(fact)] as const,
  );
  if ([...lists, ...builds.map(([, build]) => build)].some((each) => each === undefined)) return undefined;
  const wanted = new RegExp(names, 'i');
  const all = new Map(
    [...lists.flatMap((list) => list ?? []), ...builds.flatMap(([, build]) => build ?? [])].map(({ name, version }) => [
      name.toLowerCase(),
      version,
    ]),
  );
  const asked = names.replace(/[()^$]/g, '').split('|');
  // Facts list no other packages, so that a missing one may be installed.
  const isListed = (part: string) =>
    [...all.keys(), ...NVIDIA_PARTS].some((name) => name.includes(part.toLowerCase())) ||
    isRelatedPackage(part) ||
    part in frameworks;
  if (!asked.every(isListed)) return undefined;
  const found = [...all].filter(([name]) => wanted.test(name)).map(([name, version]) => `${name} ${version}`);
  return found.length > 0 ? found.sort().slice(0, MOST_PACKAGES).join(', ') : `no ${asked.join(', ')}`;
}

/** Parts of the names of packages that facts always include. */
const NVIDIA_PARTS = ['nvidia', 'cublas', 'cusparse', 'cusolver', 'cufft', 'nvjitlink', 'cudnn', 'cuda'];

/** The maximum number of packages in an answer. */
const MOST_PACKAGES = 12;

function pythonOf(fact: StackFacts['interpreter']): string | undefined {
  const version = knownValue(fact)?.version;
  return version ? `Python ${version}` : undefined;
}

function variablesOf({ variables }: StackFacts, names: string): string | undefined {
  const known = knownValue(variables);
  const each = names.trim().split(/ ?\$/).slice(1);
  if (known === undefined || each.some((name) => !gpuVariables().includes(name))) return undefined;
  return each.map((name) => (known[name] === undefined ? `${name} is not set` : `${name}=${known[name]}`)).join(', ');
}
