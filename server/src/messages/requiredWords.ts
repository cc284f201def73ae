import { readData } from '../dataFiles.ts';

/** The words that a text must have for a pattern to match, in lower case. */
export interface RequiredWords {
  /** Words of which a matching text has at least one. */
  readonly anchors: readonly string[];
  /** For each alternative of the pattern, the words that are all in a text that it matches. */
  readonly alternatives: readonly (readonly string[])[];
}

let table: Readonly<Record<string, readonly RequiredWords[]>> | undefined;

/**
 * Returns the required words of each pattern of a message. `npm run generate` derives them from the catalogue.
 *
 * @throws {Error} The message has no words in the table, because it was added since.
 */
export function requiredWordsOf(id: string): readonly RequiredWords[] {
  table ??= readData<Readonly<Record<string, readonly RequiredWords[]>>>(import.meta.dirname, 'requiredWords');
  const found = table[id];
  if (!found) throw new Error(`The message ${id} has no required words. Run npm run generate.`);
  return found;
}
