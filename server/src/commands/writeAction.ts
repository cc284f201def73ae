/** The only module that turns an action into a title and commands, for the installer, the shell and the system. */

import { gigabytesOf } from '../published/releases/downloads.ts';
import { torchReleaseOf } from '../published/releases/torchReleases.ts';
import { installedPackages } from '../stack/builds/installedPackages.ts';
import { knownValue, type ProjectTool, type StackFacts } from '../stack/facts/facts.ts';
import { listOf } from '../stack/facts/gpuName.ts';
import { installedFrameworks } from '../stack/facts/installed.ts';
import type { Action, CondaInstall, Install, Uninstall } from './action.ts';
import { addToProject, installArguments, namesOf, pixiEntry, type Wanted } from './installers.ts';
import { PROJECT_TOOLS } from './projectTools.ts';
import {
  calling,
  inShell,
  joinedCommands,
  onWindows,
  quotedRequirement,
  quotePath,
  setting,
  shellOf,
  unsetting,
} from './shells.ts';

/** An action as a title, with its command. */
export interface WrittenAction {
  /** In the imperative, without a period. */
  readonly title: string;
  readonly command?: string;
}

/**
 * Writes an action for a machine: once for each installer that can do it, the environment's own first. Empty if the
 * environment has no such installer.
 */
export function writeAction(action: Action, facts: StackFacts): WrittenAction[] {
  const title = action.title ?? titleOf(action, facts);
  const shell = shellOf(facts);
  switch (action.do) {
    case 'install':
      return installing(action, title, facts);
    case 'uninstall':
      return uninstalling(action, title, facts);
    case 'condaInstall':
      return installingWithConda(action, title, facts);
    case 'condaRemove':
      return [{ title, command: `conda remove ${condaPlace(facts)}${action.packages.join(' ')}` }];
    case 'createEnvironment':
      return [{ title, command: `uv venv --python ${action.python}` }];
    case 'set': {
      const { variable, value, inCondaEnvironment } = action;
      if (!inCondaEnvironment) return [{ title, command: setting(variable, value, shell) }];
      const place = condaPlace(facts);
      return [{ title, command: `conda env config vars set ${place}${variable}=${quotePath(value, shell)}` }];
    }
    case 'unset':
      return [{ title, command: unsetting(action.variable, shell) }];
    case 'addLibraryFolders': {
      const { folders, ofEachSubfolder } = action;
      const paths = folders.map((each) => quotePath(each, 'posix')).join(':');
      const all = ofEachSubfolder ? `$(echo ${paths}/*/lib | tr ' ' ':')` : paths;
      return [{ title, command: `export LD_LIBRARY_PATH=${all}:$LD_LIBRARY_PATH` }];
    }
    case 'run':
      return [{ title, command: inShell(action.command, shell) }];
    case 'updateDriver':
    case 'edit':
    case 'advise':
      return [{ title }];
  }
}

function titleOf(action: Action, facts: StackFacts): string {
  switch (action.do) {
    case 'install':
      return `${action.reinstalls ? 'Reinstall' : 'Install'} ${listOf(action.requirements.map(plain))}`;
    case 'uninstall':
    case 'condaRemove':
      return `Remove ${listOf(action.packages)}`;
    case 'condaInstall':
      return `Install ${listOf(action.specs)}`;
    case 'createEnvironment':
      return `Create an environment with Python ${action.python}`;
    case 'set':
      return `Set ${action.variable}`;
    case 'unset':
      return `Unset ${action.variable}`;
    case 'addLibraryFolders':
      return 'Add their folders to LD_LIBRARY_PATH before the program starts';
    case 'updateDriver': {
      const inside = knownValue(facts.container) ? ' on the host of the container' : '';
      return `Update the NVIDIA driver${knownValue(facts.wsl) ? ' in Windows' : inside} to ${action.to} or newer`;
    }
    case 'edit':
      return `In ${action.file}, ${action.change}`;
    case 'run':
    case 'advise':
      return action.title;
  }
}

/** "torch 2.6.0" for "torch==2.6.0", "keras 2.15" for "keras==2.15.*". */
function plain(requirement: string): string {
  return requirement.replace(/\[[^\]]*\]/, '').replace(/===?([\d.]+?)(?:\.\*)?$/, ' $1');
}

/**
 * Installs with the tool that writes the project's lock file, otherwise with the environment's own pip, or with uv.
 * Environments created by uv have no pip. A system's own Python must not be changed (PEP 668): the project gets an
 * environment.
 */
