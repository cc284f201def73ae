/** The commands of a script or a line: in Dockerfiles and workflows, in remedies, and as people paste them. */
import type { SpannedText } from '../environmentFile.ts';

/** A word after the shell's expansion, with its place in the text. */
export interface Word extends SpannedText {
  /** True if the word equals its source, so that offsets correspond. */
  readonly isPlain: boolean;
}

/** One command, as parsed by a shell. */
export interface ShellStatement {
  /** All of its words; the first is the program, a shell keyword or a variable. */
  readonly all: readonly Word[];
  /** The variables that are set for it, or by it. */
  readonly sets: Readonly<Record<string, string>>;
  /** The program without its folder: "pip" for ".venv/bin/pip"; "" if it only sets variables. */
  readonly program: string;
  /** True after `sudo`. */
  readonly isRoot: boolean;
  /** The words after the program. */
  readonly words: readonly Word[];
}

/** A parsed script. */
export interface ShellScript {
  readonly statements: readonly ShellStatement[];
  /** The separators of the statements: "&&", ";", "|", "||", line feeds. */
  readonly joints: readonly string[];
}

/**
 * A comment at the beginning of a word, a word, or a separator between commands. Before a letter, a backslash is part of
 * a Windows path.
 */
const TOKEN =
  /(?<=^|[\s;&|()])#[^\n]*|(?:[^\s"'\\;&|()]|&(?=\d)|\\(?=\w)|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+|&&|\|\||[;|\n()]|&/gs;
const JOINT = /^(?:&&?|\|\|?|[;\n()])$/;

const NO_VALUES: ReadonlyMap<string, string> = new Map();

/** Parses a script that begins at an offset; `values` are its variables. */
export function readLine(script: string, offset = 0, values = NO_VALUES): ShellScript {
  const statements: Word[][] = [[]];
  const joints: string[] = [];
  for (const { 0: token, index } of script.matchAll(TOKEN)) {
    if (token.startsWith('#')) continue;
    if (!JOINT.test(token)) statements.at(-1)?.push(wordOf(token, offset + index, values));
    else {
      // PowerShell's call operator is not a separator.
      if (token !== '&') joints.push(token);
      statements.push([]);
    }
  }
  return { statements: statements.filter(({ length }) => length > 0).map(statementOf), joints };
}

function wordOf(token: string, start: number, values: ReadonlyMap<string, string>): Word {
  const isQuoted = /^(["']).*\1$/s.test(token) && !token.slice(1, -1).includes(token[0] ?? '');
  const inner = isQuoted ? token.slice(1, -1) : token;
  const text = expand(isQuoted ? inner : inner.replace(/["']/g, '').replace(/\\(\W)/gs, '$1'), values);
  const from = start + (isQuoted ? 1 : 0);
  return { text, span: { start: from, end: from + inner.length }, isPlain: text === inner };
}

/** Returns the text with known variables expanded; `${NAME:-default}` has its own default. */
export function expand(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\$(?:\{(\w+)(?::?-([^}]*))?\}|(\w+))/g, (all, braced, fallback, plain) => {
    return values.get(braced ?? plain) ?? fallback ?? all;
  });
}

/** Programs and keywords before a program, and options of `sudo` and RUN. */
const STARTER = /^(?:sudo|env|export|time|exec|if|then|elif|else|while|until|do|!|\{|-[A-Za-z]|--[\w-]+=.*)$/s;

function statementOf(all: readonly Word[]): ShellStatement {
  const sets: Record<string, string> = {};
  const isRoot = all.some(({ text }) => text === 'sudo');
  let at = 0;
  for (; at < all.length; at++) {
    const { text = '' } = all[at] ?? {};
    const [, name, value = ''] = text.match(/^([A-Za-z_]\w*)=(.*)$/s) ?? [];
    if (name !== undefined) sets[name] = value;
    else if (!STARTER.test(text)) break;
  }
  const [first, ...words] = all.slice(at);
  const variable = /^\$env:(\w+)$/i.exec(first?.text ?? '')?.[1];
  if (variable !== undefined)
    return { all, sets: { ...sets, [variable]: words.at(-1)?.text ?? '' }, isRoot, program: '', words: [] };
  const program = (first?.text.match(/[^\\/]*$/)?.[0] ?? '').replace(/\.exe$/i, '');
  return { all, sets, isRoot, program, words };
}
