import { namesIn, type PackageIndex, PROJECT_TOOLS } from '../../commands/projectTools.ts';
import { inPowerShell, quotePath } from '../../commands/shellWords.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { installedFrameworks } from '../../stack/facts/installed.ts';
import type { Remedy } from '../remedy.ts';

interface HowToInstall {
  /** Writes what is there once more, as another build of the same version needs. */
  anew?: boolean;
  index?: PackageIndex;
}

/**
 * How to install packages into the environment at hand: as the project's lock file is written, else with its own pip or
 * with uv. Environments that uv made hold no pip. The Python of a system is left alone, as distributions ask for
 * (PEP 668); it gets an environment of the project's own. `packages` may hold options of pip and uv alike.
 */
export function installing(facts: StackFacts, title: string, packages: string, how: HowToInstall = {}): Remedy[] {
  const called = callPython(facts);
  if (called === undefined) return [];
  const locked = installingIntoProject(facts, title, packages, how);
  if (locked !== undefined) return [locked];
  const { python, call } = called;
  const all = how.index === undefined ? packages : `${packages} --index-url ${how.index.url}`;
  const container = knownValue(facts.container);
  if (knownValue(facts.interpreter)?.environment === 'system' && !onWindows(facts) && !container) {
    const command = `python3 -m venv .venv && .venv/bin/pip install ${all}`;
    return [{ title: `${title} in an environment of the project's own`, command }];
  }
  const anew = how.anew === true && mayBeThere(facts, packages);
  const uv = inWords('uv pip install --python', python, ...namesOfUv(packages, anew), all);
  if (madeByUv(facts)) return [{ title: `${title} with uv`, command: uv }];
  const stays = BUILT.includes(container ?? '') ? ' (and in the Dockerfile, so that it stays)' : '';
  return [
    {
      title: `${title} with pip${stays}`,
      command: anew
        ? withPipAnew(facts, call, all)
        : inWords(call, '-m pip install', isPinned(packages) ? '' : '--upgrade', all),
    },
    { title: 'The same with uv', command: uv },
  ];
}

/**
 * What is there is written anew by itself, and then what it lacks is brought: reinstalling all at once would bring the newest of
 * everything that it depends on, such as a NumPy that others do not work with.
 */
function withPipAnew(facts: StackFacts, call: string, all: string): string {
  if (all.includes('--no-deps')) return `${call} -m pip install --force-reinstall ${all}`;
  return both(facts, `${call} -m pip install --force-reinstall --no-deps ${all}`, `${call} -m pip install ${all}`);
}

/** For uv, which is told by name what it shall write anew or bring to a newer version; without names it would do so with all. */
function namesOfUv(packages: string, anew: boolean): string[] {
  if (!anew && isPinned(packages)) return [];
  return namesIn(packages).map((name) => `--${anew ? 'reinstall' : 'upgrade'}-package ${name}`);
}

/** Each with its version; pip and uv bring these without a further option. */
function isPinned(packages: string): boolean {
  return namesIn(packages).length === [...packages.matchAll(PIN)].length;
}

/** Such as "torch==2.7.1" or "torchvision==0.17.*": the name, and the version that it begins with. */
const PIN = /(?<![\w.-])([\w.-]+)(?:\[[^\]]*\])?===?([\d.]+\d)/g;

/**
 * Whether something of this may be there in the version that is asked for, and would be left as it is: to pip and uv, builds
 * for other versions of CUDA are the same version.
 */
function mayBeThere(facts: StackFacts, packages: string): boolean {
  const pins = [...packages.matchAll(PIN)];
  if (pins.length < namesIn(packages).length) return true;
  const { torch, torchvision, torchaudio } = facts.frameworks;
  const known = [torch, torchvision, torchaudio].flatMap((fact) => knownValue(fact) ?? []);
  return pins.some(([, name, version = '']) => {
    const there = known.find((each) => each.name === name);
    return (
      there === undefined ||
      there.alsoInstalled.length > 0 ||
      `${there.version.split('+')[0]}.`.startsWith(`${version}.`)
    );
  });
}

function inWords(...words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' ');
}

/** Containers that are made from a file of the user's. */
const BUILT = ['Docker', 'Podman', 'containerd', 'Kubernetes'];

