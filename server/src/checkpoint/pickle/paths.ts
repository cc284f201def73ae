/** Characters of a key, and of a way to a part, that are kept: names of real tensors take some hundred. */
const LONGEST_KEY = 500;
const LONGEST_PATH = 500;

/** Returns the way to a part of a value: `model.conv1.weight`. One that is longer than any name ends at an ellipsis. */
export function pathBelow(path: string, key: string | number): string {
  const text = `${key}`;
  const shown = text.length > LONGEST_KEY ? `${text.slice(0, LONGEST_KEY)}…` : text;
  if (path === '') return shown;
  if (path.length <= LONGEST_PATH) return `${path}.${shown}`;
  return path.endsWith('…') ? path : `${path}.…`;
}
