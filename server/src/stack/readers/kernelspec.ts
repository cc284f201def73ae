import { environmentVariable, listIfThere, type Machine, readTextIfThere } from '../machine/machine.ts';

/**
 * The program that a Jupyter kernel starts, if its specification has a full path; undefined otherwise. The names
 * "python" and "python3" mean the Python in which Jupyter itself runs, so they identify nothing.
 *
 * Sources: https://docs.jupyter.org/en/latest/use/jupyter-directories.html for the folders and their order,
 * https://jupyter-client.readthedocs.io/en/stable/kernels.html for the file and for names without case.
 */
export async function pythonOfKernel(machine: Machine, kernel: string): Promise<string | undefined> {
  if (/^python\d?$/i.test(kernel)) return undefined;
  for (const folder of dataFolders(machine)) {
    const kernels = machine.path.join(folder, 'kernels');
    const names = await listIfThere(machine, kernels);
    const name = names.find((each) => each.toLowerCase() === kernel.toLowerCase());
    if (name === undefined) continue;
    const text = await readTextIfThere(machine, machine.path.join(kernels, name, 'kernel.json')).catch(() => undefined);
    const program = text === undefined ? undefined : programOf(text);
    // The first kernel of a name hides the others.
    return program !== undefined && machine.path.isAbsolute(program) ? program : undefined;
  }
  return undefined;
}

/** The folders where Jupyter searches for kernels, except the environment in which it runs, which is unknown. */
function dataFolders(machine: Machine): string[] {
  const { home, platform, path } = machine;
  const variable = (name: string) => environmentVariable(machine, name) || undefined;
  const listed = (variable('JUPYTER_PATH') ?? '').split(path.delimiter);
  const own = {
    darwin: () => path.join(home, 'Library', 'Jupyter'),
    win32: () => path.join(variable('APPDATA') ?? path.join(home, 'AppData', 'Roaming'), 'jupyter'),
    other: () => path.join(variable('XDG_DATA_HOME') ?? path.join(home, '.local', 'share'), 'jupyter'),
  };
  const ofUser = platform === 'darwin' || platform === 'win32' ? own[platform] : own.other;
  const ofSystem =
    platform === 'win32'
      ? [path.join(variable('PROGRAMDATA') ?? 'C:\\ProgramData', 'jupyter')]
      : ['/usr/local/share/jupyter', '/usr/share/jupyter'];
  return [...listed, variable('JUPYTER_DATA_DIR') ?? ofUser(), ...ofSystem].filter((each) => path.isAbsolute(each));
}

function programOf(specification: string): string | undefined {
  try {
    const program: unknown = JSON.parse(specification)?.argv?.[0];
    return typeof program === 'string' ? program : undefined;
  } catch {
    return undefined;
  }
}
