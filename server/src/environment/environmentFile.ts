/** What files that describe an environment ask for, whatever they are written in. */
import type { Span } from '../located/located.ts';

export type { Span };

/** A file that says what is to be installed. Offsets are into its text. */
export interface EnvironmentFile {
  readonly kind: EnvironmentKind;
  /** What it is called, where that is known: "requirements-cpu.txt". */
  readonly name?: string;
  /** What is installed together: one for most files; an optional group or a stage of a Dockerfile has its own. */
  readonly installations: readonly Installation[];
  readonly comments: readonly Span[];
  /** What keeps the file from being read, as clauses; then nothing is installed. */
  readonly errors: readonly { readonly message: string; readonly span: Span }[];
  /** The lists of requirements that it names. */
  readonly included?: readonly IncludedFile[];
}

/** A list of requirements that a file names, and that is judged as a part of it. */
export interface IncludedFile {
  /** Its path from the file that names it. */
  readonly path: string;
  /** Undefined where it cannot be read. */
  readonly text: string | undefined;
  /** Offsets into it are counted from here on, behind the texts of the file itself and of those before. */
  readonly start: number;
  /** Where the file names it, or what leads to it. */
  readonly named: Span;
}

export type EnvironmentKind =
  | 'requirements'
  /** What pip-compile makes requirements from. */
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
  /** A workflow of GitHub's. */
  | 'workflow'
  /** The code cells of one, joined by line feeds. */
  | 'notebook';

/** What is installed together, into one Python. */
export interface Installation {
  /** In source order. */
  readonly requirements: readonly Requirement[];
  /** The channels of conda, the first one first. */
  readonly channels: readonly SpannedText[];
  /** Which Pythons it is for. */
  readonly python?: VersionRange;
  /** Which systems it is for, as conda names them: "linux-64", "osx-arm64". */
  readonly platforms?: readonly SpannedText[];
  /** The image that it is installed into. */
  readonly image?: Image;
  /** Packages of the system that are installed beside. */
  readonly systemPackages?: readonly SpannedText[];
  /** Whether a container gets a GPU; undefined where that is not said here. */
  readonly asksForGpu?: boolean;
  /** The devices that a service reserves, each with what is said of them. */
  readonly reservations?: readonly { readonly span: Span; readonly keys: readonly string[] }[];
  /** What would ask for one, and where it is to be written. */
  readonly gpuRequest?: { readonly title: string; readonly at: number; readonly text: string };
  /** Where the build of the project itself imports torch, which it does not declare. */
  readonly buildImportsTorch?: Span;
  /** True where more is installed than can be read here: another file, a variable, a script. */
  readonly isPartial: boolean;
  /** Pinned requirements that a later command replaces. */
  readonly replaced?: readonly ReplacedPin[];
}

/** A pinned requirement and the one of a later command that takes its place. */
export interface ReplacedPin {
  readonly before: Requirement;
  readonly by: Requirement;
}

/** A text with its place. */
export interface SpannedText {
  readonly text: string;
  readonly span: Span;
}

export interface VersionRange {
  /** A specifier of PEP 440: ">=3.9,<3.12", "==3.10.*". */
  readonly specifier: string;
  readonly span: Span;
}

/** A container's base image and what a build does besides installing packages. */
export interface Image extends SpannedText {
  /** True where something is compiled in it: `nvcc`, `setup.py`, a package from its repository. */
  readonly compiles: boolean;
  /** Where CUDA's compiler is called. */
  readonly nvcc?: Span;
  /** Where it is said which GPUs extensions are to be compiled for. */
  readonly compilesFor?: Span;
  /** Where apt first reads its package lists, unless the key of NVIDIA's repository, or that repository, was replaced before. */
  readonly updatesPackages?: Span;
  /** Where the key of NVIDIA's repository is fetched that was replaced. */
  readonly oldKey?: Span;
  /** Packages that are uninstalled from it, in normalized names. */
  readonly uninstalled?: readonly string[];
}

/** A package that is asked for. */
export interface Requirement {
  /** Normalized by PEP 503: "flash-attn". */
  readonly name: string;
  readonly nameSpan: Span;
  /** All of it, without what is a condition, a hash or a comment. */
  readonly span: Span;
  readonly manager: 'pip' | 'conda';
  /** A specifier of PEP 440 without a local tag; empty for any version, undefined where it cannot be told. */
  readonly specifier: string | undefined;
  /** The one version that is asked for, with its place: "2.1.0" of `torch==2.1.0+cu118`, "2.1" of conda's `pytorch=2.1`. */
  readonly pin?: SpannedText;
  /** The local tag: "cu118". */
  readonly local?: SpannedText;
  readonly extras: readonly SpannedText[];
  /** The condition of PEP 508 under which it is wanted; empty for none. */
  readonly marker: string;
  /** The file that it is installed from. */
  readonly url?: string;
  /** The channel that it is to come from. */
  readonly channel?: string;
  /** The build of conda's that it is to be: "py3.10_cuda11.8_cudnn8.7.0_0". */
  readonly build?: string;
  /** Where the command that installs it begins; undefined for what is no command. */
  readonly command?: number;
  /** True where a release that is there already gives way to a newer one. */
  readonly isUpgrade?: true;
  /** False where it is built in the environment itself; undefined where nothing is said of it. */
  readonly isIsolated?: false;
  /** Where it is looked for besides PyPI. */
  readonly sources: readonly PackageSource[];
}

/** A place that packages come from. */
export interface PackageSource {
  readonly url: string;
  /** Where it is chosen: an option of pip's, a source of uv's. */
  readonly span: Span;
  /** `index` stands in the place of PyPI, `extra` goes beside it, `links` is a page that lists files. */
  readonly kind: 'index' | 'extra' | 'links';
  /** The condition of PEP 508 under which it is used. */
  readonly marker?: string;
  /** True where only packages that name it come from it. */
  readonly isExplicit?: boolean;
}

/** An installation of nothing but these requirements. */
export function installationOf(requirements: readonly Requirement[], more: Partial<Installation> = {}): Installation {
  return { requirements, channels: [], isPartial: false, ...more };
}
