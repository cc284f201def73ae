/** Dockerfiles: the packages that each stage installs, and its base image. */

import { posix } from 'node:path';
import { systemOfImage } from '../../published/images.ts';
import { normalized } from '../../published/packageName.ts';
import {
  type EnvironmentFile,
  type Installation,
  installationOf,
  type LocatedSpan,
  type SpannedText,
} from '../environmentFile.ts';
import { pythonOfImage } from '../imagePython.ts';
import { expand } from '../shell/line.ts';
import { type Copied, copiedBy, listInImage, mountedBy } from './buildContext.ts';
import type { Includes } from './includes.ts';
import { type InstalledSoFar, installInto, NOTHING_YET } from './sequence.ts';
import { joinedEffects, readCommands } from './shell.ts';

interface Stage {
  readonly name: string | undefined;
  readonly image: SpannedText;
  installed: InstalledSoFar;
  readonly channels: SpannedText[];
  readonly systemPackages: SpannedText[];
  /** Files of the build context in this stage. */
  readonly copied: Copied[];
  /** The working directory of commands. */
  folder: string;
  /** Normalized names of uninstalled packages. */
  readonly uninstalled: string[];
  isPartial: boolean;
  compiles: boolean;
  nvcc: LocatedSpan | undefined;
  updatesPackages: LocatedSpan | undefined;
  oldKey: LocatedSpan | undefined;
  /** True if NVIDIA's repository or its key was replaced. */
  hasNewKey: boolean;
  compilesFor: LocatedSpan | undefined;
  /** True if another Python than the system's is installed or selected, or if pip accepts the system's. */
  hasOtherPython: boolean;
  /** True if another index of system packages is added. */
  hasOtherIndex: boolean;
  refusedPip: LocatedSpan | undefined;
}

/** A Dockerfile with the names of its stages, in the same order as its installations. */
interface DockerfileStages extends EnvironmentFile {
  readonly names: readonly (string | undefined)[];
}

const COMMENT = /^[ \t]*#[^\r\n]*/gm;

