/**
 * Bundles the extension, the language server and the command line into `dist/`. `--watch` builds for development:
 * unminified, with source maps, and again after each change to a source.
 */
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { type BuildOptions, build as bundle, context, type Plugin } from 'esbuild';
import { parse } from 'yaml';
import { browserBundles } from './browserBundles.ts';
import { root } from './root.ts';
import { run } from './run.ts';
import { SHIPPED, shippedPages } from './shippedPages.ts';

const dist = path.join(root, 'dist');

// The bundles are CommonJS, which the extension host loads, so `import.meta.url` is replaced.
const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  // Some packages hide `require` calls in their CommonJS entries from bundlers.
  mainFields: ['module', 'main'],
  define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename', 'import.meta.url': 'moduleUrl' },
  banner: { js: 'var moduleUrl=require("node:url").pathToFileURL(__filename).href;' },
  logLevel: 'warning',
};

/** Excludes a module from the bundle; it is loaded from a bundle of its own on first use. */
function inSeparateBundle(module: string): Plugin {
  return {
    name: 'beside the bundle',
    setup({ onResolve }) {
      onResolve({ filter: new RegExp(`/${module}\\.ts$`) }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: `./${module}.js`, external: true } : undefined,
      );
    },
  };
}

/** Options for webviews, which run in a browser without modules. */
const forPages: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  format: 'iife',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/** Folders whose files are combined into one file beside the bundles, named after the folder. */
const COMBINED_FOLDERS = ['published/packages', 'messages/catalogue'].map((folder) => path.join('server/src', folder));

const REQUIRED_WORDS = 'server/src/messages/requiredWords.json';

/** The keys of a message that only error pages and tests use; they make up an eighth of the catalogue. */
const PAGE_ONLY_KEYS = new Set(['examples']);

/**
 * Writes data as `name` beside the bundles: JSON, compressed more than an archive would. `replacer` is passed to
 * `JSON.stringify`.
 */
async function writePacked(
  name: string,
  data: unknown,
  replacer?: (key: string, value: unknown) => unknown,
): Promise<void> {
  await writeFile(path.join(dist, `${name}.json.br`), brotliCompressSync(JSON.stringify(data, replacer)));
}

/**
 * Reads the catalogues in the sources. Returns them by the names under which they are shipped. All are shipped in one
 * folder, so their names must be distinct.
 */
async function readCatalogues(): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const file of await catalogues()) {
    const catalogue: unknown = parse(await readFile(path.join(root, file), 'utf8'));
    const name = path.basename(file, '.yaml');
    const folder = path.dirname(file);
    if (COMBINED_FOLDERS.includes(folder)) {
      const whole = path.basename(folder);
      found.set(whole, { ...(found.get(whole) as object | undefined), [name]: catalogue });
    } else if (found.has(name)) throw new Error(`Two catalogues are called ${name}.yaml; one of them is ${file}.`);
    else found.set(name, catalogue);
  }
  return found;
}

/** Writes the catalogues beside the bundles as compressed JSON, because parsing YAML dominates the time to read them. */
async function writeCatalogues(): Promise<void> {
  const shipped = (key: string, value: unknown) => (PAGE_ONLY_KEYS.has(key) ? undefined : value);
  const written = [...(await readCatalogues())].map(([name, catalogue]) => writePacked(name, catalogue, shipped));
  await Promise.all(written);
}

/** Returns the data that the bundle for browsers includes: all but the catalogue of errors, which it does not explain. */
async function dataForBrowsers(): Promise<ReadonlyMap<string, unknown>> {
  const data = new Map(await readCatalogues());
  data.delete('catalogue');
  return data.set('rulesPages', shippedPages('rules'));
}

/** True for a source rather than Python's bytecode cache. */
function isSource(file: string): boolean {
  return path.basename(file) !== '__pycache__';
}

