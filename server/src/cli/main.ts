import { ConfigurationError } from '../project/configuration.ts';
import { FAILED } from './exitStatus.ts';
import { writeError } from './standardError.ts';
import { UsageError } from './usage.ts';

const HELP = `GPU Doctor finds Python code that will not load or run on a machine with other GPUs, and fixes it.

Usage: gpu-doctor <command> [options]

Commands:
  check [PATH...]   Judge Python files and notebooks
  inspect PATH...   Show what is inside checkpoints, without running anything of them
  stack             Read out this machine's GPU stack
  plan [REQ...]     Plan an environment that works on this machine: the exact commands, or a file
  run -- COMMAND    Run a program, and explain its error when it fails
  explain [FILE]    Explain an error: what it means, why it came here, and what to do
  rule CODE         Explain a rule
  server --stdio    Start the language server, for an editor
  mcp               Serve these answers to a coding agent, over the Model Context Protocol

Options:
  -h, --help        Show help; also after a command
  -V, --version     Show the version

Exit status: 0 when nothing was found, 1 when something was, 2 when something went wrong.
`;

/** Runs the command line and returns the exit status. Each command is loaded when it is called. */
export async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  try {
    switch (command) {
      case 'check':
        return await (await import('./check.ts')).check(rest);
      case 'inspect':
        return await (await import('./inspect.ts')).inspect(rest);
      case 'stack':
        return await (await import('./stack.ts')).stack(rest);
      case 'plan':
        return await (await import('./plan.ts')).plan(rest);
      case 'explain':
        return await (await import('./explain.ts')).explain(rest);
      case 'run':
        return await (await import('./run.ts')).run(rest);
      case 'rule':
        return await (await import('./rule.ts')).rule(rest);
      case 'server':
        return await (await import('./server.ts')).server(rest);
      case 'mcp':
        return await (await import('./mcp.ts')).mcp(rest);
      case '--version':
      case '-V':
        process.stdout.write(`gpu-doctor ${(await import('./version.ts')).version}\n`);
        return 0;
      case undefined:
      case 'help':
      case '--help':
      case '-h':
        process.stdout.write(HELP);
        return 0;
      default:
        throw new UsageError(`there is no command \`${command}\`: see \`gpu-doctor --help\``);
    }
  } catch (error) {
    if (error instanceof UsageError) writeError(`gpu-doctor: ${error.message}\n`);
    else if (error instanceof ConfigurationError) writeError(`${error.message}\n`);
    else if (isFolderGone(error)) writeError('gpu-doctor: the current folder has been deleted\n');
    else throw error;
    return FAILED;
  }
}

/** True where Node cannot say in which folder it runs. */
function isFolderGone(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}
