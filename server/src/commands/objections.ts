/**
 * Known objections to a command before anybody types it: no such wheel exists, the driver does not support it, it has
 * no code for the GPU, it replaces a build with an older one or a CPU build, or it is meant for another system or
 * release.
 */

import { readLine, type ShellScript, type ShellStatement } from '../environment/shell/line.ts';
import type { Build } from '../fit/build.ts';
import { gpusOfOlderCudnn, installsNewestCudnn } from '../fit/cudnn.ts';
import { driverFor } from '../fit/driver.ts';
import { codeFor, isNative } from '../fit/gpuCode.ts';
import { folderFor } from '../fit/sameFolder.ts';
import { capabilitiesOf } from '../fit/target.ts';
import { knownPackage } from '../published/knownPackages.ts';
import { NEWEST_CUDNN } from '../published/releases/cudnnReleases.ts';
import { sinceReleases } from '../published/releases/since.ts';
import { satisfies } from '../published/specifier.ts';
import { compareVersions, minorOf } from '../published/versions.ts';
import { OPTIONAL_PROGRAMS } from '../stack/readers/programs.ts';
import { type CommandTarget, UNKNOWN_TARGET } from './commandTarget.ts';
import { type Asked, type Installing, installedByStatement, removedByStatement } from './installing.ts';
import { takenFor } from './taken.ts';

/** The reason why a command cannot work at a place, as a sentence; undefined if none is known. */
export function objectionTo(command: string, place: CommandTarget): string | undefined {
  const line = readLine(command);
  return eachStatement(line, place, objectionToStatement) ?? wrongJoint(line, place);
}

/** The same, only for the packages that it installs, in any shell. */
export function objectionToInstalling(command: string, place: CommandTarget): string | undefined {
  return eachStatement(readLine(command), place, installing);
}

type Objecting = (statement: ShellStatement, place: CommandTarget) => string | undefined;

function eachStatement({ statements }: ShellScript, place: CommandTarget, objecting: Objecting): string | undefined {
  let there = place;
  for (const statement of statements) {
    const objection = objecting(statement, there);
    if (objection !== undefined) return objection;
    there = placeAfter(statement, there);
  }
  return undefined;
}

const objectionToStatement: Objecting = (statement, place) =>
  ofOtherSystem(statement, place) ?? installing(statement, place) ?? objectionToCode(textOf(statement), place);

/** The place in which the commands after it run. */
export function placeAfterLine(command: string, place: CommandTarget): CommandTarget {
  return readLine(command).statements.reduce((there, statement) => placeAfter(statement, there), place);
}

/** True if a command needs a program that remedies may use, such as Docker or conda, and that is not present. */
export function needsMissingProgram(command: string, present: readonly string[]): boolean {
  const isMissing = (name: string) => OPTIONAL_PROGRAMS.includes(name) && !present.includes(name);
  return readLine(command).statements.some(
    ({ program, words: [verb] }) => isMissing(program) || isMissing(`${program}-${verb?.text}`),
  );
}

/** The place in which the following commands run. */
function placeAfter(statement: ShellStatement, place: CommandTarget): CommandTarget {
  if (statement.program === 'wsl' && place.os === 'windows') return withinWsl(place);
  const removed = removedByStatement(statement);
  if (removed.length > 0)
    return { ...place, distributions: place.distributions?.filter(({ name }) => !removed.includes(name)) };
  const installation = installedByStatement(statement);
  return installation?.from === 'pypi' ? withInstalled(installation, place) : withNewEnvironment(statement, place);
}

/** Adds the frameworks that a command installs. */
function withInstalled(installation: Installing, place: CommandTarget): CommandTarget {
  const builds = installation.asked.flatMap((asked) => {
    const taken = isKept(asked, installation, place) ? undefined : takenFor(asked, installation, place);
    return taken === undefined || 'none' in taken || taken.version === undefined ? [] : [[taken.name, taken] as const];
  });
  return builds.length === 0 ? place : { ...place, installed: { ...place.installed, ...Object.fromEntries(builds) } };
}

function isKept(asked: Asked, installation: Installing, place: CommandTarget): boolean {
  return installation.keeps && asked.extras.length === 0 && isThere(asked, place);
}

/** Linux inside Windows, with no known packages. */
export function withinWsl({ gpu, architecture }: CommandTarget): CommandTarget {
  return { ...UNKNOWN_TARGET, os: 'linux', isWsl: true, architecture, gpu: { ...gpu, system: 'windows' } };
}

