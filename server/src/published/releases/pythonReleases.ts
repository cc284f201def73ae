import { dataOnUse } from '../dataOnUse.ts';

interface PythonReleases {
  readonly last_ended: string;
  readonly preferred: readonly string[];
  readonly others: readonly string[];
  readonly systems: readonly SystemPython[];
}

/** A system's package `python3`. */
interface SystemPython {
  /** "ubuntu24.04", "debian12". */
  readonly system: string;
  readonly code_name: string;
  readonly python: string;
  /** Other versions in the system's own index. */
  readonly others?: readonly string[];
  /** True if pip refuses to install into it. */
  readonly managed?: true;
}

const data = dataOnUse<PythonReleases>(import.meta.dirname, 'pythonReleases');

/** The last Python release that no longer receives fixes, such as "3.10". */
export function lastEndedPython(): string {
  return data().last_ended;
}

/** Maintained Pythons for new environments, the one with wheels of the most packages first. */
export function preferredPythons(): readonly string[] {
  return data().preferred;
}

/** All Pythons for new environments: the preferred ones, then the others, the newest first. */
export function newPythons(): readonly string[] {
  return [...data().preferred, ...data().others];
}

/** The Python of a system, by its name ("ubuntu24.04", "debian12") or its code name ("noble"). */
export function systemPython(system: string): SystemPython | undefined {
  return data().systems.find((each) => each.system === system || each.code_name === system);
}
