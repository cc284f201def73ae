/**
 * Compares the release tables with PyPI's wheel metadata and adds new rows: `npm run tables`, run by hand because it
 * needs the network. Data that metadata lack, such as GPU code, stay as written.
 */

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { satisfies, validRange } from '@renovatebot/pep440';
import { type Document, parseDocument } from 'yaml';
import { knownPackage, packagesWith } from '../../server/src/published/knownPackages.ts';
import { minorOf } from '../../server/src/published/versions.ts';
import { root } from '../root.ts';
import { run } from '../run.ts';
import {
  exactVersion,
  newestOfMinors,
  type RequiredPackage,
  readRequired,
  sortedFinals,
  versionRanges,
} from './metadata.ts';
import { filesOf, type Release, releasesOf, requirementsOf } from './pip.ts';
import { wheelRows } from './wheelNames.ts';

const RELEASES = 'server/src/published/releases';
const PACKAGES = 'server/src/published/packages';

/** A release with its metadata. */
interface PublishedRelease {
  version: string;
  pythons: string[];
  requires: RequiredPackage[];
}

/** Returns the releases of a package, oldest first: all, or the newest of each minor version. */
async function fetchReleases(name: string, which: 'all' | 'newest' = 'all'): Promise<PublishedRelease[]> {
  const pythonsOf = await releasesOf(name);
  const all = sortedFinals(pythonsOf.keys());
  const versions = which === 'all' ? all : newestOfMinors(all);
  const releases = versions.map((version) => ({ name, version, python: pythonsOf.get(version)?.at(-1) ?? '' }));
  const answers = await requirementsOf(releases);
  console.log(`${name}: ${versions.length} releases`);
  const readable = versions.filter((version) => answers.has(`${name}==${version}`));
  return readable.map((version) => ({
    version,
    pythons: pythonsOf.get(version) ?? [],
    requires: (answers.get(`${name}==${version}`) ?? []).map(readRequired),
  }));
}

const rangeOf = ({ pythons }: PublishedRelease): [string, string] => [pythons[0] ?? '', pythons.at(-1) ?? ''];

