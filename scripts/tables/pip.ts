/** PyPI's metadata for published wheels, queried through pip. Metadata never change, so they are cached forever. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { ExecaError, execa } from 'execa';
import type { IndexFile } from './wheelNames.ts';

const cache = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'gpu-doctor', 'tables');

/** The Python versions for which wheels are queried; older rows of the tables remain. */
const PYTHONS = ['3.8', '3.9', '3.10', '3.11', '3.12', '3.13', '3.14', '3.15', '3.16'];

const MANYLINUX_TAGS = [5, 12, 17, 24, 27, 28, 31, 34, 35, 39];

/** Platform options that make pip select wheels for Linux on a processor. */
function platform(processor: string): string[] {
  const named = processor === 'x86_64' ? ['manylinux1', 'manylinux2010', 'manylinux2014'] : ['manylinux2014'];
  const tags = [...named, ...MANYLINUX_TAGS.map((level) => `manylinux_2_${level}`)].map((tag) => `${tag}_${processor}`);
  return ['--only-binary=:all:', ...tags.flatMap((tag) => ['--platform', tag])];
}

/** Returns a package's releases with Linux wheels, each with its Python versions; cached for a day. */
export async function releasesOf(name: string, processor = 'x86_64'): Promise<Map<string, string[]>> {
  const file = path.join(cache, `${name}-${processor}-${new Date().toISOString().slice(0, 10)}.json`);
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known !== undefined) return new Map(JSON.parse(known) as [string, string[]][]);
  const releases = new Map<string, string[]>();
  for (const python of PYTHONS) {
    const { stdout } = await execa(
      'python3',
      ['-m', 'pip', 'index', 'versions', name, '--python-version', python, ...platform(processor)],
      { reject: false, timeout: 120_000 },
    );
    const versions = stdout.match(/^Available versions: (.*)$/m)?.[1]?.split(', ') ?? [];
    for (const version of versions) releases.set(version, [...(releases.get(version) ?? []), python]);
  }
  await mkdir(cache, { recursive: true });
  await writeFile(file, JSON.stringify([...releases]));
  return releases;
}

/** Returns the files of packages in the index. */
export async function filesOf(names: readonly string[]): Promise<Readonly<Record<string, readonly IndexFile[]>>> {
  const script = path.join(import.meta.dirname, 'files.py');
  const { stdout } = await execa('python3', [script, ...names], { timeout: 600_000 });
  return JSON.parse(stdout) as Record<string, IndexFile[]>;
}

/** A release, and a Python version for which it has a wheel. */
export interface Release {
  readonly name: string;
  readonly version: string;
  readonly python: string;
}

/** A wheel's requirements as written: 'nvidia-cudnn-cu12==9.1.0.70; platform_system == "Linux"'. */
export type Requirements = readonly string[];

/**
 * Returns the requirements of each release, by "name==version". Pip reads a wheel's metadata without downloading it.
 * Releases that pip lists but cannot install, because all of their files are sources, are left out with a message.
 */
export async function requirementsOf(releases: readonly Release[]): Promise<Map<string, Requirements>> {
  await mkdir(cache, { recursive: true });
  const missing = releases.filter((release) => !existsSync(fileOf(release)));
  for (const batch of batches(missing)) await queryEach(batch);
  const read = releases
    .filter((release) => existsSync(fileOf(release)))
    .map(async (release): Promise<[string, Requirements]> => {
      const text = await readFile(fileOf(release), 'utf8');
      return [`${release.name}==${release.version}`, JSON.parse(text) as Requirements];
    });
  return new Map(await Promise.all(read));
}

function fileOf({ name, version }: Release): string {
  return path.join(cache, `${name}-${version}.json`);
}

/** Pip accepts many packages at once, but only one release of each and one Python. */
function batches(releases: readonly Release[]): Release[][] {
  const all: Release[][] = [];
  for (const release of releases) {
    const free = all.find(
      (batch) =>
        batch.length < 20 && batch.every(({ name, python }) => name !== release.name && python === release.python),
    );
    if (free === undefined) all.push([release]);
    else free.push(release);
  }
  return all;
}

interface Report {
  install: { metadata: { name: string; version: string; requires_dist?: string[] } }[];
}

/** Queries a batch, or its releases one by one if pip rejects one of them. */
async function queryEach(batch: readonly Release[]): Promise<void> {
  try {
    await query(batch);
  } catch (error) {
    if (batch.length > 1) for (const release of batch) await queryEach([release]);
    else for (const { name, version } of batch) console.warn(`${name} ${version} is left out: ${errorOf(error)}`);
  }
}

/** Pip's own error, without its warnings. */
function errorOf(error: unknown): string {
  const text = error instanceof ExecaError ? String(error.stderr) : String(error);
  return /^ERROR: (.*)$/m.exec(text)?.[1] ?? text;
}

async function query(batch: readonly Release[]): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tables-'));
  const report = path.join(folder, 'report.json');
  const python = batch[0]?.python ?? '';
  await execa('python3', [
    ...['-m', 'pip', 'install', '--quiet', '--dry-run', '--no-deps', '--ignore-installed', '--use-feature=fast-deps'],
    ...['--report', report, '--target', folder, '--python-version', python, ...platform('x86_64')],
    ...batch.map(({ name, version }) => `${name}==${version}`),
  ]);
  const { install } = JSON.parse(await readFile(report, 'utf8')) as Report;
  for (const release of batch) {
    const metadata = install.find((each) => normalized(each.metadata.name) === release.name)?.metadata;
    if (metadata === undefined) throw new Error(`pip reported nothing for ${release.name}`);
    await writeFile(fileOf(release), JSON.stringify(metadata.requires_dist ?? []));
  }
  await rm(folder, { recursive: true });
}

function normalized(name: string): string {
  return name.toLowerCase().replaceAll(/[._]+/g, '-');
}
