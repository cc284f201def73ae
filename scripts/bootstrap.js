/**
 * `node scripts/bootstrap.js SCRIPT ARGUMENT...` installs what `package-lock.json` locks, only if something of it is
 * missing, and goes on with SCRIPT under the Node that is installed with it. It runs on a fresh clone with any Node from
 * 20 on, so it imports no package and is no TypeScript.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const bin = path.join(root, 'node_modules', '.bin');
const node = path.join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

const packagesOf = (lockFile) => JSON.parse(readFileSync(path.join(root, lockFile), 'utf8')).packages;

/** Whether all locked packages are there. npm writes its own record of them last, so a cut-off installation has none. */
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
  console.log('Installing what package-lock.json locks ...');
  // npm says by which file it was started; errors only, because older systems' Node is not what the tools will run on.
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm ? [process.execPath, npm] : ['npm'];
  const { status } = spawnSync(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: !npm && process.platform === 'win32',
  });
  if (status !== 0 || !existsSync(node)) {
    console.error('The packages could not be installed: `npm ci` failed, see above.');
    process.exit(1);
  }
}

if (!isInstalled()) install();

const [script, ...rest] = process.argv.slice(2);
const child = spawn(node, [path.join(root, script), ...rest], {
  stdio: 'inherit',
  env: { ...process.env, PATH: [bin, process.env.PATH].join(path.delimiter) },
});
// What asks this process to end asks the script, which ends what it has started; this process waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// npm, when it is asked, ends only the shell that it has started this process by.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && child.kill(), 1000).unref();
child.on('exit', (status, signal) => process.exit(status ?? (signal ? 1 : 0)));
