/**
 * `node scripts/bootstrap.js SCRIPT ARGUMENT...` installs the packages of `package-lock.json` if any is missing, and
 * then runs SCRIPT under the Node that is among them. It must run on a fresh clone with any Node from 20 on, so it
 * imports no package and is not TypeScript.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const bin = path.join(root, 'node_modules', '.bin');
const node = path.join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

const packagesOf = (lockFile) => JSON.parse(readFileSync(path.join(root, lockFile), 'utf8')).packages;

/**
 * True if all locked packages are installed. npm writes its own record of them last, so an interrupted installation has
 * none.
 */
function isInstalled() {
  const record = 'node_modules/.package-lock.json';
  if (!existsSync(node) || !existsSync(path.join(root, record))) return false;
  const installed = packagesOf(record);
  return Object.entries(packagesOf('package-lock.json')).every(([folder, locked]) =>
    folder in installed
      ? installed[folder].version === locked.version && existsSync(path.join(root, folder))
      : folder === '' || locked.optional || locked.devOptional,
  );
}

function install() {
  console.log('Installing the packages in package-lock.json ...');
  // `npm_execpath` is npm's own entry. Only errors are shown: warnings about an old system Node do not matter here.
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm ? [process.execPath, npm] : ['npm'];
  const { status } = spawnSync(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: !npm && process.platform === 'win32',
  });
  if (status !== 0 || !existsSync(node)) {
    console.error('`npm ci` failed (see above).');
    process.exit(1);
  }
}

if (!isInstalled()) install();

const [script, ...rest] = process.argv.slice(2);
const child = spawn(node, [path.join(root, script), ...rest], {
  stdio: 'inherit',
  env: { ...process.env, PATH: [bin, process.env.PATH].join(path.delimiter) },
});
// Termination signals are forwarded to the script, which ends its child processes; this process waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// On a signal, npm ends only the shell in which it started this process.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && child.kill(), 1000).unref();
child.on('exit', (status, signal) => process.exit(status ?? (signal ? 1 : 0)));
