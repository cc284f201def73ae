/** Types shared by rules, the engine and its callers: findings, fixes, and knowledge beyond the text. */
import type { OtherPlace, Reason } from '../../guards/reason.ts';
import type { Span } from '../../python/semantic/source.ts';
import type { Loader } from '../catalogue/loaderSchema.ts';
import type { Fix } from '../edits/fix.ts';

/** From most to least severe. Hints are faded dots in the editor and are hidden on the command line. */
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
  /** Reasons why the finding is only a hint; empty if it is not a hint. */
  readonly reasons: readonly Reason[];
  /** Paths of other files with places of the same cause, which one action fixes together. */
  readonly sharedWith?: readonly string[];
  /**
   * Returns the fixes, the preferred one first; computed on demand. Fix-all applies only the first, and only if its
   * tier is `safe`. Empty if nothing can be written safely.
   */
  fixes(): readonly Fix[];
}

/**
 * Knowledge beyond the text. All of it is optional: without it, the result is the same on every machine. The engine
 * only passes it on, so it names no type of a room above: `queries/knowledge.ts` declares the rest.
 */
export interface Knowledge {
  /** The minor version of the selected interpreter, such as `3.12`. */
  readonly python?: string | undefined;
  /** The version of the interpreter's torch, such as `2.9.0`, if it was read. */
  readonly torchVersion?: string;
  /** The project's requirement of torch, as a version specifier: `>=2.0,<2.6`. */
  readonly torchRequirement?: string;
  /** The version of the interpreter's TensorFlow, if it was read. */
  readonly tensorflowVersion?: string;
  /** The project's requirement of TensorFlow, as a version specifier. */
  readonly tensorflowRequirement?: string;
  /** True if the project requires TensorFlow's GPU build: `tensorflow-gpu`, `tensorflow[and-cuda]`. */
  readonly wantsTensorflowGpu?: boolean;
  /** The version of the interpreter's Lightning, if it was read. */
  readonly lightningVersion?: string;
  /** The project's requirement of Lightning, as a version specifier. */
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
    /** The environment's `CUDA_VISIBLE_DEVICES`, if it hides some of the devices. */
    readonly value?: string;
  };
  /** The project's own loaders, besides those of the catalogue. */
  readonly loaders?: readonly Loader[];
}

/** A finding as a rule reports it, without the code and the configured severity. */
export interface Observation {
  readonly span: Span;
  /** `hint` if the finding is a hint in any context. */
  readonly level: 'flag' | 'hint';
  /** Reasons from the context to lower a flag; any reason turns it into a hint. */
  readonly reasons?: readonly Reason[];
  /** The severity of a flag if it differs from the rule's; a configured severity overrides both. */
  readonly severity?: Severity;
  readonly message: string;
  readonly related?: readonly RelatedPlace[];
  readonly fixes?: () => readonly Fix[];
  readonly sharedWith?: readonly string[];
}

/** A rule's metadata, from which tables, settings and schemas are generated. */
export interface RuleMetadata {
  /** `GPU101` */
  readonly code: string;
  /** `torch-load-map-location` */
  readonly name: string;
  /** One sentence, for settings, SARIF and wherever the documentation page is not shown. */
  readonly summary: string;
  /** A noun phrase for the reported code or requirement, for the table of rules. */
  readonly reports: string;
  /** The severity of a flag; a hint is always `hint`. */
  readonly severity: Severity;
  /** The effect on findings of other rules at the same place, by code, because this rule says more about it. */
  readonly outranks?: Readonly<Record<string, 'omitted' | 'hint'>>;
  /**
   * True if the rule checks files that the program names. If they are missing, the absence of findings proves nothing.
   */
  readonly isAboutFiles?: true;
  /** True if most findings need facts about the machine. Without them, their absence proves nothing. */
  readonly isAboutMachine?: true;
  /**
   * True if the rule runs only if a configuration names it: in `select` by more than `GPU`, or by setting its severity.
   */
  readonly isOffByDefault?: true;
}
