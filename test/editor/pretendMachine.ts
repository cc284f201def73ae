import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../scripts/root.ts';
import { parseRow } from '../../server/src/stack/readers/nvidiaSmi.ts';
import { loadRecording } from '../stack/recordedMachine.ts';

/**
 * The first folder on the PATH of each editor. A simulated machine's programs are there while it exists; an
 * `nvidia-smi` that keeps running writes its process id into the file `pids` there.
 */
export const programs = path.join(tmpdir(), `gpu-doctor-programs-${randomUUID()}`);

/** Another machine's GPU and Python, in a project's folder and on the PATH. There is one at a time. */
export interface PretendedMachine {
  /** Its files in the project's folder: the virtual environment. */
  readonly files: Readonly<Record<string, string>>;
  /** Variables with its programs on the PATH, for processes without an editor. */
  readonly env: Readonly<Record<string, string>>;
  /** Replaces its `nvidia-smi` with a shell script, which finds the folder above in `$HERE`. */
  replaceNvidiaSmi(script: string): Promise<void>;
  forget(): Promise<void>;
}

/** Replays the recording of that name in `test/stack/machines/`: its project's files and its `nvidia-smi`. */
export async function pretendMachine(name: string): Promise<PretendedMachine> {
  const folder = path.join(root, 'test', 'stack', 'machines', name);
  const { folders: [project = ''] = [], files = {}, commands = {} } = await loadRecording(folder);
  await mkdir(programs, { recursive: true });
  const install = async (program: string, script: string) => {
    const file = path.join(programs, program);
    await writeFile(`${file}.new`, `#!/bin/sh\nHERE='${programs}'\n${script}\n`);
    await chmod(`${file}.new`, 0o755);
    await rename(`${file}.new`, file);
  };
  for (const [command, { query, header, exitCode = 0 }] of Object.entries(commands)) {
    const print = async (file: string | undefined) =>
      file === undefined ? '' : await readFile(path.join(folder, file), 'utf8');
    await install(path.posix.basename(command), playBack(await print(query), await print(header), exitCode));
  }
  const own = Object.entries(files).filter(([file]) => file.startsWith(`${project}/`));
  return {
    files: Object.fromEntries(own.map(([file, text]) => [path.posix.relative(project, file), text ?? ''])),
    env: { PATH: [programs, process.env.PATH].join(path.delimiter) },
    replaceNvidiaSmi: (script) => install('nvidia-smi', script),
    forget: () => rm(programs, { recursive: true, force: true }),
  };
}

/**
 * An nvidia-smi as a shell script. While it runs, its GPUs' load rises by 7 % and their memory by 1 GiB each second.
 */
function playBack(query: string, header: string, exitCode: number): string {
  const gpus = query.split('\n').flatMap((line) => parseRow(line)?.gpu ?? []);
  const load = gpus.map(
    ({ index, uuid, memoryTotal }) =>
      `  echo "${index}, ${uuid}, $(((second % 16 + 1) * 1024)), ${memoryTotal}, $((second * 7 % 101))"`,
  );
  return [
    'case "$*" in',
    '*--loop*) echo $$ >> $HERE/pids; second=1; while :; do',
    ...load,
    '  sleep 1; second=$((second + 1)); done ;;',
    // Each GPU has one process.
    `*--query-compute-apps*) ${gpus.map(({ uuid }) => `echo "${uuid}, 4711, /usr/bin/python3, 3072"`).join('; ') || ':'} ;;`,
    `*--query-gpu*) cat <<'END'\n${query.trimEnd()}\nEND\n;;`,
    `*) cat <<'END'\n${header.trimEnd()}\nEND\n;;`,
    `esac; exit ${exitCode}`,
  ].join('\n');
}
