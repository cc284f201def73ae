/** Programs that npm cannot install: found on the PATH, or installed if no password is needed. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { execa, execaSync } from 'execa';

/** A program by its possible names, or modules of the system's Python, and the Debian package that contains it. */
export interface SystemPackage {
  readonly commands: readonly string[];
  readonly modules?: readonly string[];
  readonly debian: string;
}

export const CHROMIUM: SystemPackage = {
  commands: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  debian: 'chromium',
};

/** Packages needed to build the workbench's native modules. */
export const BUILD_TOOLS: readonly SystemPackage[] = [
  { commands: ['make'], debian: 'make' },
  { commands: ['g++', 'clang++'], debian: 'g++' },
  { commands: ['python3'], debian: 'python3' },
  { commands: ['krb5-config'], debian: 'libkrb5-dev' },
];

/** Returns the full path of the first of the commands that is on the PATH. */
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

/** True if packages can be installed without asking: as root on Debian and its derivatives. */
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
 * Installs missing packages as root on Debian and its derivatives.
 * @throws an error whose message names the packages to install, if that is impossible.
 */
export async function ensureSystemPackages(wanted: readonly SystemPackage[], purpose: string): Promise<void> {
  const missingPackages = () => wanted.filter((one) => !isPresent(one)).map(({ debian }) => debian);
  const missing = missingPackages();
  if (missing.length === 0) return;
  if (canInstall()) {
    console.log(`Installing ${missing.join(' ')} for ${purpose} ...`);
    const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, reject: false, all: true } as const;
    await execa('apt-get', ['update'], options);
    const { all } = await execa('apt-get', ['install', '--yes', '--no-install-recommends', ...missing], options);
    if (missingPackages().length === 0) return;
    console.error(all);
  }
  throw new Error(
    `Missing for ${purpose}: ${missing.join(', ')}. On Debian and Ubuntu: \`sudo apt-get install ${missing.join(' ')}\`.`,
  );
}
