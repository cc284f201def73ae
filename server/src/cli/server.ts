import { existsSync } from 'node:fs';
import { UsageError } from './usage.ts';

const HELP = `Start the language server, which speaks to an editor.

Usage: gpu-doctor server --stdio

Options:
  --stdio           Speak over standard input and output
  --pipe=NAME       Speak over a named pipe or socket file
  --socket=PORT     Speak over a port of this machine
  -h, --help        Show this help
`;

/** The server is a bundle of its own beside this one, so that the other commands need not load it. */
const ENTRIES = ['./server.js', '../server.ts'].map((file) => new URL(file, import.meta.url));

/** `gpu-doctor server`: becomes the language server, which reads the rest of the command line itself. */
export async function server(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  const entry = ENTRIES.find((file) => existsSync(file));
  if (!entry) throw new UsageError('the language server is not installed');
  await import(entry.href);
  return 0;
}
