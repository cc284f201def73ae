/** Programs that npm cannot install: found on the PATH, else installed where that needs nobody's leave. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { execa, execaSync } from 'execa';

/** A program by the names that it goes by, or modules of the system's Python, and the Debian package that has it. */
export interface SystemPackage {
  readonly commands: readonly string[];
  readonly modules?: readonly string[];
  readonly debian: string;
}

export const CHROMIUM: SystemPackage = {
  commands: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  debian: 'chromium',
};

/** What building the workbench's native modules takes. */
export const BUILD_TOOLS: readonly SystemPackage[] = [
  { commands: ['make'], debian: 'make' },
  { commands: ['g++', 'clang++'], debian: 'g++' },
  { commands: ['python3'], debian: 'python3' },
  { commands: ['krb5-config'], debian: 'libkrb5-dev' },
];

/** The full path of the first of the commands that is on the PATH. */
export function findCommand(...commands: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return commands.flatMap((command) => folders.map((folder) => path.join(folder, command))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether packages can be installed unasked: on Debian and its kin, by root. */
export function canInstall(): boolean {
  return process.getuid?.() === 0 && findCommand('apt-get') !== undefined;
}

function isPresent({ commands, modules = [] }: SystemPackage): boolean {
  if (commands.length > 0 && !findCommand(...commands)) return false;
  const question = modules.map((module) => `assert importlib.util.find_spec("${module}")`).join('; ');
  return (
    modules.length === 0 ||
    !execaSync('/usr/bin/python3', ['-c', `import importlib.util; ${question}`], { reject: false }).failed
  );
}

/**
 * Installs the packages that are missing on Debian and its kin when run by root.
 * @throws an error whose message says what to install, where that is not possible.
 */
export async function ensureSystemPackages(wanted: readonly SystemPackage[], purpose: string): Promise<void> {
  const absent = () => wanted.filter((one) => !isPresent(one)).map(({ debian }) => debian);
  const missing = absent();
  if (missing.length === 0) return;
  if (canInstall()) {
    console.log(`Installing ${missing.join(' ')} for ${purpose} ...`);
    const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, reject: false, all: true } as const;
    await execa('apt-get', ['update'], options);
    const { all } = await execa('apt-get', ['install', '--yes', '--no-install-recommends', ...missing], options);
    if (absent().length === 0) return;
    console.error(all);
  }
  throw new Error(
    `For ${purpose}, install ${missing.join(', ')}; on Debian and Ubuntu: \`sudo apt-get install ${missing.join(' ')}\`.`,
  );
}
