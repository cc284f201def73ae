import { readData } from '../dataFiles.ts';

/** The words that a text must contain for a pattern to match, in lower case. */
export interface RequiredWords {
  /** Words of which a matching text contains at least one. */
  readonly anchors: readonly string[];
  /** For each alternative of the pattern, the words that a matching text must all contain. */
  readonly alternatives: readonly (readonly string[])[];
}

let table: Readonly<Record<string, readonly RequiredWords[]>> | undefined;

/**
 * Returns the required words of each pattern of a message. `npm run generate` derives them from the catalogue.
 *
 * @throws {Error} The table has no words for the message, because the message was added later.
 */
export function requiredWordsOf(id: string): readonly RequiredWords[] {
  table ??= readData<Readonly<Record<string, readonly RequiredWords[]>>>(import.meta.dirname, 'requiredWords');
  const found = table[id];
  if (!found) throw new Error(`The message ${id} has no required words. Run npm run generate.`);
  return found;
}
