import { readData } from '../../dataFiles.ts';

interface TorchBuilds {
  /** Owner and name, in lower case. */
  readonly repositories: readonly string[];
}

let known: ReadonlySet<string> | undefined;

/** True for a GitHub repository whose build imports torch without declaring it. */
export function buildsWithTorch(repository: string): boolean {
  known ??= new Set(readData<TorchBuilds>(import.meta.dirname, 'torchBuilds').repositories);
  return known.has(repository.toLowerCase());
}
