/** Shell commands that install packages, as in Dockerfiles and dev containers. */

import { knownPackage } from '../../published/knownPackages.ts';
import { parseRequirement } from '../../published/requirement.ts';
import { readCondaSpec } from '../condaSpec.ts';
import type { PackageSource, Requirement, Span, SpannedText } from '../environmentFile.ts';
import { readRequirement } from '../requirement.ts';
import { installedBy, type NamedList, type PipList, UNREAD } from './pipList.ts';
import { sourceOption } from './pipOptions.ts';

/** A word after the shell's expansion, with its place in the text. */
interface Word extends SpannedText {
  /** True if the word equals its source, so that offsets correspond. */
  readonly isPlain: boolean;
}

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
  readonly nvcc?: Span;
  /** True if installed releases are upgraded. */
  readonly upgrades?: true;
}

/** One command of a script. */
export interface Command {
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
): Command[] {
  const commands = commandsIn(script, offset, values);
  // In another folder, the same path means a different file.
  const isMoved = commands.some(([first]) => /^(?:cd|pushd)$/.test(first?.text ?? ''));
  // pip reads options from variables; for this one, false means no isolation.
  const isIsolated = !values.has('PIP_NO_BUILD_ISOLATION');
  return commands.map((words) => ({
    words,
    installed: inCommand(readCommand(words, isMoved ? () => UNREAD : listAt), words, isIsolated),
  }));
}

/** Returns the packages that a command installs, with the command's place and its build isolation. */
function inCommand(installed: Installed, words: readonly Word[], isIsolated: boolean): Installed {
  const command = words[0]?.span.start ?? 0;
  const isApart = isIsolated && !words.some(({ text }) => /^--no-build-isolation$/.test(text));
  const requirements = installed.requirements.map((each) => ({
    ...each,
    command,
    ...(installed.upgrades && { isUpgrade: true as const }),
    ...(!isApart && { isIsolated: false as const }),
  }));
  return { ...installed, requirements };
}

/** Returns the combined effects of a script's commands. */
export function joined(commands: readonly Installed[]): Installed {
  const nvcc = commands.find((each) => each.nvcc !== undefined)?.nvcc;
  return {
    ...(nvcc && { nvcc }),
    requirements: commands.flatMap(({ requirements }) => requirements),
    removed: commands.flatMap(({ removed }) => removed),
    channels: commands.flatMap(({ channels }) => channels),
    systemPackages: commands.flatMap(({ systemPackages }) => systemPackages),
    isPartial: commands.some(({ isPartial }) => isPartial),
    compiles: commands.some(({ compiles }) => compiles),
  };
}

/** A comment at the beginning of a word, a word, or a separator between commands. */
const TOKEN = /(?<=^|[\s;&|()])#[^\n]*|(?:[^\s"'\\;&|()]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+|&&|\|\||[;|\n()]|&/gs;

function commandsIn(script: string, offset: number, values: ReadonlyMap<string, string>): Word[][] {
  const commands: Word[][] = [[]];
  for (const { 0: token, index } of script.matchAll(TOKEN)) {
    if (token.startsWith('#')) continue;
    if (/^(?:&&?|\|\|?|[;\n()])$/.test(token)) commands.push([]);
    else commands.at(-1)?.push(wordOf(token, offset + index, values));
  }
  return commands.filter(({ length }) => length > 0);
}

