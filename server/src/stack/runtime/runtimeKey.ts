import { stat } from 'node:fs/promises';
import { knownValue, type RuntimeFramework, type StackFacts } from '../facts/facts.ts';
import type { Machine } from '../machine/machine.ts';

/** Incremented when older answers would be misread. */
const FORMAT = 1;

/**
 * Everything that a framework's answer depends on, as far as files show it: the interpreter and its packages with their
 * modification times, the GPUs with their driver, and the relevant variables.
 */
export async function runtimeKey(machine: Machine, facts: StackFacts, framework: RuntimeFramework): Promise<unknown> {
  const { join } = machine.path;
  const python = knownValue(facts.interpreter);
  const build = facts.frameworks[framework];
  const gpus = knownValue(facts.gpus)?.map(({ uuid, name, computeCapability, mig }) => [
    uuid,
    name,
    computeCapability,
    mig,
  ]);
  // Installing or removing a package renames its metadata folder, which changes the parent folder.
  const folders = python ? [python.path, join(python.prefix, 'conda-meta'), ...python.sitePackages] : [];
  const changed = await Promise.all([...folders, 'value' in build ? build.source : ''].map(lastChange));
  const stack = [
    knownValue(facts.os),
    knownValue(facts.driver),
    gpus,
    knownValue(facts.otherAccelerators),
    knownValue(facts.driverLibraries),
    knownValue(facts.deviceFiles),
    knownValue(facts.variables),
  ];
  return [FORMAT, framework, python?.path, folders, changed, knownValue(build), stack];
}

/** Milliseconds; null if it does not exist. */
async function lastChange(file: string): Promise<number | null> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}
