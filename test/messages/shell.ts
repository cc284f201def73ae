/** A minimal shell grammar that finds the programs of a command line and their arguments. */

/** Returns the words of each program in a line, without variable assignments, `sudo` and redirections. */
export function programsOf(line: string): string[][] {
  const { commands, inner } = split(line);
  return [...commands.flatMap(programOf), ...inner.flatMap(programsOf)];
}

const STARTERS: Readonly<Record<string, RegExp>> = {
  sudo: /^(?!-)/,
  xargs: /^(?!-)/,
  env: /^(?!-|\w+=|LD_)/,
};

function programOf(words: readonly string[]): string[][] {
  const start = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const [program, ...rest] = start < 0 ? [] : words.slice(start);
  if (program === undefined) return [];
  const isNext = STARTERS[program];
  const next = isNext ? rest.findIndex((word) => isNext.test(word)) : -1;
  return next < 0 ? [[program, ...rest]] : programOf(rest.slice(next));
}

/** Returns simple commands as unquoted words, and the contents of `$(...)`. */
function split(line: string): { commands: string[][]; inner: string[] } {
  const inner: string[] = [];
  const commands: string[][] = [[]];
  let word: string | undefined;
  const end = () => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? '';
    if (sign === "'" || sign === '"') {
      const close = endOfQuotes(line, at);
      const quoted = line.slice(at + 1, close);
      word = `${word ?? ''}${quoted}`;
      if (sign === '"') inner.push(...substitutions(quoted));
      at = close;
    } else if (line.startsWith('$(', at)) {
      const close = endOfSubstitution(line, at);
      inner.push(line.slice(at + 2, close));
      word = `${word ?? ''}$()`;
      at = close;
    } else if (sign === ' ') end();
    else if (';|&'.includes(sign) && line[at - 1] !== '>') {
      end();
      commands.push([]);
    } else word = `${word ?? ''}${sign}`;
  }
  end();
  const isWord = (each: string) => !/^\d?>/.test(each);
  return { commands: commands.map((words) => words.filter(isWord)).filter(({ length }) => length > 0), inner };
}

function substitutions(quoted: string): string[] {
  const start = quoted.indexOf('$(');
  return start < 0 ? [] : [quoted.slice(start + 2, endOfSubstitution(quoted, start))];
}

function endOfQuotes(line: string, start: number): number {
  const quote = line[start];
  for (let at = start + 1; at < line.length; at++) {
    if (quote === '"' && line.startsWith('$(', at)) at = endOfSubstitution(line, at);
    else if (line[at] === quote) return at;
  }
  throw new Error(`quotes that do not end: ${line}`);
}

function endOfSubstitution(line: string, start: number): number {
  for (let at = start + 2; at < line.length; at++) {
    if (line[at] === '"' || line[at] === "'") at = endOfQuotes(line, at);
    else if (line.startsWith('$(', at)) at = endOfSubstitution(line, at);
    else if (line[at] === ')') return at;
  }
  throw new Error(`a substitution that does not end: ${line}`);
}
