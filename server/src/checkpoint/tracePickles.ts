import { stat } from 'node:fs/promises';
import { type Budget, BudgetExhausted, createBudget } from './budget.ts';
import { type Bytes, metered, withFile } from './bytes.ts';
import type { Pickle } from './pickle/interpret.ts';
import { isTorchLegacy, readLegacy } from './pickle/legacy.ts';
import { readPickles } from './pickle/readPickle.ts';
import { traceOf } from './pickle/trace.ts';

/** The effects of unpickling one of a file's pickles. */
export interface PickleTrace {
  /** A member's name, or a kind with a number if there are several. */
  readonly name: string;
  /** In Python-like notation. */
  readonly lines: readonly string[];
}

/** Traces the pickles of a file; empty for a folder and for formats without pickles. @throws the system's error */
export async function tracePickles(path: string, budget: Budget = createBudget()): Promise<PickleTrace[]> {
  const entry = await stat(path).catch(() => undefined);
  return entry?.isFile() ? withFile(path, (bytes) => traceBytes(metered(bytes, budget), budget)) : [];
}

async function traceBytes(bytes: Bytes, budget: Budget): Promise<PickleTrace[]> {
  const found: PickleTrace[] = [];
  try {
    await traceInto(found, bytes, budget);
  } catch (error) {
    if (!(error instanceof BudgetExhausted)) throw error;
    found.push({ name: 'pickle', lines: [`# It ${error.message}.`] });
  }
  return found.map(({ name, lines }, index) => ({ name: found.length > 1 ? `${name} ${index + 1}` : name, lines }));
}

/** Maximum number of pickles traced per file. */
const MOST_PICKLES = 100;

async function traceInto(found: PickleTrace[], bytes: Bytes, budget: Budget): Promise<void> {
  const { formatsOf } = await import('./sniff.ts');
  const formats = await formatsOf(bytes, budget);
  const add = (name: string, pickle: Pickle) => {
    if (found.length < MOST_PICKLES) found.push({ name, lines: traceOf(pickle) });
  };
  if (formats.includes('zip')) {
    const [{ readArchive }, { picklesOf }] = await Promise.all([
      import('./encodings/zip.ts'),
      import('./formats/torch/zip.ts'),
    ]);
    const archive = await readArchive(bytes, budget);
    for (const pickle of typeof archive === 'object' ? await picklesOf(archive, budget) : []) add('data.pkl', pickle);
  }
  if (await isTorchLegacy(bytes, budget)) {
    const legacy = await readLegacy(bytes, 0, budget);
    for (const pickle of legacy?.pickles ?? []) add('pickle', pickle);
  } else if (formats.includes('pickle')) {
    for (const pickle of await readPickles(bytes, budget)) add('pickle', pickle);
  }
}
