import type { Budget } from '../../budget.ts';
import { inMemory } from '../../bytes.ts';
import type { PickledImport, Safety } from '../../checkpoint.ts';
import { enumerated } from '../../enumerated.ts';
import { pickleAt } from '../../pickle/legacy.ts';
import { threatIn } from '../../pickle/readPickle.ts';
import { importsOf, REFUSED } from '../../pickle/safety.ts';
import { notChecked, runsCode, worstOf } from '../../verdicts.ts';
import type { Outline } from './outline.ts';

/**
 * Checks the effects of libraries that unpickle attributes of any HDF5 file they open. They also unpickle datasets of
 * their own files, which are not checked. Undefined if nothing in the file unpickles completely.
 * https://www.pytables.org/usersguide/libref/declarative_classes.html#the-attributeset-class
 */
export async function judgeUnpickledTexts(
  { byteTexts, hasMoreTexts, marks }: Outline,
  budget: Budget,
): Promise<{ readonly safety: Safety; readonly imports: readonly PickledImport[] } | undefined> {
  const safeties: Safety[] = [];
  const imports: PickledImport[] = [];
  const texts = byteTexts.flatMap(({ content, ...text }) => formsOf(content).map((form) => ({ ...text, form })));
  for (const { where, form, isPart } of texts) {
    const pickles = await pickleAt(inMemory(form), 0, budget);
    if (isPart && pickles[0].trouble === CUT_OFF)
      safeties.push(notChecked(`its ${where} is longer than GPU Doctor checks`));
    const threat = threatIn(pickles);
    if (!threat) continue;
    safeties.push({
      verdict: threat.verdict,
      reason: `${LOADERS} unpickle its ${where}: ${threat.reason.replace(REFUSED, '').trimEnd()}`,
    });
    imports.push(...importsOf(pickles));
    // No verdict is worse, so the other texts no longer matter.
    if (threat.verdict === 'dangerous') break;
  }
  if (hasMoreTexts)
    safeties.push(notChecked(`it contains more data for ${LOADERS} to unpickle than GPU Doctor checks`));
  if (marks.length > 0)
    safeties.push(notChecked(`it has the marks of ${enumerated([...marks].sort())}, which may unpickle its data`));
  if (safeties.length === 0) return undefined;
  return { safety: worstOf(safeties), imports: safeties.some(runsCode) ? imports : [] };
}

/**
 * Returns the bytes and, if they contain filters written by PyTables 1, also the bytes as PyTables rewrites them before
 * it unpickles them.
 */
function formsOf(content: Uint8Array): Buffer[] {
  const written = Buffer.from(content);
  const text = written.toString('latin1');
  const rewritten = text.replace(/\(([ic])tables\.Leaf\n/, '($1tables.filters\n');
  return rewritten === text ? [written] : [written, Buffer.from(rewritten, 'latin1')];
}

/** The pickle reader's message if the bytes end within an instruction. */
const CUT_OFF = 'is cut off';

const LOADERS = 'PyTables, `pandas.read_hdf` and hickle';
