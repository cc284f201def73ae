import { stat } from 'node:fs/promises';
import { knownValue, type RuntimeFramework, type StackFacts } from '../facts/facts.ts';
import type { Machine } from '../machine/machine.ts';

/** Counts up when answers of before would be misread. */
const FORMAT = 1;

/**
 * All that an answer of a framework depends on, as far as can be told without asking it: the interpreter and its
 * packages with the times of their last change, the GPUs with their driver, and the variables that matter.
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
  // Installing or removing a package renames its metadata folder, which changes the folder around it.
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

/** Milliseconds; null where there is nothing. */
async function lastChange(file: string): Promise<number | null> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}