/** `conda create`, `python -m venv` and similar commands create an environment without packages. */
function withNewEnvironment({ program, words }: ShellStatement, place: CommandTarget): CommandTarget {
  const text = wordsOf(words);
  const isConda = /^(?:conda|mamba|micromamba)$/.test(program) && /^(?:env )?create\b/.test(text);
  const isVenv = /^-m venv\b/.test(text) || (program === 'uv' && /^venv\b/.test(text)) || program === 'virtualenv';
  if (!isConda && !isVenv) return place;
  const { python: _, ...rest } = place;
  const asked = /\bpython={1,2}(\d\.\d+)|--python[ =](\d\.\d+)/.exec(text)?.slice(1).find(Boolean);
  const own = isConda && /\bpython\b/.test(text) ? asked : (asked ?? place.python);
  return { ...rest, ...(own && { python: own }), installed: {}, newest: {}, distributions: [], isNew: true };
}

function wordsOf(words: ShellStatement['words']): string {
  return words.map(({ text }) => text).join(' ');
}

function textOf({ sets, program, words }: ShellStatement): string {
  return [...Object.entries(sets).map(([name, value]) => `${name}=${value}`), program, wordsOf(words)].join(' ');
}

/** Programs that a system does not have, and folders that cannot exist on it. */
const OF_LINUX =
  /^(?:apt|apt-get|dnf|yum|pacman|ldconfig|lsmod|rmmod|modprobe|dmesg|systemctl|dkms|modinfo|mokutil|update-initramfs|lspci|ubuntu-drivers|nvidia-modprobe|usermod)$/;
