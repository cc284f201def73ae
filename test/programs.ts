/**
 * The programs under test: the bundles that users run if the scripts have just built them, and otherwise the sources,
 * which take three times as long to start.
 */
import path from 'node:path';

const bundles = process.env.GPU_DOCTOR_BUNDLES;
const sources = path.join(import.meta.dirname, '..', 'server', 'src');

/** The command line and the language server as sources, for tests that change their view of the machine. */
export const SOURCES = { cli: path.join(sources, 'cli.ts'), server: path.join(sources, 'server.ts') };

export const CLI = bundles === undefined ? SOURCES.cli : path.join(bundles, 'cli.js');
export const SERVER = bundles === undefined ? SOURCES.server : path.join(bundles, 'server.js');
