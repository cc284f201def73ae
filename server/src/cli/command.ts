/**
 * A command of the command line as data: the source of its help, the parsing of its arguments and its shell completion.
 */

export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** True if it may be given several times. */
  readonly multiple?: true;
  /** Default value. */
  readonly default?: string;
  /** Name of the value in the help, such as FILE. */
  readonly value?: string;
  /** The allowed values. */
  readonly choices?: readonly string[];
  /** Shell completions of its value, in addition to `choices`. */
  readonly completes?: 'files' | 'folders' | 'rules';
  /** The heading under which the help lists it. */
  readonly group?: string;
  readonly help: string;
}

export type Options = Readonly<Record<string, CommandOption>>;

export interface Command {
  /** Its arguments in the list of commands, such as `[PATH...]`. */
  readonly synopsis: string;
  /** Its description in the list of commands: imperative, without a period. */
  readonly summary: string;
  /** First line of its help; a sentence. */
  readonly about: string;
  /** Its usage lines, each without the program's name. */
  readonly usage: readonly string[];
  /** Paragraphs between usage and options. */
  readonly details?: readonly string[];
  readonly options: Options;
  /** Paragraphs after the options. */
  readonly notes?: readonly string[];
  /** Shell completions of its arguments. */
  readonly completes?: 'files' | 'rules' | 'programs' | readonly string[];
}

/** The option that every command has. */
export const HELP_OPTION = { type: 'boolean', short: 'h', help: 'Show this help' } as const satisfies CommandOption;

/** Width of the help in columns. */
const WIDTH = 100;

/** Maximum width of option names in columns; after a longer name, the text starts on the next line. */
const NAMES = 27;

export function commandHelp({ about, usage, details = [], options, notes = [] }: Command): string {
  const [first, ...others] = usage.map((line) => `gpu-doctor ${line}`);
  const usages = [`Usage: ${first}`, ...others.map((line) => `       ${line}`)].join('\n');
  const all: Options = { ...options, help: HELP_OPTION };
  const groups = [...new Set(['Options', ...Object.values(all).map(({ group = 'Options' }) => group)])];
  const tables = groups.map((group) => {
    const rows = Object.entries(all).filter(([, option]) => (option.group ?? 'Options') === group);
    return `${group}:\n${table(rows.map(([long, option]) => [namesOf(long, option), helpOf(option)]))}`;
  });
  const wrapped = (paragraphs: readonly string[]) => paragraphs.map((paragraph) => wrap(paragraph, WIDTH).join('\n'));
  return `${[...wrapped([about]), usages, ...wrapped(details), ...tables, ...wrapped(notes)].join('\n\n')}\n`;
}

/** Formats names and texts as two columns of help, and wraps the texts. */
export function table(rows: readonly (readonly [names: string, text: string])[]): string {
  const width = Math.min(NAMES, Math.max(...rows.map(([names]) => names.length)));
  const margin = ' '.repeat(width + 4);
  return rows
    .map(([names, text]) => {
      const lines = wrap(text, WIDTH - margin.length).join(`\n${margin}`);
      return names.length <= width ? `  ${names.padEnd(width)}  ${lines}` : `  ${names}\n${margin}${lines}`;
    })
    .join('\n');
}

/** `-q, --quiet`, `    --output-format FORMAT`. */
function namesOf(long: string, { short, value }: CommandOption): string {
  return `${short === undefined ? '    ' : `-${short}, `}--${long}${value === undefined ? '' : ` ${value}`}`;
}

/** The text of an option with its choices and its default. */
export function helpOf({ help, choices, default: usual }: CommandOption): string {
  const known = choices?.map((choice) => (choice === usual ? `${choice} (default)` : choice)).join(', ');
  return known === undefined ? help : `${help}: ${known}`;
}

/** Wraps a text at spaces to a number of columns. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line += `${line === '' ? '' : ' '}${word}`;
  }
  return [...lines, line];
}
