/** The record of a repair that was applied to an environment, which undoes it. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { isBelow } from '../files/paths.ts';
import { Trouble } from '../files/trouble.ts';
import type { Interpreter } from '../stack/facts/facts.ts';
import { thisMachine } from '../stack/machine/machine.ts';
import { readInstalledPackages } from '../stack/readers/sitePackages.ts';
import { copyFolder } from './copyFolder.ts';
import { install } from './installer.ts';
import type { RepairPlace } from './place.ts';
import type { RepairOutcome } from './rounds.ts';

const versions = z.record(z.string(), z.string());

const record = z.strictObject({
  version: z.literal(1),
  /** Null if only files of the project were edited. */
  environment: z
    .strictObject({
      python: z.string(),
      /** The folder with its packages, and the one with its programs. */
      packages: z.string(),
      scripts: z.string(),
      /** The names of its programs before. */
      programs: z.array(z.string()),
      /** The installed versions by name; `after` is null while the repair is being applied. */
      before: versions,
      after: versions.nullable(),
    })
    .nullable(),
  /** Files that were edited, with their text before. */
  files: z.array(z.strictObject({ path: z.string(), text: z.string() })),
});

type AppliedRepair = z.infer<typeof record>;
type ChangedEnvironment = NonNullable<AppliedRepair['environment']>;
type Versions = Readonly<Record<string, string>>;

/** Does the steps that worked in a copy to the original, after keeping what undoes them in a folder. */
export async function applyRepair(
  { steps, place }: Extract<RepairOutcome<RepairPlace>, { ended: 'works' }>,
  { interpreter, project }: RepairPlace,
  folder: string,
): Promise<void> {
  const calls = steps.flatMap((step) => step.calls);
  const environment = calls.length > 0 ? await changedEnvironment(interpreter) : null;
  const paths = [...place.edited.keys()].map((name) => join(project, name));
  const files = await Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })));
  await keepBefore(folder, { version: 1, environment, files });
  try {
    for (const call of calls) await install(call, interpreter.path, new AbortController().signal);
    for (const [name, text] of place.edited) await writeFile(join(project, name), text);
  } catch (error) {
    await undoRepair(folder);
    throw error;
  }
  if (environment) {
    const after = await versionsOf([environment.packages]);
    await writeRepairRecord(folder, { version: 1, environment: { ...environment, after }, files });
  }
}

/** @throws Trouble for a Python that its system manages. */
async function changedEnvironment({
  path,
  prefix,
  environment,
  sitePackages,
}: Interpreter): Promise<ChangedEnvironment> {
  const packages = sitePackages.find((folder) => isBelow(folder, prefix));
  if (packages === undefined || environment === 'system')
    throw new Trouble('is not applied, because this Python belongs to the system: use the command above');
  const [scripts, before] = [dirname(path), await versionsOf([packages])];
  return { python: path, packages, scripts, programs: await readdir(scripts), before, after: null };
}

/** The versions of the packages in folders, by name. */
export async function versionsOf(folders: readonly string[]): Promise<Versions> {
  const installed = await readInstalledPackages(thisMachine(), [...folders]);
  return Object.fromEntries([...installed].map(([name, { version }]) => [name, version]));
}

/** Keeps everything that a repair is about to change, with a record of it, in a folder. */
export async function keepBefore(folder: string, applied: AppliedRepair): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { environment } = applied;
  if (environment) await copyFolder(environment.packages, join(folder, 'packages'), new AbortController().signal);
  await writeRepairRecord(folder, applied);
}

export async function writeRepairRecord(folder: string, applied: AppliedRepair): Promise<void> {
  await writeFile(join(folder, 'record.json'), `${JSON.stringify(applied, null, 2)}\n`);
}

/**
 * Brings back the packages, programs and files of a record, and removes it.
 *
 * @throws Trouble without a record, or if the environment has changed since.
 */
export async function undoRepair(
  folder: string,
  installed: (folders: readonly string[]) => Promise<Versions> = versionsOf,
): Promise<AppliedRepair> {
  if (!existsSync(join(folder, 'record.json'))) throw new Trouble('has no repair that can be undone');
  const kept = record.parse(JSON.parse(await readFile(join(folder, 'record.json'), 'utf8')));
  if (kept.environment) await restore(kept.environment, folder, installed);
  for (const { path, text } of kept.files) await writeFile(path, text);
  await rm(folder, { recursive: true, force: true });
  return kept;
}

async function restore(
  { packages, scripts, programs, after }: ChangedEnvironment,
  folder: string,
  installed: (folders: readonly string[]) => Promise<Versions>,
): Promise<void> {
  if (after !== null && !isDeepStrictEqual(await installed([packages]), after))
    throw new Trouble('has an environment that has changed since the repair, so nothing was undone');
  // The folder is replaced at once, so that it is whole at any time.
  const [restored, replaced] = [`${packages}.restored`, `${packages}.replaced`];
  for (const each of [restored, replaced]) await rm(each, { recursive: true, force: true });
  await copyFolder(join(folder, 'packages'), restored, new AbortController().signal);
  await rename(packages, replaced);
  await rename(restored, packages);
  await rm(replaced, { recursive: true, force: true });
  for (const name of await readdir(scripts))
    if (!programs.includes(name)) await rm(join(scripts, name), { recursive: true });
}
