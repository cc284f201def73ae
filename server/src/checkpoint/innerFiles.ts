import type { Bytes } from './bytes.ts';
import type { Checkpoint, Import, Safety } from './checkpoint.ts';
import { isHarmless, notChecked, runsCode } from './verdicts.ts';

/** Reads a file that lies in another; undefined when it lies too deep, or there are too many. */
export type ReadInner = (content: Bytes) => Promise<InnerReading | undefined>;

export interface InnerReading {
  readonly checkpoint: Checkpoint;
  /** True for a text and the like, from which nothing is loaded. */
  readonly isOtherFile: boolean;
}

/** A file in an archive that the archive's own loader does not read: whoever unpacks it may load it. */
export interface InnerFile {
  readonly name: string;
  /** Undefined when it cannot be unpacked. */
  open(): Promise<Bytes | undefined>;
}

export interface JudgedFiles {
  /** The verdicts on those that are not harmless. */
  readonly safeties: readonly Safety[];
  readonly imports: readonly Import[];
  /** True when one of them is a checkpoint. */
  readonly hasCheckpoint: boolean;
}

/** Judges such files by what is in them. What cannot be looked into is named. */
export async function judgeInnerFiles(files: readonly InnerFile[], readInner: ReadInner): Promise<JudgedFiles> {
  const safeties: Safety[] = [];
  const imports: Import[] = [];
  let hasCheckpoint = false;
  for (const { name, open } of files) {
    const content = await open();
    const inner = content && (await readInner(content));
    if (!inner) {
      safeties.push(notChecked(`its member \`${name}\` is not looked into`));
      // One sentence is enough where no more can be read.
      if (safeties.length > MOST_NAMED) break;
      continue;
    }
    const { checkpoint, isOtherFile } = inner;
    hasCheckpoint ||= !isOtherFile;
    imports.push(...checkpoint.imports);
    if (!isHarmless(checkpoint.safety)) safeties.push(ofMember(name, inner));
    // Nothing is worse, whatever the others hold.
    if (checkpoint.safety.verdict === 'dangerous') break;
  }
  return { safeties, imports, hasCheckpoint };
}

const MOST_NAMED = 100;

function ofMember(name: string, { checkpoint: { safety }, isOtherFile }: InnerReading): Safety {
  if (isOtherFile && !runsCode(safety)) return notChecked(`it holds \`${name}\`, which its loader does not read`);
  return { verdict: safety.verdict, reason: `Its member \`${name}\`: ${safety.reason}` };
}
