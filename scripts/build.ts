/** Bundles the extension, the language server and the command line into `dist/`. */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type BuildOptions, build as bundle } from 'esbuild';
import { root } from './root.ts';
import { run } from './run.ts';

const require = createRequire(import.meta.url);
const dist = path.join(root, 'dist');

// The bundles are CommonJS, which the extension host loads; modules that ask where they lie are answered in its terms.
const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  // Some packages' CommonJS entries hide from a bundler what they require.
  mainFields: ['module', 'main'],
  alias: { 'web-tree-sitter': require.resolve('web-tree-sitter') },
  define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename', 'import.meta.url': 'moduleUrl' },
  banner: { js: 'var moduleUrl=require("node:url").pathToFileURL(__filename).href;' },
  logLevel: 'warning',
};

export async function build(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist);
  await Promise.all([
    bundle({
      ...common,
      entryPoints: ['client/src/extension.ts'],
      outfile: 'dist/extension.cjs',
      external: ['vscode'],
    }),
    bundle({ ...common, entryPoints: ['server/src/server.ts'], outfile: 'dist/server.js' }),
    bundle({ ...common, entryPoints: ['server/src/cli.ts'], outfile: 'dist/cli.js' }),
    writeFile(path.join(dist, 'package.json'), '{ "type": "commonjs" }\n'),
    ...['web-tree-sitter/web-tree-sitter.wasm', 'tree-sitter-python/tree-sitter-python.wasm'].map((file) =>
      copyFile(require.resolve(file), path.join(dist, path.basename(file))),
    ),
  ]);
}

if (import.meta.main) await run(build);
