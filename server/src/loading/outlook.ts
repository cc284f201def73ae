/** What is said of a file that a loader is to load here, and of what it is put together. */
import type { Checkpoint } from '../checkpoint/checkpoint.ts';
import { enumerated } from '../checkpoint/enumerated.ts';
import type { Here } from './here.ts';

/** What of a checkpoint decides whether it loads; its tensors are not looked at one by one. */
export interface Loadable
  extends Pick<
    Checkpoint,
    | 'format'
    | 'compression'
    | 'writtenBy'
    | 'holds'
    | 'keras'
    | 'onnx'
    | 'pipeline'
    | 'endpoints'
    | 'devices'
    | 'imports'
    | 'opcodes'
    | 'filled'
    | 'rebuilt'
    | 'script'
    | 'safety'
    | 'problems'
    | 'misfits'
  > {
  /** The types of its tensors, each once; undefined where nobody looked. */
  readonly dtypes?: readonly string[];
}

/** What decides of a checkpoint, without its long lists. */
export function loadableOf({ tensors, metadata: _, about: __, ...rest }: Checkpoint): Loadable {
  return { ...rest, dtypes: [...new Set(tensors.map(({ dtype }) => dtype))] };
}

/**
 * Whether the format's usual loader, called with nothing but the path, loads a file here. `runs-code`: it does, and by
 * that runs code that the file brings or names; `unknown`: what is known does not tell.
 */
export type Outlook = 'loads' | 'fails' | 'runs-code' | 'unknown';

export interface CheckpointHere {
  readonly outlook: Outlook;
  /** The call that is judged: `torch.load(path)`. Undefined for a format that no one call loads. */
  readonly call?: string;
  /** Why, as sentences. */
  readonly because: readonly string[];
  /** What to write or to do instead, as sentences. */
  readonly remedies: readonly string[];
}

/** One thing that speaks for an outlook. */
export interface Reason {
  readonly outlook: Outlook;
  readonly because: string;
  readonly remedy?: string;
}

/** The outlook on the whole is that of the gravest reason. */
const GRAVITY: readonly Outlook[] = ['loads', 'unknown', 'fails', 'runs-code'];

export function judged(call: string | undefined, reasons: readonly Reason[]): CheckpointHere {
  const outlook = GRAVITY.findLast((each) => reasons.some((reason) => reason.outlook === each)) ?? 'unknown';
  const grave = reasons.filter((reason) => reason.outlook === outlook);
  return {
    outlook,
    call,
    because: grave.map(({ because }) => because),
    remedies: grave.flatMap(({ remedy }) => remedy ?? []),
  };
}

/** What is wrong with the file itself; what is wrong with its safety, or with that of a shard, is judged for itself. */
export function damageIn({ problems, safety }: Loadable): Reason[] {
  return problems.filter((each) => !each.endsWith(safety.reason)).map((because) => ({ outlook: 'fails', because }));
}

/** What loads the file, where it is not installed. */
export function notInstalled(library: string, { packages }: Here): Reason[] {
  if (!packages || packages.includes(library)) return [];
  const because = `The selected Python has no ${library}.`;
  return [{ outlook: 'fails', because, remedy: `Install it with \`pip install ${library}\`.` }];
}

/** `cuda:1` and `cuda:3` */
export function listed(names: readonly string[]): string {
  return enumerated(names.map((name) => `\`${name}\``));
}
