/** Shell scripts: the packages that their commands install, grouped by the environments that they create. */
import { type EnvironmentFile, type Installation, installationOf, type VersionRange } from '../environmentFile.ts';
import { pythonOf } from './conda.ts';
import type { Includes } from './includes.ts';
import { commentsOf } from './pipList.ts';
import { type InstalledSoFar, installInto, NOTHING_YET } from './sequence.ts';
import { type Command, joined, readCommands } from './shell.ts';

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
export function installationsOf(commands: readonly Command[], python?: VersionRange): Installation[] {
  const found: Installation[] = [];
  let depth = 0;
  let sequence: Command[] = [];
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
export function installationBy(commands: readonly Command[], python?: VersionRange): Installation {
  const all = commands.map(({ installed }) => installed);
  const { requirements, replaced } = all.reduce<InstalledSoFar>(installInto, NOTHING_YET);
  const { channels, systemPackages } = joined(all);
  const packages = requirements.filter(({ name, manager }) => !(name === 'python' && manager === 'conda'));
  return installationOf(packages, {
    channels,
    systemPackages,
    // The packages that were installed before are unknown.
    isPartial: true,
    ...(python && { python }),
    ...pythonOf(requirements),
    ...(replaced.length > 0 && { replaced }),
  });
}
