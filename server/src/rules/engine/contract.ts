/** Types shared by rules, the engine and its callers: findings, fixes, and knowledge beyond the text. */
import type { FoundCheckpoint } from '../../checkpoint/checkpointCache.ts';
import type { OtherPlace, Reason } from '../../guards/reason.ts';
import type { Here } from '../../loading/here.ts';
import type { FilePath } from '../../python/semantic/filePaths.ts';
import type { Span } from '../../python/semantic/source.ts';
import type { Loader } from '../catalogue/catalogue.ts';
import type { Fix } from '../edits/fix.ts';

/** From loud to quiet. Hints are faded dots in the editor and hidden on the command line. */
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
  /** Reasons why the finding is only a hint; empty for any other finding. */
  readonly reasons: readonly Reason[];
  /**
   * Returns the fixes, the preferred one first; computed on demand. Fix-all applies at most the first, and only if its
   * tier is `safe`. Empty if nothing can be written safely.
   */
  fixes(): readonly Fix[];
}

/** Knowledge beyond the text. All of it is optional: without any, the result is the same on every machine. */
export interface Knowledge {
  /** The version of the interpreter's torch, such as `2.9.0`, if it was read. */
  readonly torchVersion?: string;
  /** The project's requirement of torch, as a version specifier: `>=2.0,<2.6`. */
  readonly torchRequirement?: string;
  /** The same for TensorFlow. */
  readonly tensorflowVersion?: string;
  readonly tensorflowRequirement?: string;
  /** True if the project requires TensorFlow's GPU build: `tensorflow-gpu`, `tensorflow[and-cuda]`. */
  readonly wantsTensorflowGpu?: boolean;
  /** The same for Lightning. */
  readonly lightningVersion?: string;
  readonly lightningRequirement?: string;
  /** The project's configured line length, in characters. */
  readonly lineLength?: number | undefined;
  /** The interpreter's Keras backend, if it was read. */
  readonly kerasBackend?: 'tensorflow' | 'jax' | 'torch';
  /** The CUDA devices that programs see on this machine, if they were read. */
  readonly visibleGpus?: {
    readonly count: number;
    /** The machine's GPUs in a few words: "RTX 3090", "8 × A100 80GB". */
    readonly names: string;
    /** The environment's `CUDA_VISIBLE_DEVICES`, if it hides some of them. */
    readonly value?: string;
  };
  /** The project's own loaders, besides those of the catalogue. */
  readonly loaders?: readonly Loader[];
  /** The machine's devices and frameworks; only if results may differ from machine to machine. */
  readonly here?: Here;
  /** Returns the checkpoints that a path may refer to; empty if there is none, or it cannot be read. */
  checkpointsAt?(path: FilePath): readonly FoundCheckpoint[];
}

/** A finding as a rule reports it, without the code and the configured severity. */
export interface Observation {
  readonly span: Span;
  /** `hint` if no context would make it a flag. */
  readonly level: 'flag' | 'hint';
  /** Reasons from the context against a flag; any reason makes it a hint. */
  readonly reasons?: readonly Reason[];
  /** The severity of a flag if it differs from the rule's; a configured severity overrides both. */
  readonly severity?: Severity;
  readonly message: string;
  readonly related?: readonly RelatedPlace[];
  readonly fixes?: () => readonly Fix[];
}

/** A rule's metadata, from which tables, settings and schemas are generated. */
export interface RuleMetadata {
  /** `GPU101` */
  readonly code: string;
  /** `torch-load-map-location` */
  readonly name: string;
  /** One sentence for settings, SARIF and places without the page. */
  readonly summary: string;
  /** The reported code or requirement, as a noun phrase for the table of rules. */
  readonly reports: string;
  /** The severity of a flag; a hint is always `hint`. */
  readonly severity: Severity;
  /** Rules whose findings at the same place are omitted, because they say less about the same problem. */
  readonly replaces?: readonly string[];
  /** Rules whose findings at the same call make this rule's findings hints: one problem at a time. */
  readonly yieldsTo?: readonly string[];
  /** True if the rule judges files that the program names. If they are missing, the rule's silence proves nothing. */
  readonly isAboutFiles?: true;
  /** True if the rule runs only if a configuration names it: in `select` by more than `GPU`, or with a severity. */
  readonly isOffByDefault?: true;
}