function installing(action: Install, title: string, facts: StackFacts): WrittenAction[] {
  const interpreter = knownValue(facts.interpreter);
  if (interpreter?.path === undefined) return [];
  const tool = knownValue(facts.projectTool);
  // Tools for projects do not support pip's options.
  if (tool && !action.options?.length) return [installingIntoProject(action, title, tool, facts)];
  const shell = shellOf(facts);
  const all = installArguments(action);
  const container = knownValue(facts.container);
  if (interpreter.environment === 'system' && !onWindows(facts) && !container) {
    const command = `python3 -m venv .venv && .venv/bin/pip install ${all}`;
    return [{ title: `${title} in a new virtual environment`, command }];
  }
  const reinstalls = action.reinstalls === true && mayBeInstalled(action, facts);
  const python = quotePath(interpreter.path, shell);
  const withUv = `uv pip install --python ${[python, ...uvOptions(action, reinstalls), all].join(' ')}`;
  const size = downloadOf(action, reinstalls, facts);
  const uv = { title: `${title} with uv${size}`, command: withUv };
  if (usesUv(facts)) return [uv];
  const lasts = FROM_IMAGES.includes(container ?? '') ? ' (and in the Dockerfile)' : '';
  const pip = { title: `${title} with pip${lasts}${size}`, command: withPip(action, reinstalls, facts) };
  return [pip, uv];
}

/** The size of a download of at least a GB, if a table has it for the builds of that index. */
function downloadOf({ requirements, index, options }: Install, reinstalls: boolean, facts: StackFacts): string {
  const { family, architecture } = knownValue(facts.os) ?? {};
  if (family !== 'linux' || architecture !== 'x64' || options !== undefined) return '';
  const installed = installedPackages(facts).map(({ name, version }) => `${name}==${version.split('+')[0]}`);
  const isOfPypi = (each: string) =>
    index === undefined || index.url.endsWith(`/${torchReleaseOf(versionOf(each))?.pypi}`);
  const fetched = requirements.filter((each) => isOfPypi(each) && (reinstalls || !installed.includes(each)));
  const sum = fetched.reduce((total, each) => total + (gigabytesOf(each) ?? 0), 0);
  return sum < 1 ? '' : ` (downloads up to ${sum.toFixed(1)} GB)`;
}

const versionOf = (requirement: string): string => requirement.split('==')[1] ?? '';

/** True if the environment has no pip, or, if that is unknown, if uv installed packages into it. */
export function usesUv(facts: StackFacts): boolean {
  const programs = knownValue(facts.programs);
  if (programs !== undefined) return !programs.includes('pip');
  const distributions = knownValue(facts.distributions) ?? [];
  const all = [...installedFrameworks(facts).map(({ build }) => build), ...distributions];
  return all.some(({ installer }) => installer === 'uv');
}

/** Containers whose image a user builds. */
const FROM_IMAGES = ['Docker', 'Podman', 'containerd', 'Kubernetes'];

/**
 * First replaces the installed package by itself, and then installs its missing dependencies: reinstalling everything
 * together would install the newest release of each dependency, such as a NumPy that is incompatible with other
 * packages.
 */
function withPip(action: Install, reinstalls: boolean, facts: StackFacts): string {
  const shell = shellOf(facts);
  const pip = `${calling(knownValue(facts.interpreter)?.path ?? 'python', shell)} -m pip install`;
  const all = installArguments(action);
  if (!reinstalls) return `${pip} ${isPinned(action) ? '' : '--upgrade '}${all}`;
  if (action.options?.includes('--no-deps')) return `${pip} --force-reinstall ${all}`;
  return joinedCommands([`${pip} --force-reinstall --no-deps ${all}`, `${pip} ${all}`], shell);
}

/** uv needs the names of the packages to replace or update; without names, it would replace or update all. */
function uvOptions(wanted: Wanted & Pick<Install, 'isMinimal'>, reinstalls: boolean): string[] {
  if (!reinstalls && isPinned(wanted)) return [];
  return namesOf(wanted.requirements).map((name) => `--${reinstalls ? 'reinstall' : 'upgrade'}-package ${name}`);
}

/** Such as "torch==2.7.1" or "torchvision==0.17.*": the name, and the start of the version. */
const PIN = /^([\w.-]+)(?:\[[^\]]*\])?===?([\d.]+\d)/;

/** True if each requirement specifies a version; pip and uv install these without a further option. */
function isPinned({ requirements, isMinimal }: Wanted & Pick<Install, 'isMinimal'>): boolean {
  return isMinimal === true || requirements.every((each) => PIN.test(each));
}

