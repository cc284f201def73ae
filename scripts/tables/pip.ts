/** What PyPI says of published wheels, asked through pip. Metadata never change, so what was read once is kept. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import type { IndexFile } from './wheelNames.ts';

const cache = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'gpu-doctor', 'tables');

/** The Pythons whose wheels are asked for; older rows of the tables stay as they are. */
const PYTHONS = ['3.8', '3.9', '3.10', '3.11', '3.12', '3.13', '3.14', '3.15', '3.16'];

const LEVELS = [5, 12, 17, 24, 27, 28, 31, 34, 35, 39];

/** What pip takes on Linux for that processor. */
function platform(processor: string): string[] {
  const named = processor === 'x86_64' ? ['manylinux1', 'manylinux2010', 'manylinux2014'] : ['manylinux2014'];
  const tags = [...named, ...LEVELS.map((level) => `manylinux_2_${level}`)].map((tag) => `${tag}_${processor}`);
  return ['--only-binary=:all:', ...tags.flatMap((tag) => ['--platform', tag])];
}

/** A package's releases with wheels for Linux, each with the Pythons that it has them for; asked once a day. */
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

/** The files that the index has of packages. */
export async function filesOf(names: readonly string[]): Promise<Readonly<Record<string, readonly IndexFile[]>>> {
  const script = path.join(import.meta.dirname, 'files.py');
  const { stdout } = await execa('python3', [script, ...names], { timeout: 600_000 });
  return JSON.parse(stdout) as Record<string, IndexFile[]>;
}

/** A release, and a Python that it has a wheel for. */
export interface Release {
  readonly name: string;
  readonly version: string;
  readonly python: string;
}

/** What a wheel requires, as it says it: 'nvidia-cudnn-cu12==9.1.0.70; platform_system == "Linux"'. */
export type Requirements = readonly string[];

/** What each of the releases requires, by "name==version". Pip reads a wheel's metadata without the wheel. */
export async function requirementsOf(releases: readonly Release[]): Promise<Map<string, Requirements>> {
  await mkdir(cache, { recursive: true });
  const missing = releases.filter((release) => !existsSync(fileOf(release)));
  for (const round of rounds(missing)) await ask(round);
  const read = releases.map(async (release): Promise<[string, Requirements]> => {
    const text = await readFile(fileOf(release), 'utf8');
    return [`${release.name}==${release.version}`, JSON.parse(text) as Requirements];
  });
  return new Map(await Promise.all(read));
}

function fileOf({ name, version }: Release): string {
  return path.join(cache, `${name}-${version}.json`);
}

/** Pip takes many packages at once, but one release of each, and one Python. */
function rounds(releases: readonly Release[]): Release[][] {
  const all: Release[][] = [];
  for (const release of releases) {
    const free = all.find(
      (round) =>
        round.length < 20 && round.every(({ name, python }) => name !== release.name && python === release.python),
    );
    if (free === undefined) all.push([release]);
    else free.push(release);
  }
  return all;
}

interface Report {
  install: { metadata: { name: string; version: string; requires_dist?: string[] } }[];
}

async function ask(round: readonly Release[]): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tables-'));
  const report = path.join(folder, 'report.json');
  const python = round[0]?.python ?? '';
  await execa('python3', [
    ...['-m', 'pip', 'install', '--quiet', '--dry-run', '--no-deps', '--ignore-installed', '--use-feature=fast-deps'],
    ...['--report', report, '--target', folder, '--python-version', python, ...platform('x86_64')],
    ...round.map(({ name, version }) => `${name}==${version}`),
  ]);
  const { install } = JSON.parse(await readFile(report, 'utf8')) as Report;
  for (const [at, release] of round.entries()) {
    const metadata = install.find((each) => normalized(each.metadata.name) === release.name)?.metadata;
    if (metadata === undefined) throw new Error(`pip says nothing of ${round[at]?.name}`);
    await writeFile(fileOf(release), JSON.stringify(metadata.requires_dist ?? []));
  }
  await rm(folder, { recursive: true });
}

function normalized(name: string): string {
  return name.toLowerCase().replaceAll(/[._]+/g, '-');
}
