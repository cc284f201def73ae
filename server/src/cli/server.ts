import { existsSync } from 'node:fs';
import { commandHelp } from './command.ts';
import { COMMANDS } from './commands.ts';
import { UsageError } from './usage.ts';

/** The server is a separate bundle next to this one, so that other commands do not load it. */
const ENTRIES = ['./server.js', '../server.ts'].map((file) => new URL(file, import.meta.url));

/** `gpu-doctor server`: becomes the language server, which parses the rest of the command line itself. */
export async function server(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(commandHelp(COMMANDS.server));
    return 0;
  }
  const entry = ENTRIES.find((file) => existsSync(file));
  if (!entry) throw new UsageError('the language server is not installed');
  await import(entry.href);
  return 0;
}
