/** The requirements in files that describe an environment, independent of the file format. */
import type { LocatedSpan } from '../located/located.ts';

export type { LocatedSpan };

/** A file that declares what to install. Offsets refer to its text. */
export interface EnvironmentFile {
  readonly kind: EnvironmentKind;
  /** The file name, if known: "requirements-cpu.txt". */
  readonly name?: string;
  /**
   * Groups that are installed together: most files have one; each optional group and each stage of a Dockerfile is a
   * group of its own.
   */
  readonly installations: readonly Installation[];
  readonly comments: readonly LocatedSpan[];
  /** Reasons, as clauses, why the file cannot be read; if there are any, it has no installations. */
  readonly errors: readonly { readonly message: string; readonly span: LocatedSpan }[];
  /** The requirement lists that the file includes. */
  readonly included?: readonly IncludedFile[];
}

/** A requirement list that a file includes and that is checked as a part of that file. */
export interface IncludedFile {
  /** The path, relative to the including file. */
  readonly path: string;
  /** Undefined if the list cannot be read. */
  readonly text: string | undefined;
  /** The offset of its first character: the texts of included lists follow the file's own text. */
  readonly start: number;
  /** The place in the file that names this list, or a list that leads to it. */
  readonly named: LocatedSpan;
}

export type EnvironmentKind =
  | 'requirements'
  /** The input of pip-compile. */
  | 'requirementsIn'
  | 'pyproject'
  | 'pipfile'
  | 'setupCfg'
  | 'setupPy'
  | 'conda'
  | 'pixi'
  | 'dockerfile'
  | 'compose'
  | 'devcontainer'
  | 'shell'
  /** A GitHub workflow. */
  | 'workflow'
  | 'gitlabCi'
  /** An Apptainer or Singularity definition. */
  | 'apptainer'
  /** A notebook's code cells, joined by line feeds. */
  | 'notebook';

/** Requirements that are installed together, into the same Python. */
export interface Installation {
  /** In source order. */
  readonly requirements: readonly Requirement[];
  /** Requirements without a name: folders, archives and repositories. */
  readonly unnamed?: readonly SpannedText[];
  /** Conda's channels, by priority. */
  readonly channels: readonly SpannedText[];
  /** The Python versions that it is intended for. */
  readonly python?: VersionRange;
  /** The systems that it is intended for, by conda's names: "linux-64", "osx-arm64". */
  readonly platforms?: readonly SpannedText[];
  /** The image that the packages are installed into. */
  readonly image?: Image;
  /** True if a Dockerfile installs the list into an image with packages of its own. */
  readonly isIntoOther?: boolean;
  /** System packages that are also installed. */
  readonly systemPackages?: readonly SpannedText[];
  /** True if the container gets a GPU; undefined if the file does not determine this. */
  readonly requestsGpu?: boolean;
  /** The device reservations of a service, each with its keys. */
  readonly reservations?: readonly { readonly span: LocatedSpan; readonly keys: readonly string[] }[];
  /** The text that requests a GPU, and the place where it is inserted. */
  readonly gpuRequest?: { readonly title: string; readonly at: number; readonly text: string };
  /** Addresses of repositories that are installed in an isolated build and whose build imports torch. */
  readonly torchBuilds?: readonly SpannedText[];
  /** The place where the project's own build imports torch without declaring it. */
  readonly buildImportsTorch?: LocatedSpan;
  /** True if more is installed than can be read: another file, a variable, a script. */
  readonly isPartial: boolean;
  /** Text that pip rejects, or that the shell treats as something else. */
  readonly misread?: readonly MisreadText[];
  /** Pinned requirements that a later command replaces. */
  readonly replaced?: readonly ReplacedPin[];
}

/** Text that is not read as it is meant, and why not. */
export interface MisreadText extends SpannedText {
  readonly why: 'twoOnALine' | 'equals' | 'command' | 'redirection';
}

/** A pinned requirement and the requirement of a later command that replaces it. */
export interface ReplacedPin {
  readonly before: Requirement;
  readonly by: Requirement;
}

/** A text with its span. */
export interface SpannedText {
  readonly text: string;
  readonly span: LocatedSpan;
}