/** Updates a table in place, keeping its comments, and sets the current month. */
async function update(file: string, change: (table: Document) => void): Promise<void> {
  const where = path.join(root, file);
  const table = parseDocument(await readFile(where, 'utf8'));
  const before: unknown = table.toJS();
  change(table);
  if (isDeepStrictEqual(table.toJS(), before)) return;
  table.set('as_of', new Date().toISOString().slice(0, 7));
  const written = table.toString({ lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' });
  // People also write to the files of packages, and put no spaces inside brackets.
  await writeFile(where, file.startsWith(PACKAGES) ? written.replaceAll(/\[ ([^[\]"]*) \]/g, '[$1]') : written);
  console.log(`wrote ${file}`);
}

/** Merges rows into the list under a key: a new row replaces the old one with the same first field. */
function setRows(
  table: Document,
  key: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  order: 'old' | 'new',
): void {
  const field = Object.keys(rows[0] ?? {})[0] ?? '';
  const known = ((table.toJS() as Record<string, Record<string, unknown>[]>)[key] ?? []).filter(
    (row) => !rows.some((each) => each[field] === row[field]),
  );
  const sorted = [...known, ...rows].sort((left, right) =>
    String(left[field]).localeCompare(String(right[field]), 'en', { numeric: true }),
  );
  write(table, key, order === 'old' ? sorted : sorted.reverse());
}

function write(table: Document, key: string, rows: readonly Readonly<Record<string, unknown>>[]): void {
  table.set(key, table.createNode(rows.map((row) => flow(table, row))));
}

function flow(table: Document, row: Readonly<Record<string, unknown>>): unknown {
  return table.createNode(row, { flow: true });
}

/** The NVIDIA wheels and the Triton that PyPI's torch requires, and the companion packages released with it. */
async function torch(): Promise<void> {
  const torches = (await fetchReleases('torch')).filter(({ requires }) =>
    requires.some(({ name }) => name.startsWith('nvidia-')),
  );
  const wheels = torches.map(({ version, requires }) => ({
    torch: version,
    triton: requires.find(({ name }) => name === 'triton')?.specifier.replace(/^(==|~=)/, '') ?? null,
    wheels: Object.fromEntries(
      requires.flatMap((each) => {
        const exact = /^(nvidia-|cuda-toolkit)/.test(each.name) ? exactVersion(each) : undefined;
        return exact === undefined ? [] : [[each.name, exact]];
      }),
    ),
  }));
  await update(`${RELEASES}/torchWheels.yaml`, (table) => setRows(table, 'releases', wheels, 'old'));
  const [torchvision, torchaudio] = await Promise.all([fetchReleases('torchvision'), fetchReleases('torchaudio')]);
  const versions = torches.map(({ version }) => version);
  await update(`${RELEASES}/torchCompanions.yaml`, (table) => {
    const rows = (table.toJS() as { releases: { torch: string; torchvision: string[]; torchaudio: string[] }[] })
      .releases;
    const found = versions.map((version) => {
      const row = rows.find((each) => each.torch === version);
      return {
        torch: version,
        torchvision: union(row?.torchvision, companionsFor(torchvision, version)),
        // From 2.11 on, torchaudio pins no torch.
        torchaudio: union(row?.torchaudio ?? rows.at(-1)?.torchaudio, companionsFor(torchaudio, version)),
      };
    });
    setRows(table, 'releases', found, 'old');
  });
  await update(`${PACKAGES}/triton.yaml`, (table) => write(table, 'follows_torch', tritons(torches)));
}

/** One row per minor release of Triton, with the torch releases that require it. */
function tritons(torches: readonly PublishedRelease[]): Readonly<Record<string, unknown>>[] {
  const torchesOf = new Map<string, string[]>();
  for (const { version, requires } of torches) {
    const triton = requires.find(({ name }) => name === 'triton')?.specifier.match(/\d+\.\d+/)?.[0];
    if (triton !== undefined) torchesOf.set(triton, [...(torchesOf.get(triton) ?? []), minorOf(version)]);
  }
  return [...torchesOf].map(([triton, minors]) => {
    const [first, last] = [minors[0], minors.at(-1)];
    const after = last?.replace(/\d+$/, (minor) => String(Number(minor) + 1));
    const torch = first === last ? `==${first}.*` : `>=${first},<${after}`;
    return { versions: `==${triton}.*`, torch, severity: 'information', effect: 'torch.compile can fail' };
  });
}

function union(known: readonly string[] | undefined, found: readonly string[]): string[] {
  return sortedFinals(new Set([...(known ?? []), ...found]));
}

/**
 * Returns the releases whose metadata pin that torch or allow it: since 0.29.1, torchvision accepts any torch above a
 * minimum. Minimums in older releases are ignored, because they were never enforced.
 */
function companionsFor(companions: readonly PublishedRelease[], torch: string): string[] {
  return companions
    .filter(({ requires }) =>
      requires.some(
        (each) =>
          each.name === 'torch' &&
          (exactVersion(each) === torch ||
            (/^>=2\.(1[4-9]|[2-9]\d)/.test(each.specifier) && satisfies(torch, each.specifier))),
      ),
    )
    .map(({ version }) => version);
}

/** The NVIDIA wheels that TensorFlow's extra `and-cuda` requires, by minor release. */
async function tensorflow(): Promise<void> {
  const rows = (await fetchReleases('tensorflow', 'newest')).flatMap(({ version, requires }) => {
    const own = requires.filter(({ name, extra }) => extra === 'and-cuda' && name.startsWith('nvidia-'));
    const wheels = Object.fromEntries(own.map(({ name, specifier }) => [name, specifier]));
    return own.length === 0 ? [] : [{ tensorflow: minorOf(version), wheels }];
  });
  await update(`${RELEASES}/tensorflowWheels.yaml`, (table) => setRows(table, 'releases', rows, 'old'));
}

/** The packages whose files contain a part that is generated here. */
function packagesOf(part: 'wheels' | 'torch' | 'requirements'): string[] {
  return packagesWith('tables').flatMap(({ name, file }) => (file.tables?.includes(part) ? [name] : []));
}

/** Packages whose releases pin one torch; rows marked as written by hand are kept. */
async function torchPins(): Promise<void> {
  for (const name of packagesOf('torch')) {
    const pins = (await fetchReleases(name)).map(({ version, requires }) => {
      const torch = requires.find((each) => each.name === 'torch' && each.extra === null);
      const exact = torch && exactVersion(torch);
      return [version, exact === undefined ? '' : `==${exact}`] as const;
    });
    const rows = versionRanges(pins)
      .filter(({ value }) => value !== '')
      .map(({ versions, value }) => ({ versions, needs: value }));
    const byHand = (knownPackage(name)?.torch ?? []).filter((row) => row.by_hand);
    await update(`${PACKAGES}/${name}.yaml`, (table) => write(table, 'torch', [...rows, ...byHand]));
  }
}

/** The Pythons of JAX's plug-ins and the cuDNN that they require. */
async function jax(): Promise<void> {
  const families = ['12', '13'];
  const plugins = await Promise.all(families.map((family) => fetchReleases(`jax-cuda${family}-plugin`, 'newest')));
  const minors = new Map<string, { jax: string; python: [string, string]; cudnn: Record<string, string> }>();
  for (const [at, family] of families.entries()) {
    for (const release of plugins[at] ?? []) {
      const cudnn = release.requires.find(({ name }) => name === `nvidia-cudnn-cu${family}`)?.specifier;
      const release_ = minorOf(release.version);
      // Within 0.4 it changed between patch releases.
      if (cudnn === undefined || release_ === '0.4') continue;
      const row = minors.get(release_) ?? { jax: release_, python: rangeOf(release), cudnn: {} };
      row.cudnn[family] = cudnn.replace(/\.0$/, '');
      minors.set(release_, row);
    }
  }
  await update(`${RELEASES}/jaxReleases.yaml`, (table) => setRows(table, 'releases', [...minors.values()], 'new'));
}

/** The Pythons of ONNX Runtime's CUDA wheels, and the CUDA major version of its extras. */
async function onnxruntime(): Promise<void> {
  const file = 'server/src/published/releases/onnxruntimeReleases.yaml';
  const arm = await releasesOf('onnxruntime-gpu', 'aarch64');
  const all = await fetchReleases('onnxruntime-gpu', 'newest');
  await update(file, (table) => {
    const known = (table.toJS() as { releases: { onnxruntime: string; cuda: string }[] }).releases;
    const rows = all.flatMap((release) => {
      const name = minorOf(release.version);
      const row = known.find(({ onnxruntime }) => onnxruntime === name);
      const extras = release.requires.filter(({ extra }) => extra === 'cuda' || extra === 'cudnn');
      const family =
        extras.find((each) => each.name.startsWith('nvidia-cudnn-cu'))?.name.match(/\d+$/)?.[0] ?? row?.cuda;
      // The extras of 1.27 cannot be resolved; older releases do not state their CUDA version.
      if (name === '1.27' || family === undefined) return [];
      return [
        {
          onnxruntime: name,
          python: rangeOf(release),
          cuda: family,
          ...(extras.length > 0 && { extras: true }),
          ...(arm.has(release.version) && { arm: true }),
        },
      ];
    });
    setRows(table, 'releases', rows, 'new');
  });
}

async function wheels(): Promise<void> {
  const names = packagesOf('wheels');
  const files = await filesOf(names);
  const rows = names.map((name): [string, readonly Readonly<Record<string, unknown>>[]] => [
    name,
    wheelRows(files[name] ?? []).map((row) => ({ ...row })),
  ]);
  await update(`${RELEASES}/publishedWheels.yaml`, (table) => {
    for (const [name, own] of rows)
      table.setIn(['packages', name], table.createNode(own.map((row) => flow(table, row))));
  });
}

/** Minor releases whose requirements are listed; hardly anybody pins an older one. */
const MINORS = 48;

/** Packages whose patch releases differ: TensorFlow limited protobuf in single ones. */
const EVERY_PATCH = ['tensorflow', 'tf-keras'];

/** Writes the requirements on catalogued packages in the newest release of each minor version. */
async function requirements(): Promise<void> {
  const releases: Release[] = [];
  for (const name of packagesOf('requirements')) {
    const pythonsOf = await releasesOf(name);
    const all = sortedFinals(pythonsOf.keys());
    for (const version of EVERY_PATCH.includes(name) ? all : newestOfMinors(all).slice(-MINORS))
      releases.push({ name, version, python: pythonsOf.get(version)?.at(-1) ?? '' });
  }
  const answers = await requirementsOf(releases);
  await update(`${RELEASES}/requirements.yaml`, (table) => {
    for (const name of packagesOf('requirements')) {
      const rows: { versions: string; requires: string }[] = [];
      for (const { version } of releases.filter((each) => each.name === name)) {
        const answer = answers.get(`${name}==${version}`);
        if (answer === undefined) continue;
        const plain = answer.map(readRequired).filter((each) => each.isPlain && each.specifier !== '');
        const specifiers = new Map<string, string>();
        for (const { name: own, specifier } of plain)
          if (knownPackage(own) !== undefined && validRange(specifier))
            specifiers.set(own, [specifiers.get(own) ?? [], specifier].flat().join(','));
        const requires = [...specifiers]
          .map(([own, specifier]) => own + specifier)
          .sort()
          .join(' ');
        const last = rows.at(-1);
        if (last?.requires === requires) last.versions += ` ${version}`;
        else rows.push({ versions: version, requires });
      }
      table.setIn(['packages', name], table.createNode(rows.map((row) => flow(table, row))));
    }
  });
}

await run(async () => {
  await wheels();
  await requirements();
  await torch();
  await tensorflow();
  await torchPins();
  await jax();
  await onnxruntime();
});
