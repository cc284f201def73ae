/**
 * Known objections to a command before anybody types it: no such wheel exists, the driver does not support it, it has
 * no code for the GPU, it replaces a build with an older one or a CPU build, or it is meant for another system or
 * release.
 */

import { type Line, readLine, type Statement } from '../environment/shell/line.ts';
import { codeFits } from '../published/codeFits.ts';
import { compiledBy, lowestDriver } from '../published/releases/cudaDriver.ts';
import { lastCudnnFor, NEWEST_CUDNN } from '../published/releases/cudnnReleases.ts';
import { sinceReleases } from '../published/releases/since.ts';
import { torchReleaseOf } from '../published/releases/torchReleases.ts';
import { satisfies } from '../published/specifier.ts';
import { compareVersions, majorOf, minorOf } from '../published/versions.ts';
import { type Asked, type Installing, installedByStatement } from './installing.ts';
import type { Place } from './place.ts';
import { type Taken, takenFor } from './taken.ts';

/** The reason why a command cannot work at a place, as a sentence; undefined if none is known. */
export function objectionTo(command: string, place: Place): string | undefined {
  const line = readLine(command);
  return eachStatement(line, place, objectionToStatement) ?? wrongJoint(line, place);
}

/** The same, only for the packages that it installs, in any shell. */
export function objectionToInstalling(command: string, place: Place): string | undefined {
  return eachStatement(readLine(command), place, installing);
}

type Objecting = (statement: Statement, place: Place) => string | undefined;

function eachStatement({ statements }: Line, place: Place, objecting: Objecting): string | undefined {
  let there = place;
  for (const statement of statements) {
    const objection = objecting(statement, there);
    if (objection !== undefined) return objection;
    there = placeAfter(statement, there);
  }
  return undefined;
}

const objectionToStatement: Objecting = (statement, place) =>
  ofOtherSystem(statement, place) ?? installing(statement, place) ?? tooOldFor(textOf(statement), place);

/** The place in which the commands after it run. */
export function placeAfterLine(command: string, place: Place): Place {
  return readLine(command).statements.reduce((there, statement) => placeAfter(statement, there), place);
}

/** The reason why lines of Python cannot work at a place. */
export function objectionToCode(code: string, place: Place): string | undefined {
  return tooOldFor(code, place);
}

/** The place in which the following commands run. */
function placeAfter(statement: Statement, place: Place): Place {
  if (statement.program === 'wsl' && place.os === 'windows') return withinWsl(place);
  const installation = installedByStatement(statement);
  return installation?.from === 'pypi' ? withInstalled(installation, place) : withNewEnvironment(statement, place);
}

/** Adds the frameworks that a command installs. */
function withInstalled(installation: Installing, place: Place): Place {
  const builds = installation.asked.flatMap((asked) => {
    const taken = isKept(asked, installation, place) ? undefined : takenFor(asked, installation, place);
    if (taken === undefined || 'none' in taken || taken.version === undefined) return [];
    const { name, version, target = null, cuda = null, rocm = null } = taken;
    return [[name, { version, target, cuda, rocm }] as const];
  });
  return builds.length === 0 ? place : { ...place, installed: { ...place.installed, ...Object.fromEntries(builds) } };
}

function isKept(asked: Asked, installation: Installing, place: Place): boolean {
  return installation.keeps && asked.extras.length === 0 && isThere(asked, place);
}

/** Linux inside Windows, with no known packages. */
export function withinWsl({ driver, capabilities, architecture }: Place): Place {
  return {
    os: 'linux',
    isWsl: true,
    ...(architecture && { architecture }),
    ...(driver && { driver, driverSystem: 'windows' }),
    capabilities,
    installed: {},
    newest: {},
  };
}

/** `conda create`, `python -m venv` and similar commands create an environment without packages. */
function withNewEnvironment({ program, words }: Statement, place: Place): Place {
  const text = wordsOf(words);
  const isConda = /^(?:conda|mamba|micromamba)$/.test(program) && /^(?:env )?create\b/.test(text);
  const isVenv = /^-m venv\b/.test(text) || (program === 'uv' && /^venv\b/.test(text)) || program === 'virtualenv';
  if (!isConda && !isVenv) return place;
  const { python: _, ...rest } = place;
  const asked = /\bpython={1,2}(\d\.\d+)|--python[ =](\d\.\d+)/.exec(text)?.slice(1).find(Boolean);
  const own = isConda && /\bpython\b/.test(text) ? asked : (asked ?? place.python);
  return { ...rest, ...(own && { python: own }), installed: {}, newest: {}, isNew: true };
}

