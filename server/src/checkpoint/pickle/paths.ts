/** Number of characters kept of a key and of a path; names of real tensors have about a hundred. */
const LONGEST_KEY = 500;
const LONGEST_PATH = 500;

/** Returns the path to a part of a value: `model.conv1.weight`. A path longer than any name ends in an ellipsis. */
export function pathBelow(path: string, key: string | number): string {
  const text = `${key}`;
  const shown = text.length > LONGEST_KEY ? `${text.slice(0, LONGEST_KEY)}…` : text;
  if (path === '') return shown;
  if (path.length <= LONGEST_PATH) return `${path}.${shown}`;
  return path.endsWith('…') ? path : `${path}.…`;
}
