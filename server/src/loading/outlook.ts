/** The outlook on loading a file on this machine, and how it is combined from reasons. */
import type { Checkpoint } from '../checkpoint/checkpoint.ts';
import type { Here } from './here.ts';

/** The parts of a checkpoint that decide whether it loads, without the list of tensors. */
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
  /** The types of its tensors, without duplicates; undefined if they were not read. */
  readonly dtypes?: readonly string[];
}

/** Extracts the parts that decide whether a checkpoint loads, without its long lists. */
export function loadableOf({ tensors, metadata: _, about: __, ...rest }: Checkpoint): Loadable {
  return { ...rest, dtypes: [...new Set(tensors.map(({ dtype }) => dtype))] };
}

/**
 * The result of calling the format's usual loader with only the path. `runs-code`: it loads the file but runs code that
 * the file contains or names. `unknown`: the known facts do not decide it.
 */
export type Outlook = 'loads' | 'fails' | 'runs-code' | 'unknown';

export interface CheckpointHere {
  readonly outlook: Outlook;
  /** The call that the outlook is about: `torch.load(path)`. Undefined for a format without a single loading call. */
  readonly call?: string;
  /** Reasons, as sentences. */
  readonly because: readonly string[];
  /** Alternatives, as sentences. */
  readonly remedies: readonly string[];
  /** The library that the selected Python lacks, if nothing else stops the file from loading. */
  readonly lacks?: string | undefined;
}

export interface OutlookReason {
  readonly outlook: Outlook;
  readonly because: string;
  readonly remedy?: string;
  /** The library that the selected Python lacks. */
  readonly lacks?: string;
}

/** From best to worst. The worst reason decides the outlook. */
const SEVERITY: readonly Outlook[] = ['loads', 'unknown', 'fails', 'runs-code'];

export function combineReasons(call: string | undefined, reasons: readonly OutlookReason[]): CheckpointHere {
  const outlook = SEVERITY.findLast((each) => reasons.some((reason) => reason.outlook === each)) ?? 'unknown';
  const all = reasons.filter((reason) => reason.outlook === outlook);
  // A reason of the file holds in every Python, so it hides that this Python lacks a library.
  const ofFile = all.filter(({ lacks }) => lacks === undefined);
  const grave = ofFile.length > 0 ? ofFile : all;
  return {
    outlook,
    lacks: grave[0]?.lacks,
    call,
    because: grave.map(({ because }) => because),
    remedies: grave.flatMap(({ remedy }) => remedy ?? []),
  };
}

/** Returns the damage of the file. Problems with its safety, or with that of a shard, are checked separately. */
export function damageReasons({ problems, safety }: Loadable): OutlookReason[] {
  return problems.filter((each) => !each.endsWith(safety.reason)).map((because) => ({ outlook: 'fails', because }));
}

/** Returns a reason if any of at most two required libraries is not installed. */
export function missingLibraries(libraries: readonly string[], { packages }: Here): OutlookReason[] {
  const [first, second] = packages ? libraries.filter((library) => !packages.includes(library)) : [];
  if (first === undefined) return [];
  const because = `The selected Python has ${second === undefined ? `no ${first}` : `neither ${first} nor ${second}`}.`;
  const [them, all] = second === undefined ? ['it', first] : ['them', `${first} ${second}`];
  return [{ outlook: 'fails', because, remedy: `Install ${them} with \`pip install ${all}\`.`, lacks: first }];
}
