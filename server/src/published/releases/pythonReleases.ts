import { readData } from '../../dataFiles.ts';

interface PythonReleases {
  readonly last_ended: string;
  readonly preferred: readonly string[];
  readonly others: readonly string[];
  readonly systems: readonly { readonly system: string; readonly code_name: string; readonly python: string }[];
}

let table: PythonReleases | undefined;

function data(): PythonReleases {
  table ??= readData<PythonReleases>(import.meta.dirname, 'pythonReleases');
  return table;
}

/** The last release of Python that gets no fixes any more, such as "3.10". */
export function lastEndedPython(): string {
  return data().last_ended;
}

/** Maintained Pythons for new environments, the one that most packages have wheels for first. */
export function preferredPythons(): readonly string[] {
  return data().preferred;
}

/** All Pythons for new environments: the preferred ones, then the others from the newest on. */
export function newPythons(): readonly string[] {
  return [...data().preferred, ...data().others];
}

/** The Python of a system's package `python3`, by the system ("ubuntu24.04", "debian12") or its code name ("noble"). */
export function pythonOfSystemPackage(system: string): string | undefined {
  return data().systems.find((each) => each.system === system || each.code_name === system)?.python;
}