function wordOf(token: string, start: number, values: ReadonlyMap<string, string>): Word {
  const isQuoted = /^(["']).*\1$/s.test(token) && !token.slice(1, -1).includes(token[0] ?? '');
  const inner = isQuoted ? token.slice(1, -1) : token;
  const text = expand(isQuoted ? inner : inner.replace(/["']/g, '').replace(/\\(.)/gs, '$1'), values);
  const from = start + (isQuoted ? 1 : 0);
  return { text, span: { start: from, end: from + inner.length }, isPlain: text === inner };
}

/** Returns the text with known variables expanded; `${NAME:-default}` has its own default. */
export function expand(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\$(?:\{(\w+)(?::?-([^}]*))?\}|(\w+))/g, (all, braced, fallback, plain) => {
    return values.get(braced ?? plain) ?? fallback ?? all;
  });
}

const NOTHING: Installed = {
  requirements: [],
  removed: [],
  channels: [],
  systemPackages: [],
  isPartial: false,
  compiles: false,
};

function readCommand(words: readonly Word[], listAt: NamedList): Installed {
  const at = (index: number) => words[index]?.text ?? '';
  // Words before the program: variables, `sudo`, shell keywords, options of RUN.
  const first = words.findIndex(
    ({ text }) => !/^(?:\w+=.*|sudo|env|time|exec|if|then|elif|else|while|until|do|!|\{|--[\w-]+=.*)$/s.test(text),
  );
  if (first < 0) return NOTHING;
  const program = at(first).split('/').at(-1) ?? '';
  const isModule = /^python[\d.]*$/.test(program) && at(first + 1) === '-m';
  const own = words.slice(first + (isModule ? 2 : 0));
  const name = isModule ? at(first + 2) : program;
  const verb = own.findIndex(({ text }, index) => index > 0 && /^(?:install|uninstall|remove|create)$/.test(text));
  const rest = own.slice(verb + 1);
  const isPip = /^pip[\d.]*$/.test(name) || (name === 'uv' && own[1]?.text === 'pip');
  if (isPip && verb > 0)
    return own[verb]?.text === 'install'
      ? readPip(rest, name === 'uv', listAt)
      : { ...NOTHING, removed: namesIn(rest) };
  if (/^(?:conda|mamba|micromamba)$/.test(name) && verb > 0) return readConda(rest);
  if (/^(?:apt|apt-get|yum|dnf|microdnf)$/.test(name) && verb > 0)
    return { ...NOTHING, systemPackages: rest.filter(({ text }) => !text.startsWith('-')) };
  const compiles =
    /^(?:nvcc|cmake|make|ninja|gcc|g\+\+)$/.test(name) || own.some(({ text }) => /setup\.py$/.test(text));
  const isScript =
    /^(?:bash|sh|source|\.|python[\d.]*|uv|poetry|pdm|pixi|pipenv|conda|make)$/.test(name) || name.endsWith('.sh');
  const nvcc = name === 'nvcc' ? own[0]?.span : undefined;
  return { ...NOTHING, compiles, isPartial: isScript, ...(nvcc && { nvcc }) };
}

function namesIn(words: readonly Word[]): string[] {
  return words.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
}

/** Options of pip and conda that take a value. */
const WITH_VALUE =
  /^(?:-[rcefitnpC]|--(?:requirement|constraint|editable|index-url|extra-index-url|find-links|index|default-index|target|prefix|platform|python-version|python|abi|implementation|root|src|log|timeout|retries|trusted-host|proxy|cache-dir|progress-bar|no-binary|only-binary|config-settings|global-option|build-option|upgrade-strategy|name|channel|file|torch-backend|root-user-action))$/;

/** uv uses the first index that has a package, and asks extra indexes before PyPI. */
function readPip(words: readonly Word[], isUv: boolean, listAt: NamedList): Installed {
  const sources: PackageSource[] = [];
  const operands: Word[] = [];
  const lists: PipList[] = [];
  const constraints: Requirement[] = [];
  let isPartial = false;
  let upgrades = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    const [, option = word.text, joined] =
      /^(--[\w-]+)=(.*)$/s.exec(word.text) ?? /^(-[rc])([^-].*)$/s.exec(word.text) ?? [];
    if (!option.startsWith('-')) {
      operands.push(word);
      continue;
    }
    upgrades ||= /^(?:-U|--upgrade|-I|--ignore-installed|--force-reinstall|--reinstall)$/.test(option);
    const follower = joined === undefined && WITH_VALUE.test(option) ? words[++index] : undefined;
    const value = joined ?? follower?.text;
    const span = { start: word.span.start, end: (follower ?? word).span.end };
    const named = sourceOption(option);
    const kind = isUv && named === 'extra' ? 'index' : named;
    if (kind !== undefined && value !== undefined) sources.push({ url: value, kind, span });
    if (/^(?:-r|--requirements?)$/.test(option) && value !== undefined) lists.push(listAt(value, span));
    if (/^(?:-c|--constraints?)$/.test(option) && value !== undefined) {
      const { requirements, isPartial: isUnread } = listAt(value, span);
      constraints.push(...requirements);
      isPartial ||= isUnread;
    }
    if (/^(?:-e|--editable)/.test(option)) isPartial = true;
  }
  const compiles = operands.some(({ text }) => /^git\+|@ ?git\+|^\.{1,2}(?:\/|\[|$)/.test(text) || isCompiled(text));
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

function withoutPlaces({ pin, local, ...rest }: Requirement, span: Span): Requirement {
  const specifier = rest.specifier?.includes('$') ? undefined : rest.specifier;
  return { ...rest, specifier, span, nameSpan: span, ...(local && { local: { text: local.text, span } }) };
}

function readConda(words: readonly Word[]): Installed {
  const channels: SpannedText[] = [];
  const requirements: Requirement[] = [];
  let isPartial = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    const { text } = word;
    if (text === '-c' || text === '--channel') {
      const channel = words[++index];
      if (channel) channels.push(channel);
    } else if (text === '-f' || text === '--file' || text.startsWith('--file=')) {
      isPartial = true;
      index++;
    } else if (WITH_VALUE.test(text)) index++;
    else if (!text.startsWith('-')) {
      const spec = readCondaSpec(text, word.span.start);
      if (spec) requirements.push(word.isPlain ? spec : withoutPlaces(spec, word.span));
    }
  }
  return { ...NOTHING, requirements, channels, isPartial };
}

/** True if installing the requirement compiles GPU code. */
function isCompiled(text: string): boolean {
  return knownPackage(parseRequirement(text)?.name ?? '')?.compiles === true;
}
