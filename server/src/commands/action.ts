import type { PackageIndex } from './projectTools.ts';

/**
 * Something that a person does to a machine or an environment, as data. `writeAction` turns it into a title and a
 * command for the installer, the shell and the system.
 */
export type Action =
  | Install
  | Uninstall
  | CondaInstall
  | CondaRemove
  | CreateEnvironment
  | SetVariable
  | UnsetVariable
  | AddLibraryFolders
  | UpdateDriver
  | EditFile
  | Run
  | Advise;

interface Step {
  /** A title in the imperative, without a period; by default, it is made from the action's own data. */
  readonly title?: string;
  /** True for another step of the way that precedes it; otherwise, the action is a separate way. */
  readonly continues?: true;
}

/** Installs packages from PyPI or a similar index, with the environment's installer. */
export interface Install extends Step {
  readonly do: 'install';
  /** Requirements in PEP 508 syntax, without quotes. */
  readonly requirements: readonly string[];
  readonly index?: PackageIndex;
  /** Further options that pip and uv share, each with its value. */
  readonly options?: readonly string[];
  /** True if a build of the same version may be installed and must be replaced. */
  readonly reinstalls?: true;
  /** True if only what is missing or excluded moves: installed packages that satisfy a requirement are not updated. */
  readonly isMinimal?: true;
}

/** Removes packages that pip or uv installed. */
export interface Uninstall extends Step {
  readonly do: 'uninstall';
  readonly packages: readonly string[];
  /** True for packages in the user's own folder, which belong to no project. */
  readonly ofUser?: true;
}

/** Installs packages into a conda environment. */
export interface CondaInstall extends Step {
  readonly do: 'condaInstall';
  /** Such as "pytorch-gpu=2.7.*", without quotes. */
  readonly specs: readonly string[];
  /** Undefined: conda-forge. Empty: the configured channels. */
  readonly channels?: readonly string[];
  readonly reinstalls?: true;
}

interface CondaRemove extends Step {
  readonly do: 'condaRemove';
  readonly packages: readonly string[];
}

/** Creates a new environment with another Python. */
interface CreateEnvironment extends Step {
  readonly do: 'createEnvironment';
  /** Such as "3.12". */
  readonly python: string;
}

interface SetVariable extends Step {
  readonly do: 'set';
  readonly variable: string;
  readonly value: string;
  /** True: stored in the conda environment, which sets the variable whenever the environment is activated. */
  readonly inCondaEnvironment?: true;
}

interface UnsetVariable extends Step {
  readonly do: 'unset';
  readonly variable: string;
}

/** Adds folders to LD_LIBRARY_PATH, before those that Linux's loader searches. */
interface AddLibraryFolders extends Step {
  readonly do: 'addLibraryFolders';
  readonly folders: readonly string[];
  /** True if each subfolder has its libraries in its own `lib`, as in NVIDIA's wheels. */
  readonly ofEachSubfolder?: true;
}

export interface UpdateDriver extends Step {
  readonly do: 'updateDriver';
  /** The minimum version. */
  readonly to: string;
}

/** Edits a file by hand. */
interface EditFile extends Step {
  readonly do: 'edit';
  readonly file: string;
  /** The edit, in the imperative and without the name of the file. */
  readonly change: string;
}

/** Runs a program. */
export interface Run extends Step {
  readonly do: 'run';
  readonly title: string;
  /** A line for a POSIX shell; it is converted for other shells. */
  readonly command: string;
  /** True if the command only inspects and changes nothing. */
  readonly isCheck?: true;
}

/** An action without a command. */
interface Advise extends Step {
  readonly do: 'advise';
  readonly title: string;
}