/** What is not written into the project's own file is undone by its next lock. */
function installingIntoProject(
  facts: StackFacts,
  title: string,
  packages: string,
  { index, anew }: HowToInstall,
): Remedy | undefined {
  const tool = knownValue(facts.projectTool);
  // Options of pip mean nothing to the others.
  if (!tool || packages.startsWith('--') || packages.includes(' -')) return undefined;
  const { source, add } = PROJECT_TOOLS[tool];
  const known = index && source(index, namesIn(packages), onWindows(facts));
  const added = add(packages, index);
  const command = known ? both(facts, known, added) : added;
  switch (tool) {
    case 'uv': {
      // All else would be looked for there first, too, where an index is not explicit.
      const explicit = index === undefined ? '' : `; set explicit = true at its index ${index.name}`;
      return {
        title: `${title} with uv, which writes it into pyproject.toml${explicit}`,
        // Without another index it is of the version that is there, and would stay.
        command: anew && index === undefined ? inWords(command, ...namesOfUv(packages, true)) : command,
      };
    }
    case 'poetry':
      return { title: `${title} with Poetry, which writes it into pyproject.toml`, command };
    case 'pdm':
      return {
        title: `${title} with PDM, which writes it into pyproject.toml`,
        // It leaves another build of the same version as it is.
        command: anew ? both(facts, command, 'pdm sync --reinstall') : command,
      };
    case 'pipenv':
      return {
        title: `${title} with Pipenv`,
        // It takes another build of the same version for what it has locked.
        command: anew ? both(facts, `pipenv run pip uninstall --yes ${namesIn(packages).join(' ')}`, command) : command,
      };
    case 'pixi':
      return index === undefined
        ? { title: `${title} with pixi, from PyPI`, command }
        : {
            title: `${title} with pixi: in pixi.toml, under [pypi-dependencies], write ${pixiEntries(packages, index)}`,
            command: 'pixi install',
          };
  }
}

/** Such as `torch = { version = "==2.6.0", index = "https://..." }`, of each package. */
function pixiEntries(packages: string, { url }: PackageIndex): string {
  return packages
    .split(' ')
    .map((each) => each.replaceAll('"', '').match(/^([\w.-]+)(.*)$/))
    .map((match) => `${match?.[1]} = { version = "${match?.[2] || '*'}", index = "${url}" }`)
    .join(' and ');
}

/** PowerShell before 7 knows no `&&`. */
function both(facts: StackFacts, first: string, second: string): string {
  return onWindows(facts) ? `${first}; ${second}` : `${first} && ${second}`;
}

/** How to remove packages from the environment at hand; `ofUser`: from the user's folder, which is no project's. */
export function removing(facts: StackFacts, title: string, packages: string, ofUser = false): Remedy[] {
  const called = callPython(facts);
  if (called === undefined) return [];
  const tool = knownValue(facts.projectTool);
  if (tool && !ofUser) return [{ title: `${title} from the project`, command: PROJECT_TOOLS[tool].remove(packages) }];
  const { python, call } = called;
  const command = madeByUv(facts)
    ? `uv pip uninstall --python ${python} ${packages}`
    : `${call} -m pip uninstall --yes ${packages}`;
  return [{ title, command }];
}

function madeByUv(facts: StackFacts): boolean {
  return installedFrameworks(facts).some(({ build }) => build.installer === 'uv');
}

/** How to install packages into the conda environment at hand; nothing in any other. */
export function installingWithConda(
  facts: StackFacts,
  title: string,
  packages: string,
  channels: readonly string[] = ['conda-forge'],
): Remedy[] {
  const interpreter = knownValue(facts.interpreter);
  if (interpreter?.environment !== 'conda') return [];
  if (knownValue(facts.projectTool) === 'pixi')
    return [{ title: `${title} with pixi`, command: `pixi add ${packages}` }];
  const from = channels.map((channel) => `-c ${channel}`).join(' ');
  return [{ title: `${title} with conda`, command: `conda install ${condaPlace(facts)}${from} ${packages}` }];
}

/** Names the conda environment at hand to conda, with a blank behind it; nothing where a text does not tell its folder. */
export function condaPlace(facts: StackFacts): string {
  const prefix = knownValue(facts.interpreter)?.prefix;
  return prefix ? `--prefix ${quotePath(prefix, onWindows(facts))} ` : '';
}

export function onWindows(facts: StackFacts): boolean {
  return knownValue(facts.os)?.family === 'windows';
}

/** How to set a variable in the shell at hand. */
export function setting(facts: StackFacts, variable: string, value: string): string {
  const word = onWindows(facts) ? inPowerShell(value) : quotePath(value, false);
  return onWindows(facts) ? `$env:${variable} = ${word}` : `export ${variable}=${word}`;
}

/** How to unset it. */
export function unsetting(facts: StackFacts, variable: string): string {
  return onWindows(facts) ? `Remove-Item Env:${variable}` : `unset ${variable}`;
}

/** The interpreter as an argument, and as a command: PowerShell starts a quoted path only after the call operator. */
export function callPython(facts: StackFacts): { python: string; call: string } | undefined {
  const path = knownValue(facts.interpreter)?.path;
  if (path === undefined) return undefined;
  const windows = onWindows(facts);
  const python = quotePath(path, windows);
  return { python, call: windows && python.startsWith('"') ? `& ${python}` : python };
}
