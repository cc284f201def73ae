import { type EnvironmentFile, type Installation, installationOf, type VersionRange } from '../environmentFile.ts';
import { pythonOfImage } from '../imagePython.ts';
import { spannedText } from '../requirement.ts';
import type { Includes } from './includes.ts';
import { commentsOf } from './pipList.ts';
import { type InstalledSoFar, installInto, NOTHING_YET } from './sequence.ts';
import { type InstallingCommand, joinedEffects, readCommands } from './shell.ts';

/** Shell scripts: the packages that their commands install, grouped by the environments that they create. */

export function readScript(text: string, { listAt }: Includes): EnvironmentFile {
  // Line continuations become spaces, to keep offsets.
  const plain = text.replace(/\\\r?\n/g, (end) => ' '.repeat(end.length));
  const installations = installationsOf(readCommands(plain, 0, constantsOf(plain), listAt));
  return { kind: 'shell', installations, comments: commentsOf(text), errors: [] };
}

/** Variables that a script sets only once, to a value without expansions. */
function constantsOf(text: string): Map<string, string> {
  const values = new Map<string, string>();
  const again = new Set<string>();
  for (const [, name = '', value = ''] of text.matchAll(
    /^[ \t]*(?:export[ \t]+)?(\w+)=("[^"$`\n]*"|'[^'\n]*'|[\w.+:/-]*)[ \t]*$/gm,
  )) {
    if (values.has(name)) again.add(name);
    values.set(name, value.replace(/^["']|["']$/g, ''));
  }
  for (const [, name = ''] of text.matchAll(/(?:^|[\s;])(\w+)=(?=["']?[$`(])/gm)) again.add(name);
  for (const name of again) values.delete(name);
  return values;
}

const OPENS = /^(?:if|case|for|while|until|select|\{|function)$/;
const CLOSES = /^(?:fi|esac|done|\})$/;
/** Commands that create or activate another environment. */
const BEGINS = /\b(?:create|venv|virtualenv)\b/;

/**
 * Returns the installations of commands, one per environment. A conditional command is checked separately, since it is
 * unknown which other commands run together with it.
 */
export function installationsOf(commands: readonly InstallingCommand[], python?: VersionRange): Installation[] {
  const found: Installation[] = [];
  let depth = 0;
  let sequence: InstallingCommand[] = [];
  const close = () => {
    if (sequence.length > 0) found.push(installationBy(sequence, python));
    sequence = [];
  };
  for (const command of commands) {
    const [first = '', second = ''] = command.words.map(({ text }) => text);
    if (CLOSES.test(first)) depth = Math.max(0, depth - 1);
    const isConditional = depth > 0 || OPENS.test(first);
    if (isConditional) found.push(installationBy([command], python));
    else {
      if (
        /^(?:conda|mamba|micromamba|python[\d.]*|virtualenv|uv)$/.test(first) &&
        BEGINS.test(command.words.map(({ text }) => text).join(' '))
      )
        close();
      sequence.push(command);
    }
    // A function's parentheses separate its name from its body.
    if (OPENS.test(first) && !(first === 'function' && second === '')) depth++;
  }
  close();
  return found.filter(({ requirements }) => requirements.length > 0);
}

/** Returns the installation of successive commands. */
export function installationBy(commands: readonly InstallingCommand[], python?: VersionRange): Installation {
  const all = commands.map(({ installed }) => installed);
  const { requirements, replaced } = all.reduce<InstalledSoFar>(installInto, NOTHING_YET);
  const { channels, systemPackages } = joinedEffects(all);
  return installationOf(requirements, {
    channels,
    systemPackages,
    // The packages that were installed before are unknown.
    isPartial: true,
    python,
    ...(replaced.length > 0 && { replaced }),
  });
}

/** Apptainer definitions: the packages that `%post` installs into a base image. */

/** A header of a stage, or the start of a section. */
const PART = /^[ \t]*(Bootstrap|From)[ \t]*:[ \t]*(\S*)[^\n]*$|^[ \t]*%(\w+)[^\n]*$/gim;

export function readApptainer(text: string): EnvironmentFile {
  const plain = text.replace(/\\\r?\n/g, (end) => ' '.repeat(end.length));
  const parts = [...plain.matchAll(PART)];
  const installations: Installation[] = [];
  let image: Installation['image'];
  let isDocker = false;
  for (const [at, { 0: line, 1: header, 2: value = '', 3: section, index }] of parts.entries()) {
    if (header?.toLowerCase() === 'bootstrap') {
      isDocker = value.toLowerCase() === 'docker';
      image = undefined;
    } else if (header !== undefined && isDocker) {
      image = { ...spannedText(value, index + line.indexOf(value)), compiles: false };
    } else if (section?.toLowerCase() === 'post') {
      const start = index + line.length;
      const commands = readCommands(plain.slice(start, parts[at + 1]?.index), start);
      const own = installationBy(commands);
      const python = own.python ?? (image && pythonOfImage(image, own.systemPackages));
      const compiles = commands.some(({ installed }) => installed.compiles);
      installations.push({ ...own, ...(python && { python }), ...(image && { image: { ...image, compiles } }) });
    }
  }
  return { kind: 'apptainer', installations, comments: commentsOf(text), errors: [] };
}

/**
 * Notebooks: the packages that their shell lines and magics install, as in `!pip install torch` and `%pip install
 * torch`.
 */

const INTERPRETER = /\{sys\.executable\}/g;
/** A line that IPython passes to a shell or an installer; a backslash joins lines. */
const LINE = /^([ \t]*(?:!|%(?=(?:pip|conda|mamba|uv)\b)))((?:[^\n\\]|\\.|\\\r?\n)*)/gms;

/** Reads the code cells of a notebook, whose texts are joined by line feeds. */
export function readNotebookCommands(text: string, { listAt }: Includes): EnvironmentFile {
  const lines = [...text.matchAll(LINE)].filter(({ 2: line = '' }) => /\b(?:install|create)\b/.test(line));
  // Text that is not part of a command becomes spaces, to keep offsets.
  let shell = '';
  for (const { 1: head = '', 2: line = '', index } of lines) {
    shell += blanks(text.slice(shell.length, index)) + blanks(head);
    shell += line
      .replace(INTERPRETER, (all) => 'python'.padEnd(all.length))
      .replace(/\\\r?\n/g, (end) => ' '.repeat(end.length));
  }
  const installations = installationsOf(readCommands(shell, 0, new Map(), listAt));
  return {
    kind: 'notebook',
    installations: installations.length > 0 ? installations : [installationOf([])],
    comments: [],
    errors: [],
  };
}

function blanks(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
