import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../scripts/root.ts';
import { loadRecording } from '../stack/recordedMachine.ts';

/** Another machine's GPU and Python, brought into a project's folder and onto the PATH of this machine. */
export interface PretendedMachine {
  /** Its files of the project's folder: the virtual environment. */
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  forget(): Promise<void>;
}

/** Plays back the recording of that name from `test/stack/machines/`: its project's files, and its `nvidia-smi`. */
export async function pretendMachine(name: string): Promise<PretendedMachine> {
  const folder = path.join(root, 'test', 'stack', 'machines', name);
  const { folders: [project = ''] = [], files = {}, commands = {} } = await loadRecording(folder);
  const programs = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-programs-'));
  for (const [command, { query = '', header = '' }] of Object.entries(commands)) {
    const program = path.join(programs, path.posix.basename(command));
    const print = (file: string) => `cat '${path.join(folder, file)}'`;
    await writeFile(program, `#!/bin/sh\ncase "$1" in --query-gpu*) ${print(query)} ;; *) ${print(header)} ;; esac\n`);
    await chmod(program, 0o755);
  }
  const own = Object.entries(files).filter(([file]) => file.startsWith(`${project}/`));
  return {
    files: Object.fromEntries(own.map(([file, text]) => [path.posix.relative(project, file), text ?? ''])),
    env: { PATH: [programs, process.env.PATH].join(path.delimiter) },
    forget: () => rm(programs, { recursive: true, force: true }),
  };
}