/** Reads a Dockerfile that begins at an offset, with the build's arguments. */
export function readDockerfile(
  text: string,
  includes: Includes,
  { at = 0, args = new Map<string, string>() }: { at?: number; args?: ReadonlyMap<string, string> } = {},
): DockerfileStages {
  const comments = [...text.matchAll(COMMENT)].map(({ 0: line, index }): LocatedSpan => {
    const start = index + line.length - line.trimStart().length;
    return { start, end: index + line.trimEnd().length };
  });
  const continuation = /^(?:\s*#[^\n]*\n)*?\s*#\s*escape\s*=\s*`/i.test(text) ? '`' : '\\\\';
  // Comments and line continuations become spaces, to keep offsets.
  const joined = text
    .replace(COMMENT, blanks)
    .replace(new RegExp(`${continuation}[ \\t]*\\r?\\n(?:[ \\t]*\\r?\\n)*`, 'g'), blanks);
  const stages: Stage[] = [];
  const values = new Map(args);
  for (const { keyword, argument, start: place } of instructionsIn(joined)) {
    const stage = stages.at(-1);
    const start = at + place;
    if (stage && keyword !== 'FROM') {
      stage.hasOtherPython ||= OTHER_PYTHON.test(`${keyword} ${argument}`);
      stage.hasOtherIndex ||= OTHER_INDEX.test(argument);
    }
    if (keyword === 'FROM') stages.push(stageOf(argument, start, values, stages));
    else if (keyword === 'ARG' || keyword === 'ENV') setValues(argument, values, keyword === 'ARG' ? args : undefined);
    else if (keyword === 'RUN' && stage) run(stage, argument, start, values, includes);
    else if ((keyword === 'COPY' || keyword === 'ADD') && stage)
      stage.copied.push(...copiedBy(expand(argument, values), stage.folder));
    else if (keyword === 'WORKDIR' && stage)
      stage.folder = posix.resolve(stage.folder, expand(argument.trim(), values));
    if (stage && keyword === 'ENV' && /TORCH_CUDA_ARCH_LIST|FORCE_CUDA/.test(argument))
      stage.compilesFor = { start, end: start + argument.trimEnd().length };
  }
  const installations = stages.map(installationOfStage);
  return { kind: 'dockerfile', installations, comments, errors: [], names: stages.map(({ name }) => name) };
}

function blanks(text: string): string {
  return ' '.repeat(text.length);
}

interface Instruction {
  readonly keyword: string;
  readonly argument: string;
  /** Offset of the argument. */
  readonly start: number;
}

const OPENER = /<<-?["']?(\w+)["']?/g;

/** Returns the here-documents that a line opens, from the offset after the line; their last lines become spaces. */
function bodiesOf(opening: string, text: string, from: number): string {
  let bodies = '';
  for (const [, end = ''] of opening.matchAll(OPENER)) {
    const rest = text.slice(from + bodies.length);
    const close = new RegExp(`^[ \\t]*${end}[ \\t]*$`, 'm').exec(rest);
    if (close) bodies += rest.slice(0, close.index) + blanks(close[0]);
  }
  return bodies;
}

/** Returns the instructions; here-documents belong to the instruction that opens them. */
function instructionsIn(text: string): Instruction[] {
  const found: Instruction[] = [];
  const line = /^[ \t]*([A-Za-z]+)[ \t]+([^\r\n]*)/gm;
  for (let match = line.exec(text); match; match = line.exec(text)) {
    const [all, keyword = '', first = ''] = match;
    const start = match.index + all.length - first.length;
    const body = bodiesOf(first, text, line.lastIndex);
    line.lastIndex += body.length;
    const opener = first.replace(OPENER, blanks);
    found.push({ keyword: keyword.toUpperCase(), argument: opener + body, start });
  }
  return found;
}

function stageOf(
  argument: string,
  start: number,
  values: ReadonlyMap<string, string>,
  before: readonly Stage[],
): Stage {
  const [, options = '', image = '', name] = /^((?:--\S+\s+)*)(\S+)(?:\s+[aA][sS]\s+(\S+))?/.exec(argument) ?? [];
  const span = { start: start + options.length, end: start + options.length + image.length };
  const base = before.find((stage) => stage.name !== undefined && stage.name === image.toLowerCase());
  return {
    name: name?.toLowerCase(),
    image: base?.image ?? { text: expand(image, values), span },
    installed: base?.installed ?? NOTHING_YET,
    channels: [...(base?.channels ?? [])],
    systemPackages: [...(base?.systemPackages ?? [])],
    copied: [...(base?.copied ?? [])],
    folder: base?.folder ?? '/',
    uninstalled: [...(base?.uninstalled ?? [])],
    isPartial: base?.isPartial ?? false,
    compiles: base?.compiles ?? false,
    nvcc: base?.nvcc,
    updatesPackages: base?.updatesPackages,
    oldKey: base?.oldKey,
    hasNewKey: base?.hasNewKey ?? false,
    compilesFor: base?.compilesFor,
    hasOtherPython: base?.hasOtherPython ?? false,
    hasOtherIndex: base?.hasOtherIndex ?? false,
    refusedPip: base?.refusedPip,
  };
}

/** Build arguments take precedence over defaults. */
function setValues(argument: string, values: Map<string, string>, buildArguments?: ReadonlyMap<string, string>): void {
  for (const [, name = '', value = ''] of argument.matchAll(/(\w+)=("[^"]*"|'[^']*'|\S*)/g))
    if (!buildArguments?.has(name)) values.set(name, expand(value.replace(/^["']|["']$/g, ''), values));
}

function run(
  stage: Stage,
  argument: string,
  start: number,
  values: ReadonlyMap<string, string>,
  includes: Includes,
): void {
  const inSight = [...stage.copied, ...mountedBy(expand(argument, values), stage.folder)];
  const read = readCommands(argument, start, values, listInImage(includes, inSight, stage.folder));
  const commands = read.map((command) => command.installed);
  for (const command of commands) stage.installed = installInto(stage.installed, command);
  const installed = joinedEffects(commands);
  stage.uninstalled.push(...installed.removed.map(normalized));
  readKeys(stage, argument, start);
  stage.channels.push(...installed.channels);
  stage.systemPackages.push(...installed.systemPackages);
  stage.isPartial ||= installed.isPartial;
  stage.compiles ||= installed.compiles;
  stage.nvcc ??= installed.nvcc;
  const isPip = stage.systemPackages.some(({ text }) => text === 'python3-pip');
  if (isPip && systemOfImage(stage.image.text)?.managed && !stage.hasOtherPython)
    stage.refusedPip ??= read.find(({ words }) =>
      SYSTEM_PIP.test(words.map(({ text }) => text).join(' ')),
    )?.words[0]?.span;
}

/** Words that install or select another Python, or make pip accept the system's. */
const OTHER_PYTHON =
  /-m venv|virtualenv|conda|mamba|pyenv|\buv\b|pipx|poetry|get-pip|EXTERNALLY-MANAGED|break[-_]system[-_]packages|alternatives|\bln -s|\bPATH=|pip\.conf|\b(?:COPY|ADD) --from|configure|altinstall/i;
const SYSTEM_PIP = /^(?:pip3?|python3 -m pip) install (?!.*(?: -t | --target| --prefix| --root))/;
/** Words that add another index of system packages. */
const OTHER_INDEX = /add-apt-repository|sources\.list|deadsnakes|apt-key|\.deb\b|apt\.conf/;

/** Returns the first Python that no index of the image has. */
function missingPythonOf({ image, systemPackages, hasOtherIndex }: Stage): SpannedText | undefined {
  const { python, others = [] } = systemOfImage(image.text) ?? {};
  if (python === undefined || hasOtherIndex) return undefined;
  return systemPackages.find((each) => {
    const own = /^python(3\.\d+)(?:-(?:dev|venv|distutils|full|minimal))?$/.exec(each.text)?.[1];
    return own !== undefined && own !== python && !others.includes(own);
  });
}

const UPDATE = /\bapt(?:-get)?(?:\s+-\S+)*\s+update\b/;
/** The current key, the package that installs it, or a command that removes the repository. */
const NEW_KEY = /3bf863cc|cuda-keyring|\brm\b[^;&|]*sources\.list\.d/;
/** NVIDIA's machine learning repository still uses this key. */
const OLD_KEY = /\S*\/cuda\/repos\/\S*7fa2af80\.pub/;

/** Records the effects of a command on NVIDIA's repository and its key. */
function readKeys(stage: Stage, argument: string, start: number): void {
  const update = UPDATE.exec(argument);
  const key = NEW_KEY.exec(argument);
  const isBefore = key !== null && update !== null && key.index < update.index;
  const spanOf = ({ 0: text, index }: RegExpExecArray): LocatedSpan => ({
    start: start + index,
    end: start + index + text.length,
  });
  if (update && !stage.hasNewKey && !isBefore) stage.updatesPackages ??= spanOf(update);
  const old = OLD_KEY.exec(argument);
  if (old && key === null && !stage.hasNewKey) stage.oldKey ??= spanOf(old);
  stage.hasNewKey ||= key !== null;
}

function installationOfStage(stage: Stage): Installation {
  const {
    image,
    installed: { requirements, replaced },
    channels,
    systemPackages,
    isPartial,
    compiles,
    nvcc,
    compilesFor,
    uninstalled,
    updatesPackages,
    oldKey,
    refusedPip,
  } = stage;
  const missingPython = missingPythonOf(stage);
  return installationOf(requirements, {
    python: pythonOfImage(image, systemPackages),
    channels,
    systemPackages,
    isPartial,
    ...(replaced.length > 0 && { replaced }),
    image: {
      ...image,
      compiles,
      nvcc,
      compilesFor,
      updatesPackages,
      oldKey,
      refusedPip,
      missingPython,
      ...(uninstalled.length > 0 && { uninstalled }),
    },
  });
}
