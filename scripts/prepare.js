/**
 * Builds with the Node that npm runs on, from 20 on. If the package is installed from Git, as pre-commit does, npm
 * omits the build's dependencies for global packages and runs no package scripts. They are then installed here, and the
 * project's own Node is not available.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.dirname(import.meta.dirname);

if (!existsSync(path.join(root, 'node_modules', 'esbuild'))) {
  const { npm_execpath: npm = '', npm_config_global: _, ...env } = process.env;
  const { status } = spawnSync(process.execPath, [npm, 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

const { build } = await import('esbuild');
const script = path.join(import.meta.dirname, 'build.ts');
// In the same folder, because the script resolves paths from its own location.
const plain = path.join(import.meta.dirname, '.build.mjs');
await build({
  entryPoints: [script],
  outfile: plain,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
});
try {
  const { build: buildAll } = await import(pathToFileURL(plain).href);
  await buildAll();
} finally {
  await rm(plain);
}
