import type { Bytes } from './bytes.ts';
import type { Checkpoint, PickledImport, Safety } from './checkpoint.ts';
import { isHarmless, notChecked, runsCode } from './verdicts.ts';

/** Reads a file inside another file; undefined if it is nested too deep or there are too many. */
export type ReadInner = (content: Bytes) => Promise<InnerReading | undefined>;

interface InnerReading {
  readonly checkpoint: Checkpoint;
  /** True for text and similar content, from which nothing is loaded. */
  readonly isOtherFile: boolean;
}

/** A file in an archive that the archive's own loader does not read. A program that unpacks the archive may load it. */
interface InnerFile {
  readonly name: string;
  /** Returns its content; undefined if it cannot be unpacked. */
  open(): Promise<Bytes | undefined>;
}

export interface InnerFileSafety {
  /** The verdicts on files that are not harmless. */
  readonly safeties: readonly Safety[];
  readonly imports: readonly PickledImport[];
  readonly hasCheckpoint: boolean;
}

/** Checks files by their content and lists those that cannot be inspected. */
export async function judgeInnerFiles(files: readonly InnerFile[], readInner: ReadInner): Promise<InnerFileSafety> {
  const safeties: Safety[] = [];
  const imports: PickledImport[] = [];
  let hasCheckpoint = false;
  for (const { name, open } of files) {
    const content = await open();
    const inner = content && (await readInner(content));
    if (!inner) {
      safeties.push(notChecked(`its member \`${name}\` was not inspected`));
      // If no more files can be read, a single sentence is enough.
      if (safeties.length > MOST_NAMED) break;
      continue;
    }
    const { checkpoint, isOtherFile } = inner;
    hasCheckpoint ||= !isOtherFile;
    imports.push(...checkpoint.imports);
    if (!isHarmless(checkpoint.safety)) safeties.push(memberSafety(name, inner));
    // No verdict is worse, so the other files no longer matter.
    if (checkpoint.safety.verdict === 'dangerous') break;
  }
  return { safeties, imports, hasCheckpoint };
}

const MOST_NAMED = 100;

function memberSafety(name: string, { checkpoint: { safety }, isOtherFile }: InnerReading): Safety {
  if (isOtherFile && !runsCode(safety)) return notChecked(`it contains \`${name}\`, which its loader does not read`);
  return { verdict: safety.verdict, reason: `Its member \`${name}\`: ${safety.reason}` };
}