/**
 * True if a package may already be installed in the requested version, and would be kept: for pip and uv, builds for
 * different CUDA versions are the same version.
 */
function mayBeInstalled({ requirements }: Wanted, facts: StackFacts): boolean {
  const { torch, torchvision, torchaudio } = facts.frameworks;
  const known = [torch, torchvision, torchaudio].flatMap((fact) => knownValue(fact) ?? []);
  return requirements.some((requirement) => {
    const [, name, version] = PIN.exec(requirement) ?? [];
    const installed = known.find((each) => each.name === name);
    if (version === undefined || installed === undefined || installed.alsoInstalled.length > 0) return true;
    return `${installed.version.split('+')[0]}.`.startsWith(`${version}.`);
  });
}

/** The next lock would undo changes that are not in the project's own file. */
function installingIntoProject(action: Install, title: string, tool: ProjectTool, facts: StackFacts): WrittenAction {
  const { index, requirements, reinstalls } = action;
  const shell = shellOf(facts);
  const names = namesOf(requirements);
  const commands = addToProject(tool, action, shell);
  const adding = joinedCommands(commands, shell);
  switch (tool) {
    case 'uv': {
      // Without `explicit`, uv would search that index first for everything else.
      const explicit = index === undefined ? '' : `; set explicit = true for the index ${index.name}`;
      // Without another index, it is the installed version, and would be kept.
      const options = reinstalls && index === undefined ? uvOptions(action, true) : [];
      return { title: `${title} with uv in pyproject.toml${explicit}`, command: [adding, ...options].join(' ') };
    }
    case 'poetry':
      return { title: `${title} with Poetry in pyproject.toml`, command: adding };
    case 'pdm':
      return {
        title: `${title} with PDM in pyproject.toml`,
        // PDM does not replace another build of the same version.
        command: reinstalls ? joinedCommands([...commands, 'pdm sync --reinstall'], shell) : adding,
      };
    case 'pipenv':
      return {
        title: `${title} with Pipenv`,
        // Pipenv treats another build of the same version as the locked one.
        command: reinstalls
          ? joinedCommands([`pipenv run pip uninstall --yes ${names.join(' ')}`, ...commands], shell)
          : adding,
      };
    case 'pixi':
      return index === undefined
        ? { title: `${title} with pixi, from PyPI`, command: adding }
        : {
            title: `${title} with pixi: in pixi.toml, under [pypi-dependencies], write ${requirements.map((each) => pixiEntry(each, index.url)).join(' and ')}`,
            command: 'pixi install',
          };
  }
}

function uninstalling({ packages, ofUser }: Uninstall, title: string, facts: StackFacts): WrittenAction[] {
  const path = knownValue(facts.interpreter)?.path;
  if (path === undefined) return [];
  const names = packages.join(' ');
  const tool = knownValue(facts.projectTool);
  if (tool && !ofUser) return [{ title: `${title} from the project`, command: PROJECT_TOOLS[tool].remove(names) }];
  const shell = shellOf(facts);
  const command = usesUv(facts)
    ? `uv pip uninstall --python ${quotePath(path, shell)} ${names}`
    : `${calling(path, shell)} -m pip uninstall --yes ${names}`;
  return [{ title, command }];
}

function installingWithConda(action: CondaInstall, title: string, facts: StackFacts): WrittenAction[] {
  if (!inCondaEnvironment(facts)) return [];
  const { specs, channels = ['conda-forge'], reinstalls } = action;
  const packages = specs.map(quotedRequirement).join(' ');
  if (knownValue(facts.projectTool) === 'pixi')
    return [{ title: `${title} with pixi`, command: `pixi add ${packages}` }];
  const options = [...channels.map((channel) => `-c ${channel}`), ...(reinstalls ? ['--force-reinstall'] : [])];
  return [
    { title: `${title} with conda`, command: `conda install ${condaPlace(facts)}${[...options, packages].join(' ')}` },
  ];
}

export function inCondaEnvironment(facts: StackFacts): boolean {
  return knownValue(facts.interpreter)?.environment === 'conda';
}

/** The option that names the conda environment, followed by a space; empty if a text does not mention its folder. */
export function condaPlace(facts: StackFacts): string {
  const prefix = knownValue(facts.interpreter)?.prefix;
  return prefix ? `--prefix ${quotePath(prefix, shellOf(facts))} ` : '';
}
