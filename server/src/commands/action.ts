import type { PackageIndex } from './projectTools.ts';

/**
 * Something that a person does to a machine or an environment, as data. `writeAction` puts it into words and into a command
 * for the installer, the shell and the system at hand.
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
  /** A title in the imperative, without a full stop; without it, the title comes from the action's own data. */
  readonly title?: string;
  /** True for a further step of the way that precedes it; without it, the action is another way. */
  readonly continues?: true;
}

/** Installs packages from PyPI or an index like it, by whatever manages the environment. */
export interface Install extends Step {
  readonly do: 'install';
  /** Requirements as PEP 508 has them, without quotes. */
  readonly requirements: readonly string[];
  readonly index?: PackageIndex;
  /** Further options, which pip and uv share, each with its value. */
  readonly options?: readonly string[];
  /** True where a build of the same version may be there and has to be replaced. */
  readonly reinstalls?: true;
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
  /** Undefined: conda-forge. Empty: the channels that are configured. */
  readonly channels?: readonly string[];
  readonly reinstalls?: true;
}

export interface CondaRemove extends Step {
  readonly do: 'condaRemove';
  readonly packages: readonly string[];
}

/** Creates a new environment with another Python. */
export interface CreateEnvironment extends Step {
  readonly do: 'createEnvironment';
  /** Such as "3.12". */
  readonly python: string;
}

export interface SetVariable extends Step {
  readonly do: 'set';
  readonly variable: string;
  readonly value: string;
  /** True: kept by the conda environment, which sets it whenever it is activated. */
  readonly inCondaEnvironment?: true;
}

export interface UnsetVariable extends Step {
  readonly do: 'unset';
  readonly variable: string;
}

/** Puts folders before those that the loader of Linux searches by LD_LIBRARY_PATH. */
export interface AddLibraryFolders extends Step {
  readonly do: 'addLibraryFolders';
  readonly folders: readonly string[];
  /** True where each subfolder holds its libraries in a `lib` of its own, as NVIDIA's wheels do. */
  readonly ofEachSubfolder?: true;
}

export interface UpdateDriver extends Step {
  readonly do: 'updateDriver';
  /** The lowest version that is enough. */
  readonly to: string;
}

/** Changes a file by hand. */
export interface EditFile extends Step {
  readonly do: 'edit';
  readonly file: string;
  /** The change, in the imperative and without the name of the file. */
  readonly change: string;
}

/** Runs a program. */
export interface Run extends Step {
  readonly do: 'run';
  readonly title: string;
  /** A line for a POSIX shell; other shells get it respelled. */
  readonly command: string;
  /** True where the command only looks and changes nothing. */
  readonly isCheck?: true;
}

/** An action without a command. */
export interface Advise extends Step {
  readonly do: 'advise';
  readonly title: string;
}
