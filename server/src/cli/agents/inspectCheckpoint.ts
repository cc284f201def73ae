import { createBudget } from '../../checkpoint/budget.ts';
import { readCheckpoint } from '../../checkpoint/read.ts';
import { shownPath } from '../../files/paths.ts';
import { describeSystemError } from '../../files/trouble.ts';
import { checkpointText } from '../../report/checkpoint.ts';
import { tensorFilter } from '../../report/tensorFilter.ts';
import { filesAt, type InspectedFile, inspectedFile, readHere } from '../inspect.ts';
import type { Answered, Context } from './context.ts';
import { pythonFor } from './python.ts';
import { outside, Refusal, requireThere } from './refusal.ts';
import type { InputOf } from './tools.ts';

/** Maximum number of checkpoints shown from a folder. */
const MOST_FILES = 20;

/** Maximum characters for all of them together, as text and as data. */
const MOST_CHARACTERS = 40_000;

/** Shows the contents of a checkpoint, or of the checkpoints in a folder. Nothing in them is executed. */
export async function inspectCheckpoint(
  { path, filter: terms = '' }: InputOf<'inspect_checkpoint'>,
  context: Context,
): Promise<Answered<'inspect_checkpoint'>> {
  requireThere(context.access, path);
  const found = await filesAt(path);
  if (found.length === 0) throw new Refusal(`There are no checkpoints in ${path}.`);
  const shown = found.slice(0, MOST_FILES);
  const most = MOST_CHARACTERS / shown.length;
  const filter = tensorFilter(terms);
  const here = await readHere(pythonFor(undefined, context));
  const files: InspectedFile[] = [];
  const texts: string[] = [];
  const troubles: string[] = [];
  for (const file of shown) {
    if (!context.access.mayRead(file)) {
      troubles.push(outside(file));
      continue;
    }
    try {
      const checkpoint = await readCheckpoint(file, createBudget(), context.access.mayRead);
      files.push(inspectedFile(file, checkpoint, here, most, filter));
      const extent = { all: false, metadata: false, most, filter };
      texts.push(checkpointText(shownPath(file), checkpoint, (_style, text) => text, extent, here));
    } catch (error) {
      const why = describeSystemError(error);
      troubles.push(`${shownPath(file)} ${why}.`);
    }
  }
  if (found.length > shown.length) troubles.push(`${found.length - shown.length} more checkpoints were omitted.`);
  if (files.length === 0) throw new Refusal(troubles.join('\n'));
  return { text: [...texts, ...troubles].join('\n'), structured: { files, troubles } };
}
