/** Shell commands that install packages, as in Dockerfiles and dev containers. */

import { knownPackage } from '../../published/knownPackages.ts';
import { parseRequirement } from '../../published/requirement.ts';
import { readCondaSpec } from '../condaSpec.ts';
import type { LocatedSpan, PackageSource, Requirement, SpannedText } from '../environmentFile.ts';
import { readRequirement, spannedText } from '../requirement.ts';
import { type InstallCommand, installCommandOf } from '../shell/installCommand.ts';
import { readLine, type ShellStatement, type Word } from '../shell/line.ts';
import { installedBy, type NamedList, type PipList, UNREAD } from './pipList.ts';
import { sourceOption } from './pipOptions.ts';

/** The effects of commands on an environment. */
export interface Installed {
  readonly requirements: readonly Requirement[];
  /** Names of packages that are uninstalled. */
  readonly removed: readonly string[];
  readonly channels: readonly SpannedText[];
  /** System packages: apt, yum and dnf. */
  readonly systemPackages: readonly SpannedText[];
  /** True if more is installed than can be read: files, scripts. */
  readonly isPartial: boolean;
  /** True if something is compiled. */
  readonly compiles: boolean;
  /** The place that calls CUDA's compiler. */
  readonly nvcc?: LocatedSpan;
  /** True if installed releases are upgraded. */
  readonly upgrades?: true;
}

/** One command of a script. */
export interface InstallingCommand {
  /** The words; the first is the program or a shell keyword. */
  readonly words: readonly SpannedText[];
  readonly installed: Installed;
}

/**
 * Reads the commands of a script that begins at an offset; `values` are its variables, and `listAt` reads the lists
 * that its commands name.
 */
export function readCommands(
  script: string,
  offset: number,
  values: ReadonlyMap<string, string> = new Map(),
  listAt: NamedList = () => UNREAD,
): InstallingCommand[] {
  const { statements } = readLine(script, offset, values);
  // In another folder, the same path means a different file.
  const isMoved = statements.some(({ all: [first] }) => /^(?:cd|pushd)$/.test(first?.text ?? ''));
  // pip reads options from variables; for this one, false means no isolation.
  const isIsolated = !values.has('PIP_NO_BUILD_ISOLATION');
  return statements.map((statement) => ({
    words: statement.all,
    installed: inCommand(readCommand(statement, isMoved ? () => UNREAD : listAt), statement.all, isIsolated),
  }));
}

/** Returns the packages that a command installs, with the command's place and its build isolation. */
function inCommand(installed: Installed, words: readonly Word[], isIsolated: boolean): Installed {
  const command = words[0]?.span.start ?? 0;
  const has = (option: string) => words.some(({ text }) => text === option);
  const isApart = isIsolated && !has('--no-build-isolation');
  const requirements = installed.requirements.map((each) => ({
    ...each,
    command,
    ...(installed.upgrades && { isUpgrade: true as const }),
    ...(!isApart && { isIsolated: false as const }),
    ...(has('--no-deps') && { isAlone: true as const }),
  }));
  return { ...installed, requirements };
}

/** Returns the combined effects of a script's commands. */
export function joinedEffects(commands: readonly Installed[]): Installed {
  const nvcc = commands.find((each) => each.nvcc !== undefined)?.nvcc;
  return {
    nvcc,
    requirements: commands.flatMap(({ requirements }) => requirements),
    removed: commands.flatMap(({ removed }) => removed),
    channels: commands.flatMap(({ channels }) => channels),
    systemPackages: commands.flatMap(({ systemPackages }) => systemPackages),
    isPartial: commands.some(({ isPartial }) => isPartial),
    compiles: commands.some(({ compiles }) => compiles),
  };
}

const NOTHING: Installed = {
  requirements: [],
  removed: [],
  channels: [],
  systemPackages: [],
  isPartial: false,
  compiles: false,
};

