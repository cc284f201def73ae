/** The changes that a remedy's command makes, limited to those that can be tried in a copy. */
import { setting, unsetting } from '../commands/shells.ts';
import { readLine, type ShellStatement } from '../environment/shell/line.ts';
import { type InstallerCall, installerCall } from './installerCalls.ts';

/** Environment variables; undefined removes one. */
export type ProgramVariables = Readonly<Record<string, string | undefined>>;

export interface CommandChanges {
  readonly calls: readonly InstallerCall[];
  readonly variables: ProgramVariables;
}

/** Variables that frameworks read, and folders of Python's packages: none that could start another program. */
const VARIABLE =
  /^(?:CUDA_|CUBLAS_|HIP_|HSA_|JAX_|KERAS_|NCCL_|OMP_|PROTOCOL_BUFFERS_|PYTORCH_|TF_|TORCH|XLA_)\w*$|^(?:PYTHONPATH|PYTHONNOUSERSITE)$/;

/** The user's program, as commands of remedies refer to it. */
const PROGRAM = /^(?:python (?:\.\.\.|train\.py))?$/;

/**
 * Returns the changes of a command that only calls pip or uv and sets variables; undefined if it does anything else. A
 * statement that creates a virtual environment is left out, because a copy is one.
 */
export function changesOf(command: string): CommandChanges | undefined {
  const { statements, joints } = readLine(command);
  if (joints.some((joint) => joint !== '&&' && joint !== ';')) return undefined;
  const calls: InstallerCall[] = [];
  const variables: Record<string, string | undefined> = {};
  for (const statement of statements) {
    if (/^(?:python[\d.]* -m|uv) venv(?: |$)/.test(textOf(statement))) continue;
    const [call, set] = [installerCall(statement), variablesOf(statement)];
    if (call === undefined && set === undefined) return undefined;
    if (call !== undefined) calls.push(call);
    Object.assign(variables, set);
  }
  return calls.length > 0 || Object.keys(variables).length > 0 ? { calls, variables } : undefined;
}

/** A value that the shell would expand is not known. */
function variablesOf(statement: ShellStatement): ProgramVariables | undefined {
  const text = textOf(statement);
  const [, removed] = /^(?:unset |Remove-Item Env:|set (?=\w+=$))(\w+)=?$/.exec(text) ?? [];
  const [, name, value = ''] = /^set (\w+)=(.+)$/.exec(text) ?? [];
  const set = name === undefined ? statement.sets : { [name]: value };
  const isKnown = Object.values(set).every((each) => !/[$`]/.test(each));
  if (removed === undefined && name === undefined && !PROGRAM.test(text)) return undefined;
  const all = removed === undefined ? set : { [removed]: undefined };
  const names = Object.keys(all);
  return isKnown && names.length > 0 && names.every((each) => VARIABLE.test(each)) ? all : undefined;
}

/** Returns the lines of this system's shell that set variables. */
export function variableLines(variables: ProgramVariables, platform = process.platform): string[] {
  const shell = platform === 'win32' ? 'powerShell' : 'posix';
  return Object.entries(variables).map(([name, value]) =>
    value === undefined ? unsetting(name, shell) : setting(name, value, shell),
  );
}

function textOf({ program, words }: ShellStatement): string {
  return [program, ...words.map(({ text }) => text)].join(' ');
}
