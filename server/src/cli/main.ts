import { nearest } from '../nearest.ts';
import { ConfigurationError } from '../settings/configuration.ts';
import { commandHelp, HELP_OPTION, table } from './command.ts';
import { COMMANDS, type CommandName } from './commands.ts';
import { FAILED } from './exitStatus.ts';
import { writeError } from './standardError.ts';
import { UsageError } from './usage.ts';

/** Runs each command and returns its exit status. A command is loaded when it is used. */
const RUN: Readonly<Record<CommandName, (args: readonly string[]) => Promise<number>>> = {
  check: async (args) => (await import('./check.ts')).check(args),
  inspect: async (args) => (await import('./inspect.ts')).inspect(args),
  stack: async (args) => (await import('./stack.ts')).stack(args),
  plan: async (args) => (await import('./plan.ts')).plan(args),
  explain: async (args) => (await import('./explain.ts')).explain(args),
  run: async (args) => (await import('./run.ts')).run(args),
  repair: async (args) => (await import('./repair.ts')).repair(args),
  rule: async (args) => (await import('./rule.ts')).rule(args),
  server: async (args) => (await import('./server.ts')).server(args),
  mcp: async (args) => (await import('./mcp.ts')).mcp(args),
  'generate-shell-completion': async (args) => (await import('./completion.ts')).completion(args),
};

/** Runs the command line and returns the exit status. */
export async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  try {
    switch (name) {
      case '--version':
      case '-V':
        process.stdout.write(`gpu-doctor ${(await import('./version.ts')).version}\n`);
        return 0;
      case undefined:
      case '--help':
      case '-h':
        process.stdout.write(help());
        return 0;
      case 'help':
        process.stdout.write(rest[0] === undefined ? help() : helpOf(rest[0]));
        return 0;
      default:
        return await RUN[commandNamed(name)](rest);
    }
  } catch (error) {
    if (error instanceof UsageError) writeError(`gpu-doctor: ${error.message}\n`);
    else if (error instanceof ConfigurationError) writeError(`${error.message}\n`);
    else if (isFolderGone(error)) writeError('gpu-doctor: the current folder has been deleted\n');
    else throw error;
    return FAILED;
  }
}

function helpOf(name: string): string {
  const known = commandNamed(name);
  return commandHelp(COMMANDS[known]);
}

/** Throws a `UsageError` for an unknown command. */
function commandNamed(name: string): CommandName {
  if (Object.hasOwn(COMMANDS, name)) return name as CommandName;
  const likely = nearest(name, [...Object.keys(COMMANDS), 'help', '--help', '--version']);
  const kind = name.startsWith('-') ? 'option' : 'command';
  throw new UsageError(
    `there is no ${kind} \`${name}\`: ${likely ? `did you mean \`${likely}\`?` : 'see `gpu-doctor --help`'}`,
  );
}

function help(): string {
  const commands = Object.entries(COMMANDS).map(
    ([name, { synopsis, summary }]) => [`${name} ${synopsis}`.trim(), summary] as const,
  );
  return `GPU Doctor finds Python code that will not load or run on a machine with other GPUs, and fixes it.

Usage: gpu-doctor <command> [options]

Commands:
${table([...commands, ['help [COMMAND]', 'Show the help of a command']])}

Options:
${table([
  ['-h, --help', `${HELP_OPTION.help}; also after a command`],
  ['-V, --version', 'Show the version'],
])}

Exit status: 0 when nothing was found, 1 when something was, 2 when something went wrong.
`;
}

/** True if Node cannot determine the current folder. */
function isFolderGone(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}
