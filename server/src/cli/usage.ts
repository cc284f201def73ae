import { parseArgs } from 'node:util';
import { nearest } from '../nearest.ts';
import { type CommandOption, commandHelp, HELP_OPTION, type Options } from './command.ts';
import { COMMANDS, type CommandName } from './commands.ts';

/** An error in the command line; the message follows "gpu-doctor: ". */
export class UsageError extends Error {}

type ValueOf<O extends CommandOption> = O['type'] extends 'boolean'
  ? boolean
  : O extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : string;

/** The values of options: lists for repeatable options; undefined if omitted and without a default. */
type Values<T extends Options> = {
  readonly [K in keyof T]: T[K] extends { readonly multiple: true }
    ? readonly ValueOf<T[K]>[] | undefined
    : T[K] extends { readonly type: 'boolean' } | { readonly default: string }
      ? ValueOf<T[K]>
      : ValueOf<T[K]> | undefined;
};

interface ParsedArguments<T extends Options> {
  readonly values: Values<T>;
  readonly positionals: readonly string[];
}

/**
 * Parses the arguments of a command according to its table of options. Prints the help and returns undefined if help
 * was requested. Throws a `UsageError` that suggests the likely option or value for a misspelled one.
 */
export function readArguments<Name extends CommandName>(
  name: Name,
  args: readonly string[],
): ParsedArguments<(typeof COMMANDS)[Name]['options']> | undefined {
  const options: Options = { ...COMMANDS[name].options, help: HELP_OPTION };
  const { values, positionals } = parse(name, args, options);
  if (values.help) {
    process.stdout.write(commandHelp(COMMANDS[name]));
    return undefined;
  }
  for (const [option, { type, choices }] of Object.entries(options)) {
    const value = values[option];
    if (type === 'boolean') values[option] ??= false;
    else if (choices && typeof value === 'string') values[option] = choiceOf(`--${option}`, value, choices);
    else if (choices && Array.isArray(value))
      values[option] = value.map((each) => choiceOf(`--${option}`, String(each), choices));
  }
  return { values: values as Values<(typeof COMMANDS)[Name]['options']>, positionals };
}

/** The choice that matches a value, ignoring case. Throws a `UsageError` if there is none. */
function choiceOf(option: string, value: string, choices: readonly string[]): string {
  const choice = choices.find((each) => each === value.toLowerCase());
  if (choice !== undefined) return choice;
  const likely = nearest(value, choices);
  throw new UsageError(
    `\`${option} ${value}\` is not one of ${choices.join(', ')}${likely ? `: did you mean \`${likely}\`?` : ''}`,
  );
}

/** Node's `parseArgs` with our error messages. */
function parse(name: CommandName, args: readonly string[], options: Options) {
  try {
    return parseArgs({
      args: [...args],
      options: options as Record<string, { type: 'string' | 'boolean'; short?: string; multiple?: boolean }>,
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const written = /'(-[^' ]*)/.exec(message)?.[1] ?? '';
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      const names = Object.keys(options).map((option) => `--${option}`);
      // `--format` is a part of `--output-format`, and `--prob` of `--no-probe`.
      const containing = written.length > 4 ? names.find((option) => option.includes(written.slice(1))) : undefined;
      const likely = containing ?? nearest(written, names);
      const advice = likely ? `did you mean \`${likely}\`?` : `see \`gpu-doctor ${name} --help\``;
      throw new UsageError(`there is no option \`${written}\`: ${advice}`);
    }
    throw new UsageError(`${message.charAt(0).toLowerCase()}${message.slice(1)}`);
  }
}
