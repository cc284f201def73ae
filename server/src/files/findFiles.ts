import { type Dirent, existsSync, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { environmentKind } from '../environment/kinds.ts';
import { projectText } from '../projectFile.ts';
import { isForeignFolder } from './foreignFolders.ts';
import { IGNORES_CASE, slashed } from './paths.ts';
import { describeSystemError } from './trouble.ts';

interface FoundFiles {
  /** Absolute paths, sorted and without duplicates. */
  readonly files: readonly string[];
  /** Absolute paths of the folders that were walked. */
  readonly folders: readonly string[];
  /** Paths that could not be read, each with a clause that says why. */
  readonly troubles: readonly { readonly path: string; readonly message: string }[];
}

const PYTHON = /\.(?:py|pyw|ipynb)$/i;

/** True for the path of a Python file, a notebook, or a file that describes an environment. */
export function isLinted(path: string): boolean {
  return PYTHON.test(path) || environmentKind(path) !== undefined;
}

/** The ignore patterns of one folder; they match paths relative to it. */
interface Patterns {
  readonly folder: string;
  readonly matcher: Ignore;
}

/** A project's choice about an entry: unless it names the entry, the file's own name decides. */
export type FileChoice = 'excluded' | 'included' | 'byName';

/** Returns, for a folder, the project's choice about each entry. A folder's path ends with a separator. */
export type ChoicesIn = (folder: string) => Promise<(path: string) => FileChoice>;

/**
 * Finds the Python files, notebooks and environment files below the given paths. Files that are named directly are
 * always included; in folders, the patterns of `.gitignore`, `.git/info/exclude` and the project's settings, virtual
 * environments and caches are excluded, and files that the settings name are included.
 */
export async function findFiles(
  paths: readonly string[],
  choicesIn: ChoicesIn = async () => () => 'byName',
): Promise<FoundFiles> {
  const files = new Set<string>();
  const folders: string[] = [];
  const troubles: { path: string; message: string }[] = [];
  const walk = async (folder: string) => {
    const walking = walkFolder(folder, patternsAbove(folder), (path, error) =>
      troubles.push({ path, message: describeSystemError(error) }),
    );
    let choose = ALL_BY_NAME;
    for (let step = walking.next(choose); !step.done; step = walking.next(choose)) {
      if ('folder' in step.value) {
        folders.push(step.value.folder);
        choose = await choicesIn(step.value.folder);
      } else files.add(step.value.file);
    }
  };

  for (const given of paths) {
    const path = resolve(given);
    let status: Stats;
    try {
      status = statSync(path);
    } catch (error) {
      troubles.push({ path, message: describeSystemError(error) });
      continue;
    }
    if (status.isDirectory()) await walk(path);
    else if (status.isCharacterDevice()) troubles.push({ path, message: 'is a device, not a file' });
    else files.add(path);
  }
  return { files: [...files].sort(), folders, troubles };
}

/**
 * Returns the Python files and notebooks of a project, including excluded ones, which may call the checked code.
 * Folders that cannot be read are skipped; undefined if there are more than `most` files.
 */
export function programFiles(root: string, most = Number.POSITIVE_INFINITY): string[] | undefined {
  const files: string[] = [];
  const walking = walkFolder(root, patternsAbove(root), () => {});
  for (let step = walking.next(ALL_BY_NAME); !step.done; step = walking.next(ALL_BY_NAME))
    if ('file' in step.value && PYTHON.test(step.value.file) && files.push(step.value.file) > most) return undefined;
  return files;
}

type Chooses = (path: string) => FileChoice;
const ALL_BY_NAME: Chooses = () => 'byName';

/** Yields each file, and each folder before its entries; the answer to a folder is the project's choices in it. */
function* walkFolder(
  folder: string,
  inherited: readonly Patterns[],
  failed: (folder: string, error: unknown) => void,
): Generator<{ readonly file: string } | { readonly folder: string }, void, Chooses> {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    failed(folder, error);
    return;
  }
  const patterns = [...patternsIn(folder, entries), ...inherited];
  const choose = yield { folder };
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (isForeignFolder(path) || isIgnored(`${path}${sep}`, patterns)) continue;
      if (choose(`${path}${sep}`) === 'excluded') continue;
      yield* walkFolder(path, patterns, failed);
    } else if (isFile(path, entry) && !isIgnored(path, patterns)) {
      const choice = choose(path);
      if (choice === 'included' || (choice === 'byName' && isLinted(path))) yield { file: path };
    }
  }
}

/** The nearest pattern file that contains a matching pattern decides. A folder's path ends with a separator. */
function isIgnored(path: string, patterns: readonly Patterns[]): boolean {
  for (const { folder, matcher } of patterns) {
    const verdict = matcher.test(slashed(path.slice(folder.length + (folder.endsWith(sep) ? 0 : 1))));
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}

function patternsIn(folder: string, entries: readonly Dirent[]): Patterns[] {
  const found: Patterns[] = [];
  if (entries.some((entry) => entry.name === '.gitignore'))
    found.push(...readPatterns(folder, join(folder, '.gitignore')));
  if (entries.some((entry) => entry.name === '.git'))
    found.push(...readPatterns(folder, join(folder, '.git', 'info', 'exclude')));
  return found;
}

/** Returns the patterns of the folders above, up to the repository's root; empty outside repositories. */
function patternsAbove(start: string): Patterns[] {
  const found: Patterns[] = [];
  if (existsSync(join(start, '.git'))) return found;
  for (let folder = dirname(start); ; folder = dirname(folder)) {
    found.push(...readPatterns(folder, join(folder, '.gitignore')));
    if (existsSync(join(folder, '.git'))) {
      found.push(...readPatterns(folder, join(folder, '.git', 'info', 'exclude')));
      // A user who names an ignored folder directly wants its files.
      return isIgnored(`${start}${sep}`, found) ? [] : found;
    }
    if (folder === dirname(folder)) return [];
  }
}

function readPatterns(folder: string, file: string): Patterns[] {
  const text = projectText(file, 'settings');
  if (text === undefined) return [];
  return [{ folder, matcher: ignore({ allowRelativePaths: true, ignorecase: IGNORES_CASE }).add(text) }];
}

/** True for a file and for a link to a file. A link to a folder is not followed: it may lead back up. */
function isFile(path: string, entry: Dirent): boolean {
  if (entry.isFile()) return true;
  if (!entry.isSymbolicLink()) return false;
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
