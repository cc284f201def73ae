import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../scripts/root.ts';
import { parseRow } from '../../server/src/stack/readers/nvidiaSmi.ts';
import { loadRecording } from '../stack/recordedMachine.ts';

/**
 * The first folder on the PATH of each editor. The programs of a machine lie there for as long as it is pretended; an
 * `nvidia-smi` that runs on writes its process number into the file `pids` there.
 */
export const programs = path.join(tmpdir(), `gpu-doctor-programs-${randomUUID()}`);

/** Another machine's GPU and Python, brought into a project's folder and onto the PATH; there is one at a time. */
export interface PretendedMachine {
  /** Its files of the project's folder: the virtual environment. */
  readonly files: Readonly<Record<string, string>>;
  /** With them on the PATH, for what is started without an editor. */
  readonly env: Readonly<Record<string, string>>;
  /** Has its `nvidia-smi` do something else from now on: a shell script, which finds the folder above in `$HERE`. */
  replaceNvidiaSmi(script: string): Promise<void>;
  forget(): Promise<void>;
}

/** Plays back the recording of that name from `test/stack/machines/`: its project's files, and its `nvidia-smi`. */
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

/** An nvidia-smi as a shell script. The GPUs of one that runs on grow busier by 7 % a second, and fuller by 1 GiB. */
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
    // One process computes on each of them.
    `*--query-compute-apps*) ${gpus.map(({ uuid }) => `echo "${uuid}, 4711, /usr/bin/python3, 3072"`).join('; ') || ':'} ;;`,
    `*--query-gpu*) cat <<'END'\n${query.trimEnd()}\nEND\n;;`,
    `*) cat <<'END'\n${header.trimEnd()}\nEND\n;;`,
    `esac; exit ${exitCode}`,
  ].join('\n');
}
