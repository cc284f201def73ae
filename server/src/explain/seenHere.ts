import { computingModules } from '../published/knownPackages.ts';
import { gpuVariables } from '../published/variables.ts';
import { gpuCodeOf } from '../stack/builds/gpuCode.ts';
import { type Interpreter, isUnknown, knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { installedFrameworks, packageVersion } from '../stack/facts/installed.ts';
import type { ErrorEvidence } from './conditions/condition.ts';

/** Reads from facts what one command, or one expression that a Python command prints, would show; undefined if they lack it. */
type Reader = (facts: StackFacts, match: RegExpExecArray) => string | undefined;

/**
 * Returns what the commands of a question would show, from the facts of this machine and the file, which were read
 * without running anything of the project; undefined if a part of it is unknown, or if the machine was not looked at.
 */
export function seenHere(command: string, { facts, checkpoint }: ErrorEvidence): string | undefined {
  if (checkpoint !== undefined && OF_FILE.test(command)) {
    const { format, size, writtenBy } = checkpoint.checkpoint;
    return `${checkpoint.path} is a ${format} file of ${size} bytes${writtenBy ? `, written by ${writtenBy}` : ''}`;
  }
  if (facts === undefined || (isUnknown(facts.pciGpus) && facts.pciGpus.cause === 'notAsked')) return undefined;
  const parts = command.split(SEPARATOR).map((each) => seenBy(each, COMMANDS, facts));
  return parts.every((each) => each !== undefined) ? [...new Set(parts)].join('; ') : undefined;
}

/** Between commands, and not inside quotes. */
const SEPARATOR = /\s*(?:;(?=(?:[^"]*"[^"]*")*[^"]*$)|&&)\s*/;

/** One command that shows what the file is. */
const OF_FILE = /^(?:gpu-doctor inspect|ls -l|head -c \d+) "?(?:\{path\|?[^}]*\}|FILE)"?$/;

function seenBy(words: string, readers: readonly (readonly [RegExp, Reader])[], facts: StackFacts): string | undefined {
  for (const [pattern, read] of readers) {
    const match = pattern.exec(words);
    if (match !== null) return read(facts, match);
  }
  return undefined;
}

const COMMANDS: readonly (readonly [RegExp, Reader])[] = [
  [/^nvidia-smi(?: -L| --query-gpu=(?:name,)?compute_cap --format=csv)?$/, gpusOf],
  [/^(?:which nvcc|nvcc --version|ls -d \/usr\/local\/cuda\*)$/, toolkitsOf],
  [
    /^(?:python -m )?(?:pip|conda) list \| grep (?:-i ?|-E |-iE )*"?([\w|\-^()]+)"?$/,
    (facts, [, names = '']) => packagesOf(facts, names),
  ],
  [/^(?:python -m )?pip show (\S+)$/, (facts, [, name = '']) => packagesOf(facts, `^${name}$`)],
  [/^python -VV$/, ({ interpreter }) => pythonOf(interpreter, 'version')],
  [/^python -c "(?:import|from) [^"]*?print\((.*)\)"$/, (facts, [, printed = '']) => expressionsOf(facts, printed)],
  [/^echo "?((?:\$\w+ ?)+)"?$/, (facts, [, names = '']) => variablesOf(facts, names)],
  [/^uname -r$/, ({ os }) => knownValue(os)?.kernel ?? undefined],
];

const EXPRESSIONS: readonly (readonly [RegExp, Reader])[] = [
  [/^(\w+)\.__version__$/, (facts, [, name = '']) => versionOf(facts, name)],
  [
    /^torch\.version\.(cuda|hip)$/,
    ({ frameworks: { torch } }, [, kind]) => {
      const build = knownValue(torch);
      return build
        ? `torch for ${kind === 'hip' ? (build.rocm ?? 'no ROCm') : build.cuda ? `CUDA ${build.cuda}` : 'no CUDA'}`
        : undefined;
    },
  ],
  [/^torch\.cuda\.get_device_capability\(\)$/, gpusOf],
  [/^torch\.cuda\.get_arch_list\(\)$/, (facts) => gpuCodeOf(facts, 'torch')?.value.join(' ')],
  [/^sys\.version$/, ({ interpreter }) => pythonOf(interpreter, 'version')],
  [/^sys\.executable$/, ({ interpreter }) => pythonOf(interpreter, 'path')],
  [/^platform\.machine\(\)$/, ({ os }) => knownValue(os)?.architecture],
];

function expressionsOf(facts: StackFacts, printed: string): string | undefined {
  const parts = printed.split(/,\s*(?![^(]*\))/).map((each) => seenBy(each, EXPRESSIONS, facts));
  return parts.every((each) => each !== undefined) ? parts.join(', ') : undefined;
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
  const found = knownValue(toolkits)?.map(({ root, version }) => `CUDA ${version ?? 'of unknown version'} in ${root}`);
  return found && (found.join(', ') || 'no CUDA toolkit');
}

function packagesOf(facts: StackFacts, names: string): string | undefined {
  const { packages, distributions, nvidiaWheels } = facts;
  const lists = [packages, distributions, nvidiaWheels].map((fact) =>
    knownValue<readonly { name: string; version: string }[]>(fact),
  );
  if (lists.some((list) => list === undefined)) return undefined;
  const builds = installedFrameworks(facts).map(({ build }) => build);
  const wanted = new RegExp(names, 'i');
  const all = new Map(
    [...lists.flatMap((list) => list ?? []), ...builds].map(({ name, version }) => [name.toLowerCase(), version]),
  );
  // Facts list no other packages, so that a missing one may be installed.
  const isListed = (part: string) =>
    [...all.keys(), ...NVIDIA_PARTS, ...computingModules().keys()].some((name) => name.includes(part.toLowerCase()));
  if (
    !names
      .replace(/[()^$]/g, '')
      .split('|')
      .every(isListed)
  )
    return undefined;
  const found = [...all].filter(([name]) => wanted.test(name)).map(([name, version]) => `${name} ${version}`);
  return found.length > 0 ? found.sort().slice(0, MOST_PACKAGES).join(', ') : undefined;
}

/** Parts of the names of packages that facts always include. */
const NVIDIA_PARTS = ['nvidia', 'cublas', 'cusparse', 'cusolver', 'cufft', 'nvjitlink', 'cudnn', 'cuda'];

/** The maximum number of packages in an answer. */
const MOST_PACKAGES = 12;

function versionOf(facts: StackFacts, module: string): string | undefined {
  const name = module === 'tf' ? 'tensorflow' : module;
  const build = installedFrameworks(facts).find(({ framework }) => framework === name)?.build;
  const version = build?.version ?? packageVersion(facts, module);
  return version && `${build?.name ?? module} ${version}`;
}

function pythonOf(
  fact: StackFacts['interpreter'],
  part: keyof Pick<Interpreter, 'version' | 'path'>,
): string | undefined {
  const found = knownValue(fact)?.[part];
  return found ? (part === 'version' ? `Python ${found}` : found) : undefined;
}

function variablesOf({ variables }: StackFacts, names: string): string | undefined {
  const known = knownValue(variables);
  const each = names.trim().split(/ ?\$/).slice(1);
  if (known === undefined || each.some((name) => !gpuVariables().includes(name))) return undefined;
  return each.map((name) => (known[name] === undefined ? `${name} is not set` : `${name}=${known[name]}`)).join(', ');
}
