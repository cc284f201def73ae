/** The bundles for VS Code in a browser, with stand-ins for Node's modules and for the files next to the program. */
import { createRequire } from 'node:module';
import path from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { root } from './root.ts';

const require = createRequire(import.meta.url);

const STAND_INS = path.join(root, 'server', 'src', 'browser');

/** The file, or the package, that stands in for each of Node's modules that the checks import. */
const NODE_MODULES: Readonly<Record<string, string>> = {
  'node:buffer': 'buffer',
  'node:crypto': 'crypto',
  'node:fs': 'fs',
  'node:fs/promises': 'fsPromises',
  'node:os': 'os',
  'node:path': 'path-browserify',
  'node:timers/promises': 'timersPromises',
  'node:url': 'url',
  'node:util': 'util',
  'node:v8': 'v8',
  'node:vm': 'vm',
};

/** Modules that are loaded only if there is a checkpoint, which a browser does not read. */
const CHECKPOINTS = /\/checkpoint/;

/** Replaces modules with stand-ins. A Node module without a stand-in fails the build. */
function standingIn(bundled: () => Promise<string>): Plugin {
  return {
    name: 'stand-ins for Node',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^node:/ }, ({ path: module, importer }) => {
        const standIn = NODE_MODULES[module];
        if (standIn === 'path-browserify') return { path: require.resolve(standIn) };
        if (standIn !== undefined) return { path: path.join(STAND_INS, 'node', `${standIn}.ts`) };
        return { errors: [{ text: `${importer} needs ${module}, which a browser does not have.` }] };
      });
      onResolve({ filter: /\/dataFiles\.ts$/ }, () => ({ path: path.join(STAND_INS, 'dataFiles.ts') }));
      onResolve({ filter: /\.ts$/ }, ({ kind, importer, path: imported }) =>
        kind === 'dynamic-import' && (CHECKPOINTS.test(importer) || CHECKPOINTS.test(imported))
          ? { path: path.join(STAND_INS, 'leftOut.ts') }
          : undefined,
      );
      onLoad({ filter: /\/bundledData\.ts$/ }, async () => ({ contents: await bundled() }));
    },
  };
}

/**
 * Bundles that need no other file, because a worker of an extension loads only one. `data` are the catalogues, by name.
 */
export function browserBundles(data: () => Promise<ReadonlyMap<string, unknown>>): readonly BuildOptions[] {
  const bundled = async () => {
    const texts = [...(await data())].map(([name, content]) => [name, JSON.stringify(content)] as const);
    return `export const BUNDLED = ${JSON.stringify(Object.fromEntries(texts))};`;
  };
  const common: BuildOptions = {
    absWorkingDir: root,
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    mainFields: ['module', 'browser', 'main'],
    supported: { 'dynamic-import': false },
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  };
  return [
    {
      ...common,
      entryPoints: ['client/src/webExtension.ts'],
      outfile: 'dist/web/extension.cjs',
      format: 'cjs',
      external: ['vscode'],
    },
    {
      ...common,
      entryPoints: ['server/src/webServer.ts'],
      outfile: 'dist/web/server.js',
      format: 'iife',
      define: { 'import.meta.dirname': '"/"', 'import.meta.filename': '"/"' },
      inject: ['server/src/browser/globals.ts'],
      plugins: [standingIn(bundled)],
    },
  ];
}