const OF_UNIX = /^(?:ulimit|uname|chmod|chown|grep|find|ln|which|free|head|unset)$/;
const CALLED_AS_IN_UNIX = /^(?:ls|rm) -/;
const OF_WINDOWS = /^(?:winget|where\.exe|Get-\w+|Remove-Item|Select-String|setx|findstr)$/i;
const PATHS_OF_LINUX = /(?:^|[ "'=:])\/(?:proc|usr|etc|dev|opt|sys)\/|\bLD_LIBRARY_PATH\b/;

function ofOtherSystem(statement: ShellStatement, { os, isWsl }: CommandTarget): string | undefined {
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
function installsLinuxDriver({ program, words }: ShellStatement): boolean {
  const text = wordsOf(words);
  if (/^ubuntu-drivers$|^NVIDIA-Linux-/.test(program)) return true;
  return (
    /^(?:apt|apt-get|dnf|yum|pacman)$/.test(program) &&
    /\binstall\b|^-S/.test(text) &&
    /\bnvidia-(?:driver|dkms|open|headless|utils)\b|\bcuda-drivers\b|\bcuda(?= |$)/.test(text)
  );
}

/** cmd.exe treats ";" as part of the command, and PowerShell before 7 does not support "&&". */
function wrongJoint({ joints }: ShellScript, { isCmd }: CommandTarget): string | undefined {
  return isCmd && joints.includes(';') ? 'cmd.exe does not separate commands with semicolons.' : undefined;
}

function installing(statement: ShellStatement, place: CommandTarget): string | undefined {
  const installation = installedByStatement(statement);
  if (installation === undefined) return undefined;
  for (const asked of installation.asked) {
    const objection = installingOne(asked, installation, place);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

function installingOne(asked: Asked, installation: Installing, place: CommandTarget): string | undefined {
  const unfit = overwriting(asked, installation, place) ?? withoutGpu(asked, place);
  if (unfit !== undefined) return unfit;
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

/** If it, or the framework that it requires, installs the folder of another distribution, which stays. */
function overwriting({ name, pin }: Asked, { isAlone }: Installing, place: CommandTarget): string | undefined {
  const { distributions = [] } = place;
  const required = isAlone ? undefined : knownPackage(name)?.needs;
  const installs =
    required === undefined || distributions.some((each) => each.name === required) ? [name] : [name, required];
  for (const each of installs) {
    const one = { name: each, version: each === name ? pin?.text : undefined };
    const other = distributions.find((there) => folderFor(there, one).fit === 'fails');
    if (other !== undefined) return `It installs ${each} into the folder of ${other.name} ${other.version}.`;
  }
  return undefined;
}

/** Names and extras that only stand for CUDA's libraries. */
const FOR_CUDA = /^(?:onnxruntime-gpu|tensorflow-gpu)$|\[(?:and-cuda|cuda\d*(?:[-_]\w+)?)\]/;

function withoutGpu({ name, extras }: Asked, { lacksGpu }: CommandTarget): string | undefined {
  const spelled = [name, ...extras.map(({ text }) => `[${text}]`)].join('');
  return lacksGpu && FOR_CUDA.test(spelled) ? `${spelled} is for NVIDIA GPUs, and this machine has none.` : undefined;
}

/** True if an installed package satisfies the request; it is kept, unless an option replaces it. */
function isThere({ name, specifier }: Asked, { installed }: CommandTarget): boolean {
  const version = installed[name]?.version?.split('+')[0];
  return version !== undefined && (specifier === '' || satisfies(version, specifier));
}

function beyondDriver({ cuda, title }: Build, { gpu }: CommandTarget): string | undefined {
  const found = cuda === null ? undefined : driverFor(cuda, gpu);
  const there = gpu.driver ?? `one for CUDA ${gpu.supports}`;
  return found?.fit === 'fails' ? `${title} needs driver ${found.lowest}, and ${there} is installed.` : undefined;
}

/** If it runs on none of the GPUs. */
function withoutCode(taken: Build, { gpu }: CommandTarget): string | undefined {
  const capabilities = capabilitiesOf(gpu);
  const runs = capabilities.some((capability) => codeFor(taken, capability).fit !== 'fails');
  if (runs || capabilities.length === 0 || taken.cuda === null) return undefined;
  return `${taken.title} does not run on GPUs of compute capability ${capabilities[0]}.`;
}

function withNewCudnn(taken: Build, { asked }: Installing, { gpu }: CommandTarget): string | undefined {
  const [oldest, ...others] = gpusOfOlderCudnn(gpu);
  if (oldest === undefined || others.length + 1 < capabilitiesOf(gpu).length) return undefined;
  const isHeld = asked.some(
    ({ name, specifier }) => name.startsWith('nvidia-cudnn-cu') && specifier && !satisfies(NEWEST_CUDNN, specifier),
  );
  if (isHeld || !installsNewestCudnn(taken)) return undefined;
  return `${taken.title} installs the newest cuDNN, but ${oldest.last.cudnn} is the last version that supports this GPU.`;
}

function replacing(taken: Build, place: CommandTarget): string | undefined {
  const there = place.installed[taken.name];
  if (there === undefined) return undefined;
  if (taken.target === 'cpu' && (there.target === 'cuda' || there.target === 'rocm'))
    return `It replaces ${taken.name} ${there.version}, which is for GPUs, with a build for the CPU.`;
  if (there.target === 'rocm' && taken.target === 'cuda' && capabilitiesOf(place.gpu).length === 0)
    return `It replaces ${taken.name} ${there.version}, which is for AMD GPUs, with a build for NVIDIA GPUs.`;
  const isOlderRocm = taken.rocm && there.rocm && compareVersions(taken.rocm, minorOf(there.rocm)) < 0;
  if (isOlderRocm) return `It replaces a build for ROCm ${there.rocm} with one for the older ${taken.rocm}.`;
  return isBackwards(taken, place)
    ? `It replaces ${taken.name} ${there.version} with an older build, unnecessarily.`
    : undefined;
}

/** True if the command installs an older build without need: driver and GPU are known to support the installed one. */
function isBackwards(taken: Build, place: CommandTarget): boolean {
  const there = place.installed[taken.name];
  const { version, cuda } = taken;
  if (!there?.cuda || cuda === null || version === undefined || taken.name !== 'torch') return false;
  const { gpu, toolkits = [] } = place;
  const capabilities = capabilitiesOf(gpu);
  if (capabilities.length === 0 || toolkits.includes(cuda)) return false;
  const own = there.version?.split('+')[0] ?? '';
  if (compareVersions(version, own) >= 0 || compareVersions(cuda, there.cuda) >= 0) return false;
  return driverFor(there.cuda, gpu).fit === 'holds' && capabilities.every((each) => isNative(there, each));
}

/** The reason why a command, or lines of Python, cannot work at a place: a name that its release lacks. */
export function objectionToCode(text: string, { newest }: CommandTarget): string | undefined {
  const found = sinceReleases().find(({ name, package: own, release }) => {
    const version = newest[own];
    return version !== undefined && compareVersions(version, release) < 0 && text.includes(name);
  });
  return found && `${found.name} was added in ${found.package} ${found.release}.`;
}