function wordsOf(words: Statement['words']): string {
  return words.map(({ text }) => text).join(' ');
}

function textOf({ sets, program, words }: Statement): string {
  return [...Object.entries(sets).map(([name, value]) => `${name}=${value}`), program, wordsOf(words)].join(' ');
}

/** Programs that a system does not have, and folders that cannot exist on it. */
const OF_LINUX =
  /^(?:apt|apt-get|dnf|yum|pacman|ldconfig|lsmod|rmmod|modprobe|dmesg|systemctl|dkms|modinfo|mokutil|update-initramfs|lspci|ubuntu-drivers|nvidia-modprobe|usermod)$/;
const OF_UNIX = /^(?:ulimit|uname|chmod|chown|grep|find|ln|which|free|head|unset)$/;
const CALLED_AS_IN_UNIX = /^(?:ls|rm) -/;
const OF_WINDOWS = /^(?:winget|where\.exe|Get-\w+|Remove-Item|Select-String|setx|findstr)$/i;
const PATHS_OF_LINUX = /(?:^|[ "'=:])\/(?:proc|usr|etc|dev|opt|sys)\/|\bLD_LIBRARY_PATH\b/;

function ofOtherSystem(statement: Statement, { os, isWsl }: Place): string | undefined {
  const { program, words, isRoot } = statement;
  if (isWsl && installsLinuxDriver(statement)) return 'WSL uses the Windows driver.';
  const called = `${program} ${wordsOf(words)}`;
  const isOfLinux = OF_LINUX.test(program) || PATHS_OF_LINUX.test(textOf(statement));
  if (os === 'windows' && (isOfLinux || isRoot || OF_UNIX.test(program) || CALLED_AS_IN_UNIX.test(called)))
    return 'It is a Linux command.';
  if (os === 'macos' && OF_LINUX.test(program)) return 'It is a Linux command.';
  const isOfWindows = OF_WINDOWS.test(program) || (program === 'wsl' && isWsl === false);
  return isOfWindows && os !== undefined && os !== 'windows' ? 'It is a Windows command.' : undefined;
}

/** CUDA's own packages without "toolkit" include a driver. */
function installsLinuxDriver({ program, words }: Statement): boolean {
  const text = wordsOf(words);
  if (/^ubuntu-drivers$|^NVIDIA-Linux-/.test(program)) return true;
  return (
    /^(?:apt|apt-get|dnf|yum|pacman)$/.test(program) &&
    /\binstall\b|^-S/.test(text) &&
    /\bnvidia-(?:driver|dkms|open|headless|utils)\b|\bcuda-drivers\b|\bcuda(?= |$)/.test(text)
  );
}

/** cmd.exe treats ";" as part of the command, and PowerShell before 7 does not support "&&". */
function wrongJoint({ joints }: Line, { isCmd }: Place): string | undefined {
  return isCmd && joints.includes(';') ? 'cmd.exe does not separate commands with semicolons.' : undefined;
}

function installing(statement: Statement, place: Place): string | undefined {
  const installation = installedByStatement(statement);
  if (installation === undefined) return undefined;
  for (const asked of installation.asked) {
    const objection = installingOne(asked, installation, place);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

function installingOne(asked: Asked, installation: Installing, place: Place): string | undefined {
  const taken = isKept(asked, installation, place) ? undefined : takenFor(asked, installation, place);
  if (taken === undefined) return undefined;
  if ('none' in taken) return `${asked.name} ${taken.none}.`;
  return (
    beyondDriver(taken, place) ??
    withoutCode(taken, place) ??
    withNewCudnn(taken, installation, place) ??
    replacing(taken, place)
  );
}

/** True if an installed package satisfies the request; it is kept, unless an option replaces it. */
function isThere({ name, specifier }: Asked, { installed }: Place): boolean {
  const version = installed[name]?.version.split('+')[0];
  return version !== undefined && (specifier === '' || satisfies(version, specifier));
}

function titleOf({ name, version, cuda }: Taken): string {
  return `${name}${version === undefined ? '' : ` ${version}`}${cuda === undefined ? '' : ` for CUDA ${cuda}`}`;
}

function beyondDriver(taken: Taken, { driver, driverSystem = 'linux', isBoard }: Place): string | undefined {
  if (taken.cuda === undefined || driver === undefined || isBoard) return undefined;
  const floor = lowestDriver(taken.cuda, driverSystem);
  if (floor === undefined || compareVersions(driver, floor) >= 0) return undefined;
  return `${titleOf(taken)} needs driver ${floor}, and ${driver} is installed.`;
}

function withoutCode(taken: Taken, { capabilities }: Place): string | undefined {
  const { architectures, lowest, cuda } = taken;
  if (capabilities.length === 0 || cuda === undefined) return undefined;
  const runs = (capability: string) =>
    architectures !== undefined
      ? codeFits(architectures, capability) !== 'none'
      : lowest !== undefined
        ? compareVersions(capability, lowest) >= 0
        : !isDropped(cuda, capability);
  if (capabilities.some(runs)) return undefined;
  return `${titleOf(taken)} does not run on GPUs of compute capability ${capabilities[0]}.`;
}

/** True if no compiler of a CUDA family generates code for a compute capability. */
function isDropped(cuda: string, capability: string): boolean {
  const lowest = compiledBy(majorOf(cuda))?.lowest;
  return lowest !== undefined && compareVersions(capability, lowest) < 0;
}

function withNewCudnn({ cudnn, ...taken }: Taken, { asked }: Installing, { capabilities }: Place): string | undefined {
  if (cudnn === undefined) return undefined;
  const [last, ...others] = capabilities.map(lastCudnnFor);
  if (last === undefined || others.includes(undefined)) return undefined;
  const isHeld = asked.some(
    ({ name, specifier }) => name.startsWith('nvidia-cudnn-cu') && specifier && !satisfies(NEWEST_CUDNN, specifier),
  );
  if (isHeld || !satisfies(NEWEST_CUDNN, cudnn)) return undefined;
  return `${titleOf(taken)} installs the newest cuDNN, but ${last.cudnn} is the last version that supports this GPU.`;
}

function replacing(taken: Taken, place: Place): string | undefined {
  const there = place.installed[taken.name];
  if (there === undefined) return undefined;
  if (taken.target === 'cpu' && (there.target === 'cuda' || there.target === 'rocm'))
    return `It replaces ${taken.name} ${there.version}, which is for GPUs, with a build for the CPU.`;
  if (there.target === 'rocm' && taken.target === 'cuda' && place.capabilities.length === 0)
    return `It replaces ${taken.name} ${there.version}, which is for AMD GPUs, with a build for NVIDIA GPUs.`;
  const isOlderRocm =
    taken.rocm !== undefined && there.rocm !== null && compareVersions(taken.rocm, minorOf(there.rocm)) < 0;
  if (isOlderRocm) return `It replaces a build for ROCm ${there.rocm} with one for the older ${taken.rocm}.`;
  return isBackwards(taken, place)
    ? `It replaces ${taken.name} ${there.version} with an older build, unnecessarily.`
    : undefined;
}

/** True if the command installs an older build without need: driver and GPU are known to support the installed one. */
function isBackwards(taken: Taken, place: Place): boolean {
  const there = place.installed[taken.name];
  const { version, cuda } = taken;
  if (!there?.cuda || cuda === undefined || version === undefined || taken.name !== 'torch') return false;
  const { driver, driverSystem = 'linux', capabilities, toolkits = [] } = place;
  if (driver === undefined || capabilities.length === 0 || toolkits.includes(cuda)) return false;
  const own = there.version.split('+')[0] ?? '';
  if (compareVersions(version, own) >= 0 || compareVersions(cuda, there.cuda) >= 0) return false;
  const floor = lowestDriver(there.cuda, driverSystem);
  const code = torchReleaseOf(own)?.builds.get(`cu${there.cuda.split('.').slice(0, 2).join('')}`)?.architectures;
  const starts = floor !== undefined && compareVersions(driver, floor) >= 0;
  return starts && code !== undefined && capabilities.every((each) => codeFits(code, each) === 'native');
}

function tooOldFor(text: string, { newest }: Place): string | undefined {
  const found = sinceReleases().find(({ name, package: own, release }) => {
    const version = newest[own];
    return version !== undefined && compareVersions(version, release) < 0 && text.includes(name);
  });
  return found && `${found.name} was added in ${found.package} ${found.release}.`;
}
