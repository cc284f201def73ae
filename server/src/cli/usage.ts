import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearest } from '../project/nearest.ts';

/** What is wrong with how the command was called; the message follows "gpu-doctor: ". */
export class UsageError extends Error {}

/** `parseArgs` of Node with its errors in our words, and with the likely option where one is misspelt. */
export function readArguments<T extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const written = /'(-[^' ]*)/.exec(message)?.[1] ?? '';
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      const likely = nearest(
        written,
        Object.keys(options).map((name) => `--${name}`),
      );
      throw new UsageError(`there is no option \`${written}\`${likely ? `: did you mean \`${likely}\`?` : ''}`);
    }
    throw new UsageError(`${message.charAt(0).toLowerCase()}${message.slice(1)}`);
  }
}