/** The options of all bundles; `forPages` are those that run in a browser. */
const bundles: readonly BuildOptions[] = [
  {
    ...common,
    entryPoints: ['client/src/extension.ts'],
    outfile: 'dist/extension.cjs',
    external: ['vscode'],
    plugins: [inSeparateBundle('languageClient')],
    supported: { 'dynamic-import': false },
  },
  {
    ...common,
    entryPoints: ['client/src/languageClient.ts'],
    outfile: 'dist/languageClient.js',
    external: ['vscode'],
  },
  { ...common, entryPoints: ['server/src/server.ts'], outfile: 'dist/server.js' },
  {
    ...common,
    entryPoints: ['server/src/cli.ts'],
    outfile: 'dist/cli.js',
    plugins: [inSeparateBundle('commandLine')],
    supported: { 'dynamic-import': false },
  },
  {
    ...common,
    entryPoints: ['server/src/cli/commandLine.ts'],
    outfile: 'dist/commandLine.js',
    plugins: [inSeparateBundle('mcpServer')],
  },
  { ...common, entryPoints: ['server/src/cli/mcpServer.ts'], outfile: 'dist/mcpServer.js' },
  { ...common, entryPoints: ['server/src/checkpoint/formats/hdf5/hdf5Worker.ts'], outfile: 'dist/hdf5Worker.js' },
  {
    ...forPages,
    entryPoints: ['checkpoint', 'explanation'].flatMap((page) =>
      ['ts', 'css'].map((suffix) => ({ in: `client/webview/${page}.${suffix}`, out: page })),
    ),
    outdir: 'dist/webview',
  },
  ...browserBundles(dataForBrowsers),
];

/** Writes the files that are copied or converted from YAML rather than bundled. */
async function writeData(): Promise<void> {
  await Promise.all([
    // The HDF5 library's license requires a copy.
    copyFile(path.join(root, 'node_modules/h5wasm/LICENSE.txt'), path.join(dist, 'hdf5Worker.LICENSE.txt')),
    writeFile(path.join(dist, 'package.json'), '{ "type": "commonjs" }\n'),
    copyFile(path.join(root, 'server/src/stack/facts/factsSchema.json'), path.join(dist, 'factsSchema.json')),
    writeCatalogues(),
    writePacked('requiredWords', JSON.parse(await readFile(path.join(root, REQUIRED_WORDS), 'utf8'))),
    ...SHIPPED.map((kind) => writePacked(`${kind}Pages`, shippedPages(kind))),
    cp(path.join(root, 'server', 'src', 'stack', 'runtime', 'probe'), path.join(dist, 'probe'), {
      recursive: true,
      filter: isSource,
    }),
  ]);
}

/** Paths from the root. Node 20, on which `prepare.js` runs this, has no globs. */
async function catalogues(): Promise<string[]> {
  const sources = path.join('server', 'src');
  const names = await readdir(path.join(root, sources), { recursive: true });
  return names
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => path.join(sources, name));
}

async function clear(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist);
}

/** Compresses the HDF5 library's worker. The highest level would take 15 times as long to save another eighth. */
async function packHdf5(): Promise<void> {
  const program = path.join(dist, 'hdf5Worker.js');
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  await writeFile(`${program}.br`, brotliCompressSync(await readFile(program), { params }));
  await rm(program);
}

/** Builds a bundle and returns the paths of its input files, relative to the root. */
async function inputsOf(options: BuildOptions): Promise<readonly string[]> {
  const { metafile } = await bundle({ ...options, metafile: true });
  return Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
}

/** Writes the licenses of the bundled packages; most of them require a copy with the code. */
async function writeNotices(inputs: ReadonlySet<string>): Promise<void> {
  const folders = [...inputs].flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const notices = [...new Set(folders)].sort().map(async (folder) => {
    const { name, version, license } = JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8'));
    const files = await readdir(path.join(root, folder));
    const texts = files.filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file)).sort();
    const contents = texts.map((file) => readFile(path.join(root, folder, file), 'utf8'));
    return [`${name} ${version} (${license})`, ...(await Promise.all(contents))]
      .map((text) => text.trim())
      .join('\n\n');
  });
  await writeFile(path.join(dist, 'ThirdPartyNotices.txt'), `${(await Promise.all(notices)).join(SEPARATOR)}\n`);
}

const SEPARATOR = `\n\n${'-'.repeat(80)}\n\n`;

/** Builds for release. */
export async function build(): Promise<void> {
  await clear();
  const [inputs] = await Promise.all([Promise.all(bundles.map(inputsOf)), writeData()]);
  await writeNotices(new Set(inputs.flat()));
  await packHdf5();
}

/**
 * Builds for development and again after each change, until the process ends. The editor's task waits for the messages
 * printed here.
 */
async function watch(): Promise<void> {
  await clear();
  await writeData();
  const contexts = await Promise.all(
    bundles.map((options) => context({ ...options, minify: false, sourcemap: true, logLevel: 'info' })),
  );
  console.log('Build started.');
  await Promise.all(contexts.map((one) => one.rebuild()));
  await Promise.all(contexts.map((one) => one.watch()));
  console.log('Build finished, watching.');
}

if (import.meta.main) await run(process.argv.includes('--watch') ? watch : build);
