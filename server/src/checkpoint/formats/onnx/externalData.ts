import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';

/** The location of a tensor's content in a separate file. */
export interface ExternalData {
  readonly location: string;
  /** Offset of the end of the content in the file. */
  readonly end: number;
}

/** Maximum number of files checked per model. */
const MOST_FILES = 1000;

/** Returns problems with the files that contain a model's weights, as sentences. `path` is the model's path. */
export async function problemsOfExternalData(external: readonly ExternalData[], path: string): Promise<string[]> {
  const ends = new Map<string, number>();
  for (const { location, end } of external) ends.set(location, Math.max(end, ends.get(location) ?? 0));
  const problems: string[] = [];
  for (const [location, end] of [...ends].slice(0, MOST_FILES)) {
    if (location === '' || isAbsolute(location) || location.split(/[\\/]/).includes('..')) {
      problems.push(
        `It refers to weights in \`${location}\`, which is outside its folder: ONNX Runtime does not allow that.`,
      );
      continue;
    }
    const entry = await stat(join(dirname(path), location)).catch(() => undefined);
    if (!entry?.isFile())
      problems.push(`Its weights are in \`${location}\`, which is missing: put that file next to the model.`);
    else if (entry.size < end)
      problems.push(`Its weights are in \`${location}\`, which is ${end - entry.size} bytes too short.`);
  }
  return problems;
}