export interface VersionRange {
  /** A PEP 440 specifier: ">=3.9,<3.12", "==3.10.*". */
  readonly specifier: string;
  readonly span: LocatedSpan;
  /** True if a Dockerfile that installs the list chooses it; what it has no wheels for is reported there. */
  readonly isOfImage?: true;
}

/** A container's base image, and build steps other than installing packages. */
export interface Image extends SpannedText {
  /** True if the build compiles something: `nvcc`, `setup.py`, a package from its repository. */
  readonly compiles: boolean;
  /** The place that calls CUDA's compiler. */
  readonly nvcc?: LocatedSpan;
  /** The place that sets which GPUs extensions are compiled for. */
  readonly compilesFor?: LocatedSpan;
  /** The first `apt-get update`, unless NVIDIA's repository or its key is replaced before it. */
  readonly updatesPackages?: LocatedSpan;
  /** The first command with which pip is to install into a system's Python that it refuses to change. */
  readonly refusedPip?: LocatedSpan;
  /** A Python that the system's index does not have; no other index is added. */
  readonly missingPython?: SpannedText;
  /** The place that fetches the old key of NVIDIA's repository. */
  readonly oldKey?: LocatedSpan;
  /** Normalized names of packages that the build uninstalls. */
  readonly uninstalled?: readonly string[];
}

/** A required package. */
export interface Requirement {
  /** Normalized by PEP 503: "flash-attn". */
  readonly name: string;
  readonly nameSpan: LocatedSpan;
  /** The whole requirement, except its condition, hashes and comment. */
  readonly span: LocatedSpan;
  readonly manager: 'pip' | 'conda';
  /** A PEP 440 specifier without a local tag; empty for any version, undefined if the version is unknown. */
  readonly specifier: string | undefined;
  /** The pinned version, with its span: "2.1.0" of `torch==2.1.0+cu118`, "2.1" of conda's `pytorch=2.1`. */
  readonly pin?: SpannedText;
  /** The local tag: "cu118". */
  readonly local?: SpannedText;
  readonly extras: readonly SpannedText[];
  /** The PEP 508 condition of the requirement; empty if there is none. */
  readonly marker: string;
  /** The address of the file, the folder or the repository from which it is installed. */
  readonly url?: string;
  /** The conda channel that it must come from. */
  readonly channel?: string;
  /** The required conda build: "py3.10_cuda11.8_cudnn8.7.0_0". */
  readonly build?: string;
  /** The offset of the command that installs it; undefined if it is not in a command. */
  readonly command?: number;
  /** True if the command ignores what packages require of each other. */
  readonly isAlone?: true;
  /** True if an installed release is upgraded. */
  readonly isUpgrade?: true;
  /** False if it is built in the environment itself; undefined if the file does not determine this. */
  readonly isIsolated?: false;
  /** Sources besides PyPI. */
  readonly sources: readonly PackageSource[];
}

export interface PackageSource {
  readonly url: string;
  /** The place that selects it: a pip option, a uv source. */
  readonly span: LocatedSpan;
  /** `index` replaces PyPI, `extra` supplements it, `links` is a page that lists files. */
  readonly kind: 'index' | 'extra' | 'links';
  /** The PEP 508 condition under which it is used. */
  readonly marker?: string;
  /** True for the address of the package itself: an archive, a folder or a repository. */
  readonly isPackage?: true;
  /** True for an index of uv, which asks PyPI for the packages that it does not have. */
  readonly hasPypi?: true;
  /** True if only packages that name this source come from it. */
  readonly isExplicit?: boolean;
}

/** Returns an installation with only these requirements. */
export function installationOf(
  requirements: readonly Requirement[],
  { platforms = [], python, ...more }: Partial<Installation> = {},
): Installation {
  // Conda installs Python as a package.
  const isPython = ({ name, manager }: Requirement) => name === 'python' && manager === 'conda';
  const { specifier, span } = requirements.find(isPython) ?? {};
  return {
    channels: [],
    isPartial: false,
    ...more,
    requirements: requirements.filter((each) => !isPython(each)),
    python: specifier && span ? { specifier, span } : python,
    ...(platforms.length > 0 && { platforms }),
  };
}
