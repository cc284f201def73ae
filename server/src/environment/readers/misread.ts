/** Text that pip rejects, or that the shell treats as something else. */
import type { EnvironmentKind, MisreadText } from '../environmentFile.ts';
import { spannedText } from '../requirement.ts';

const NAME = /[A-Za-z][\w.-]*(?:\[[\w ,.-]*\])?/.source;
const TWO = new RegExp(`^\\s*(${NAME}\\s*[=~<>!]=\\s*[\\w.+*]+[ \\t,]+${NAME}\\s*(?:[=~!]=|[<>])\\s*\\d\\S*)\\s*$`);
const ONE_EQUALS = new RegExp(`^\\s*(${NAME}\\s*=\\s*\\d[\\w.*+]*)\\s*$`);
const PIP = /^\s*((?:[!%]\s*)?(?:python3?\s+-m\s+)?(?:pip3?|uv pip|conda)\s+install\s+\S.*?)\s*$/;

/** Returns what pip rejects in the lines of a requirements list. */
export function rejectedIn(lines: readonly { readonly line: string; readonly start: number }[]): MisreadText[] {
  return lines.flatMap(({ line, start }): MisreadText[] => {
    const command = PIP.exec(line)?.[1];
    if (command !== undefined)
      return [{ ...spannedText(command, start + line.indexOf(command)), why: 'command' as const }];
    const two = TWO.exec(line)?.[1];
    const text = two ?? ONE_EQUALS.exec(line)?.[1];
    if (text === undefined) return [];
    return [{ ...spannedText(text, start + line.indexOf(text)), why: two === undefined ? 'equals' : 'twoOnALine' }];
  });
}

/** Files with shell commands, in which no other quotes surround them. */
const OF_SHELL: readonly EnvironmentKind[] = ['shell', 'dockerfile', 'workflow', 'gitlabCi', 'apptainer'];

const COMMAND = /\bpip[\d.]*[ \t]+install[ \t]([^\n;&|]*)/g;
const REDIRECTED = new RegExp(`^${NAME}[<>]=?\\d[\\w.*]*$`);

/** Returns the versions in the commands of a file that the shell reads as redirections. */
export function redirectedIn(kind: EnvironmentKind, text: string): MisreadText[] {
  if (!OF_SHELL.includes(kind)) return [];
  const plain = text.replace(/\\\r?\n/g, (end) => ' '.repeat(end.length));
  return [...plain.matchAll(COMMAND)].flatMap((command) => {
    const lineStart = plain.lastIndexOf('\n', command.index) + 1;
    if (/#|\b(?:echo|printf|print)\b|<<|"""/.test(plain.slice(lineStart, command.index))) return [];
    const [all, words = ''] = command;
    const from = command.index + all.length - words.length;
    // Quotes may span several words.
    const bare = words.replace(/"[^"]*"|'[^']*'|\s#.*$/g, (part) => ' '.repeat(part.length));
    return [...bare.matchAll(/\S+/g)]
      .filter(([word]) => REDIRECTED.test(word))
      .map(({ 0: word, index }): MisreadText => ({ ...spannedText(word, from + index), why: 'redirection' }));
  });
}
