import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import type { CommandFailure, CommandResult } from '../../server/src/stack/machine/command.ts';
import type { Machine } from '../../server/src/stack/machine/machine.ts';

/**
 * `machine.yaml`: the answers of a machine to the readers. Folders exist if they contain files, and programs if they
 * have a command. The outputs of `nvidia-smi` are in separate files, as the program printed them.
 */
export interface Recording {
  about: string;
  platform: NodeJS.Platform;
  architecture?: string;
  release?: string;
  processor?: string;
  /** Bytes of main memory. */
  memory?: number;
  home: string;
  hostname?: string;
  env?: Record<string, string>;
  /** Workspace folders. */
  folders?: string[];
  interpreter?: string;
  /** Contents by path; null for a file that is never read. */
  files?: Record<string, string | null>;
  /** Targets by path, relative or absolute. */
  links?: Record<string, string>;
  /** Files and folders that may not be read. */
  denied?: string[];
  commands?: Record<string, RecordedCommand>;
}

interface RecordedCommand {
  /** File with the answer to `--query-gpu`. */
  query?: string;
  /** File with the answer to `-L`. */
  list?: string;
  /** File with the program's output without arguments. */
  header?: string;
  /** For an interpreter: files with the lines that it prints when a framework is queried, by framework. */
  answers?: Record<string, string>;
  exitCode?: number;
  failure?: CommandFailure;
}

/** True if the recording includes answers of the frameworks themselves. */
export function hasAnswers({ commands = {} }: Recording): boolean {
  return Object.values(commands).some(({ answers }) => answers !== undefined);
}

export async function loadRecording(folder: string): Promise<Recording> {
  return parse(await readFile(path.join(folder, 'machine.yaml'), 'utf8'));
}

/** Returns a machine that answers from the recording in a folder. */
export function recordedMachine(folder: string, recording: Recording): Machine {
  const { platform, files = {}, links = {}, denied = [], commands = {} } = recording;
  const rules = platform === 'win32' ? path.win32 : path.posix;
  const contents = new Map<string, string | null>(Object.entries(files));
  for (const program of Object.keys(commands)) contents.set(program, null);
  const folders = new Map<string, Set<string>>();
  for (const file of [...contents.keys(), ...Object.keys(links)]) {
    for (let at = file; rules.dirname(at) !== at; at = rules.dirname(at)) {
      const parent = rules.dirname(at);
      folders.set(parent, (folders.get(parent) ?? new Set()).add(rules.basename(at)));
    }
  }

  const resolve = (file: string): string => {
    let at = rules.normalize(file);
    if (at.length > 1 && at.endsWith(rules.sep)) at = at.slice(0, -1);
    for (let prefix = at; rules.dirname(prefix) !== prefix; prefix = rules.dirname(prefix)) {
      const target = links[prefix];
      if (target !== undefined) {
        return resolve(rules.join(rules.resolve(rules.dirname(prefix), target), at.slice(prefix.length)));
      }
    }
    if (denied.some((each) => at === each || at.startsWith(each + rules.sep))) throw failure('EACCES', at);
    return at;
  };

  return {
    platform,
    architecture: recording.architecture ?? 'x64',
    release: recording.release ?? '',
    processor: () => recording.processor ?? null,
    mainMemory: () => recording.memory ?? null,
    env: recording.env ?? {},
    home: recording.home,
    hostname: recording.hostname ?? 'localhost',
    path: rules,
    now: () => new Date('2026-11-21T08:00:00Z'),
    async readText(file, limit) {
      const real = resolve(file);
      const content = contents.get(real);
      if (content === undefined) throw failure(folders.has(real) ? 'EISDIR' : 'ENOENT', file);
      return (content ?? '').slice(0, limit);
    },
    async listFolder(name) {
      const real = resolve(name);
      const entries = folders.get(real);
      if (entries === undefined) throw failure(contents.has(real) ? 'ENOTDIR' : 'ENOENT', name);
      return [...entries];
    },
    async realPath(file) {
      const real = resolve(file);
      if (!contents.has(real) && !folders.has(real)) throw failure('ENOENT', file);
      return real;
    },
    async isUsable(file) {
      try {
        return contents.has(resolve(file));
      } catch {
        return false;
      }
    },
    async run(program, args, options): Promise<CommandResult> {
      const command = commands[program];
      if (command === undefined) return { stdout: '', stderr: '', exitCode: null, failure: 'notFound' };
      const { failure: how } = command;
      const ended = { stderr: '', exitCode: how === undefined ? (command.exitCode ?? 0) : null, failure: how };
      if (args[1] === 'ask') {
        const answer = command.answers?.[args[2] ?? ''];
        const said = answer === undefined ? '' : await readFile(path.join(folder, answer), 'utf8');
        for (const line of said.split('\n')) options?.onLine?.(line);
        return { stdout: said, ...ended };
      }
      const queries = args.some((arg) => arg.startsWith('--query-gpu'));
      // Drivers before R510 refuse the whole query because of this field.
      const old = command.query?.startsWith('old-') && args.some((arg) => arg.includes('compute_cap'));
      if (queries && old) {
        return { stdout: 'Field "compute_cap" is not a valid field to query.\n', stderr: '', exitCode: 2 };
      }
      const file = queries ? command.query : args[0] === '-L' ? command.list : command.header;
      const stdout = file === undefined ? '' : await readFile(path.join(folder, file), 'utf8');
      return { stdout, ...ended };
    },
  };
}

function failure(code: string, file: string): Error {
  return Object.assign(new Error(`${code}: ${file}`), { code });
}