function readCommand(statement: ShellStatement, listAt: NamedList): Installed {
  const command = installCommandOf(statement);
  const { program, words } = statement;
  if (command === undefined || command.tool === 'project') {
    const compiles =
      /^(?:nvcc|cmake|make|ninja|gcc|g\+\+)$/.test(program) ||
      statement.all.some(({ text }) => /setup\.py$/.test(text));
    const isScript =
      /^(?:bash|sh|source|\.|python[\d.]*|uv|poetry|pdm|pixi|pipenv|conda|make)$/.test(program) ||
      program.endsWith('.sh');
    const nvcc = program === 'nvcc' ? statement.all[statement.all.length - words.length - 1]?.span : undefined;
    return { ...NOTHING, compiles, isPartial: isScript, ...(nvcc && { nvcc }) };
  }
  const { tool, removes, operands } = command;
  if (removes) return { ...NOTHING, removed: tool === 'system' ? [] : operands.map(({ text }) => text) };
  if (tool === 'system') return { ...NOTHING, systemPackages: operands };
  return tool === 'conda' ? readConda(command) : readPip(command, listAt);
}

/** uv uses the first index that has a package, and asks extra indexes before PyPI. */
function readPip({ tool, operands, options }: InstallCommand, listAt: NamedList): Installed {
  const sources: PackageSource[] = [];
  const lists: PipList[] = [];
  const constraints: Requirement[] = [];
  let isPartial = false;
  let upgrades = false;
  for (const { name, value, span } of options) {
    upgrades ||= /^(?:-U|--upgrade|-I|--ignore-installed|--force-reinstall|--reinstall)$/.test(name);
    if (/^(?:-e|--editable)/.test(name)) isPartial = true;
    if (value === undefined) continue;
    const named = sourceOption(name);
    const kind = tool === 'uv pip' && named === 'extra' ? 'index' : named;
    const hasPypi = kind === 'index' && named === 'extra' ? { hasPypi: true as const } : {};
    if (kind !== undefined) sources.push({ url: value, kind, span, ...hasPypi });
    if (/^(?:-r|--requirements?)$/.test(name)) lists.push(listAt(value, span));
    if (/^(?:-c|--constraints?)$/.test(name)) {
      const { requirements, isPartial: isUnread } = listAt(value, span);
      constraints.push(...requirements);
      isPartial ||= isUnread;
    }
  }
  const compiles = operands.some(({ text }) => /^git\+|@ ?git\+|^\.{1,2}\//.test(text) || isCompiled(text));
  const requirements = installedBy({
    requirements: [
      ...operands.flatMap((word) => requirementOf(word) ?? []),
      ...lists.flatMap((each) => each.requirements),
    ],
    constraints: [...constraints, ...lists.flatMap((each) => each.constraints)],
    sources: [...sources, ...lists.flatMap((each) => each.sources)],
    isPartial: false,
  });
  isPartial ||= lists.some((each) => each.isPartial) || operands.some(({ text }) => /[.]|\$/.test(text[0] ?? ''));
  return { ...NOTHING, requirements, isPartial, compiles, ...(upgrades && { upgrades }) };
}

/** A word that differs from its source, such as one with a variable, has no offsets that edits could use. */
function requirementOf({ text, span, isPlain }: Word): Requirement | undefined {
  if (/^[./$]|:\/\//.test(text) && !text.includes('@')) return undefined;
  // Without a readable version, only the name remains.
  const [, name] = /^([\w.-]+(?:\[[\w.,-]*\])?)\s*[=<>!~]=?.*[$`{]/s.exec(text) ?? [];
  const requirement = readRequirement(name ?? text, span.start);
  if (name !== undefined) return requirement && { ...withoutPlaces(requirement, span), specifier: undefined };
  return requirement && (isPlain ? requirement : withoutPlaces(requirement, span));
}

function withoutPlaces({ pin, local, ...rest }: Requirement, span: LocatedSpan): Requirement {
  const specifier = rest.specifier?.includes('$') ? undefined : rest.specifier;
  return { ...rest, specifier, span, nameSpan: span, ...(local && { local: { text: local.text, span } }) };
}

function readConda({ operands, options }: InstallCommand): Installed {
  const channels = options.flatMap(({ name, value, span }) =>
    /^(?:-c|--channel)$/.test(name) && value !== undefined ? [spannedText(value, span.end - value.length)] : [],
  );
  const requirements = operands.flatMap((word) => {
    const spec = readCondaSpec(word.text, word.span.start);
    return spec === undefined ? [] : [word.isPlain ? spec : withoutPlaces(spec, word.span)];
  });
  return { ...NOTHING, requirements, channels, isPartial: options.some(({ name }) => /^(?:-f|--file)$/.test(name)) };
}

/** True if installing the requirement compiles GPU code. */
function isCompiled(text: string): boolean {
  return knownPackage(parseRequirement(text)?.name ?? '')?.compiles === true;
}
