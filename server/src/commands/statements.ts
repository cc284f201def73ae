/** One command on a line, as parsed by a shell. */
export interface Statement {
  /** The variables that are set for it, or by it. */
  readonly sets: Readonly<Record<string, string>>;
  /** The program without its folder: "pip" for ".venv/bin/pip"; "" if it only sets variables. */
  readonly program: string;
  /** True after `sudo`. */
  readonly isRoot: boolean;
  /** The words after the program, without quotes. */
  readonly words: readonly string[];
}

/** A parsed line that is meant for people to copy. */
export interface Line {
  readonly statements: readonly Statement[];
  /** The separators of the statements: "&&", ";", "|", "||". */
  readonly joints: readonly string[];
}

const TOKEN = /(?:[^\s"';&|]|&(?=\d)|"[^"]*"|'[^']*')+|&&|\|\||[;|&]/g;
const JOINT = /^(?:&&|\|\||[;|])$/;
/** Programs that start another one. */
const STARTERS: ReadonlySet<string> = new Set(['sudo', 'env', 'export', '&']);

/** Parses a command line; text after "#" is for people. */
export function readLine(line: string): Line {
  const statements: Statement[] = [];
  const joints: string[] = [];
  let words: string[] = [];
  const close = () => {
    if (words.length > 0) statements.push(statementOf(words));
    words = [];
  };
  for (const [token] of line.replace(/(?:^|\s)#.*$/, '').matchAll(TOKEN)) {
    if (!JOINT.test(token)) words.push(token);
    else {
      close();
      joints.push(token);
    }
  }
  close();
  return { statements, joints };
}

function statementOf(tokens: readonly string[]): Statement {
  const sets: Record<string, string> = {};
  const isRoot = tokens.includes('sudo');
  const words = tokens.map((token) => token.replace(/(["'])(.*?)\1/g, '$2'));
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    const [, name, value = ''] = word.match(/^([A-Za-z_]\w*)=(.*)$/s) ?? [];
    if (name !== undefined) sets[name] = value;
    else if (!STARTERS.has(word) && !/^-[A-Za-z]$/.test(word)) break;
  }
  const variable = /^\$env:(\w+)$/i.exec(words[at] ?? '')?.[1];
  if (variable !== undefined)
    return { sets: { ...sets, [variable]: words.at(-1) ?? '' }, isRoot, program: '', words: [] };
  const [first = '', ...rest] = words.slice(at);
  return { sets, isRoot, program: (first.match(/[^\\/]*$/)?.[0] ?? first).replace(/\.exe$/i, ''), words: rest };
}
