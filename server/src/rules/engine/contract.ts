/** What rules, the engine and those who ask them exchange: findings, fixes, and what is known beyond the text. */
import type { FoundCheckpoint } from '../../checkpoint/checkpointCache.ts';
import type { OtherPlace, Reason } from '../../guards/reason.ts';
import type { Here } from '../../loading/here.ts';
import type { FilePath } from '../../python/semantic/filePaths.ts';
import type { Span } from '../../python/semantic/source.ts';
import type { Loader } from '../catalogue/catalogue.ts';
import type { Fix } from '../edits/fix.ts';

/** From loud to quiet. Hints are faded dots in the editor and hidden in the command line. */
export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** A place that explains a finding: a span of the same program, or a place in another file of the project. */
export type RelatedPlace = { readonly message: string } & (
  | { readonly span: Span }
  | { readonly elsewhere: OtherPlace }
);

export interface Finding {
  /** Rule code, such as `GPU101`. */
  readonly code: string;
  readonly severity: Severity;
  readonly span: Span;
  readonly message: string;
  readonly related: readonly RelatedPlace[];
  /** Why it is only a hint; empty for any other finding. */
  readonly reasons: readonly Reason[];
  /**
   * The fixes, the preferred one first; computed when asked for. At most the first is applied by fix-all, and only when
   * its tier is `safe`. Empty when nothing can be written safely.
   */
  fixes(): readonly Fix[];
}

/** What is known beyond the text. Everything is optional: without any of it the result is the same on every machine. */
export interface Knowledge {
  /** Version of the interpreter's torch, such as `2.9.0`, when it was read. */
  readonly torchVersion?: string;
  /** What the project requires of torch, as a version specifier: `>=2.0,<2.6`. */
  readonly torchRequirement?: string;
  /** The same of TensorFlow. */
  readonly tensorflowVersion?: string;
  readonly tensorflowRequirement?: string;
  /** True where the project asks for TensorFlow's build for GPUs: `tensorflow-gpu`, `tensorflow[and-cuda]`. */
  readonly wantsTensorflowGpu?: boolean;
  /** The same of Lightning. */
  readonly lightningVersion?: string;
  readonly lightningRequirement?: string;
  /** How many characters a line of the project may have, where that is configured. */
  readonly lineLength?: number | undefined;
  /** Keras backend of the interpreter, when it was read. */
  readonly kerasBackend?: 'tensorflow' | 'jax' | 'torch';
  /** The CUDA devices that a program sees on this machine, when they were read. */
  readonly visibleGpus?: {
    readonly count: number;
    /** What the machine's GPUs are, in a few words: "RTX 3090", "8 × A100 80GB". */
    readonly names: string;
    /** `CUDA_VISIBLE_DEVICES` of the environment, where it hides some of them. */
    readonly value?: string;
  };
  /** The project's own loaders, besides those of the catalogue. */
  readonly loaders?: readonly Loader[];
  /** What the machine has, and which frameworks; only where results may differ from machine to machine. */
  readonly here?: Here;
  /** The checkpoints that a path of the program may mean; empty when there is none, or it could not be read. */
  checkpointsAt?(path: FilePath): readonly FoundCheckpoint[];
}

/** One finding as a rule states it, before the code and the configured severity are put on. */
export interface Observation {
  readonly span: Span;
  /** `hint` where no context would make a flag of it. */
  readonly level: 'flag' | 'hint';
  /** What the context says against a flag: anything here makes a hint of it. */
  readonly reasons?: readonly Reason[];
  /** Of a flag, where it is not the rule's own; what is configured goes before both. */
  readonly severity?: Severity;
  readonly message: string;
  readonly related?: readonly RelatedPlace[];
  readonly fixes?: () => readonly Fix[];
}

/** What a rule says of itself; what is written about rules elsewhere is generated from it. */
export interface RuleMetadata {
  /** `GPU101` */
  readonly code: string;
  /** `torch-load-map-location` */
  readonly name: string;
  /** One sentence: in settings, SARIF and where the page is not at hand. */
  readonly summary: string;
  /** The same as a clause for the table of rules: what it reports. */
  readonly reports: string;
  /** Severity of a flag; a hint is always `hint`. */
  readonly severity: Severity;
  /** Rules whose findings at the place of one of this one's are needless: they say less of the same thing. */
  readonly replaces?: readonly string[];
  /** Rules beside whose reports those of this one, at the same call, are hints: one thing at a time. */
  readonly yieldsTo?: readonly string[];
  /** It speaks of files that the program names. Where they are missing its silence proves nothing. */
  readonly isAboutFiles?: true;
  /** Runs only where a configuration names it: in `select` by more than `GPU`, or with a severity. */
  readonly isOffByDefault?: true;
}
