/**
 * Simulates Windows for the sources: loaded with `--import` before the command line or the server. Paths, URLs and the
 * platform are those of Windows, with Node's own `path.win32`; drives are the folders `c`, `d` ... below the folder in
 * PRETEND_DRIVES, with case-insensitive names. Node itself and other packages are not affected.
 */
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { registerHooks } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import url from 'node:url';
import threads, { type WorkerOptions } from 'node:worker_threads';

const DRIVES = process.env.PRETEND_DRIVES ?? '';
const PRETENDED = Symbol.for('pretended');
const HELD = "globalThis.process[Symbol.for('pretended')]";
const SOURCES = new URL('../../server/src/', import.meta.url).href;

/** The real location of a Windows path. A path without a drive belongs to the sources. */
function real(file: string): string {
  const [, drive] = /^([A-Za-z]):\\/.exec(file.replaceAll('/', '\\')) ?? [];
  if (drive === undefined) return file.replaceAll('\\', '/');
  let place = path.posix.join(DRIVES, drive.toLowerCase());
  for (const name of file.slice(3).split(/[\\/]+/)) {
    if (name === '' || name === '.') continue;
    place = path.posix.join(place, nameIn(place, name));
  }
  return place;
}

/** The name as spelled in the folder, found case-insensitively. */
function nameIn(folder: string, name: string): string {
  try {
    const names = fs.readdirSync(folder);
    return names.find((one) => one === name) ?? names.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
  } catch {
    return name;
  }
}

function asOnWindows(place: string): string {
  if (!place.startsWith(`${DRIVES}/`)) return place;
  const [drive = '', ...names] = place.slice(DRIVES.length + 1).split('/');
  return `${drive.toUpperCase()}:\\${names.join('\\')}`;
}

/** A module of file functions that accept Windows paths. */
function translated<T extends object>(module: T): T {
  const functions = Object.entries(module).map(([name, member]) => {
    if (typeof member !== 'function' || /^[A-Z_]/.test(name)) return [name, member];
    const call = (...args: unknown[]) => {
      const paths = /^(rename|link|symlink|copyFile|cp)/.test(name) ? 2 : 1;
      const answer: unknown = member(
        ...args.map((arg, index) => (index < paths && typeof arg === 'string' ? real(arg) : arg)),
      );
      if (!name.startsWith('realpath')) return answer;
      return answer instanceof Promise ? answer.then(asOnWindows) : asOnWindows(String(answer));
    };
    return [name, call];
  });
  return Object.fromEntries(functions);
}

class Worker extends threads.Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(typeof file === 'string' ? real(file) : file, options);
  }
}

const here = asOnWindows(process.cwd());
const resolve = (...ways: string[]) => path.win32.resolve(here, ...ways);
const modules: Readonly<Record<string, object>> = {
  'node:path': {
    ...path.win32,
    resolve,
    relative: (from: string, to: string) => path.win32.relative(resolve(from), resolve(to)),
  },
  'node:fs': translated(fs),
  'node:fs/promises': translated(promises),
  'node:os': { ...os, EOL: '\r\n', homedir: () => 'C:\\Users\\Zoë', tmpdir: () => 'C:\\Windows\\Temp' },
  'node:url': {
    ...url,
    fileURLToPath: (address: string | URL) => url.fileURLToPath(address, { windows: true }),
    pathToFileURL: (file: string) => url.pathToFileURL(resolve(file), { windows: true }),
  },
  'node:worker_threads': { ...threads, Worker },
};
/** Node itself uses the real module to find paths. */
const pretendedProcess = new Proxy(process, {
  get: (target, name) => (name === 'platform' ? 'win32' : name === 'cwd' ? () => here : Reflect.get(target, name)),
});
Object.assign(process, { [PRETENDED]: { modules, process: pretendedProcess } });

registerHooks({
  resolve(specifier, context, next) {
    if (!(specifier in modules) || !context.parentURL?.startsWith(SOURCES)) return next(specifier, context);
    return { url: `pretend:${specifier}`, format: 'module', shortCircuit: true };
  },
  load(address, context, next) {
    if (address.startsWith('pretend:')) return { format: 'module', shortCircuit: true, source: moduleOf(address) };
    const loaded = next(address, context);
    if (!address.startsWith(SOURCES) || !address.endsWith('.ts')) return loaded;
    return { ...loaded, source: `const process = ${HELD}.process;${withoutFirstLine(String(loaded.source))}` };
  },
});

/** The source of a module that exports the simulated module in place of Node's. */
function moduleOf(address: string): string {
  const name = address.slice('pretend:'.length);
  const exported = Object.keys(modules[name] ?? {}).filter((key) => key !== 'default');
  return [
    `const pretended = ${HELD}.modules[${JSON.stringify(name)}];`,
    'export default pretended;',
    ...exported.map((key) => `export const ${key} = pretended[${JSON.stringify(key)}];`),
  ].join('\n');
}

/** A text without the shebang line. */
function withoutFirstLine(source: string): string {
  return source.replace(/^#!.*/, '');
}
