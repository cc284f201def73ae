/**
 * The lines changed since a Git revision, as in a pull request: the working tree, including uncommitted changes, is
 * compared with the merge base of the branch and the revision.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isNotebookPath, readProgram } from '../files/document.ts';
import { changedNotebookLines } from '../files/notebookChanges.ts';
import type { LineRange } from '../files/notebookLines.ts';
import { isBelow } from '../files/paths.ts';
import { repositoryOf } from '../files/projectRoot.ts';
import { Trouble } from '../files/trouble.ts';
import { type Machine, searchPath } from '../stack/machine/machine.ts';

export interface ChangedLines {
  /** True for a file with changed lines. */
  has(path: string): boolean;
  /** True if one of a file's lines is changed. */
  touches(path: string, lines: LineRange): boolean;
}

interface RepositoryChanges {
  /** Changed lines by path from the root. */
  readonly lines: ReadonlyMap<string, readonly LineRange[]>;
  readonly tracked: ReadonlySet<string>;
}

/** Maximum time in milliseconds and maximum output in characters for each call of Git. */
const LIMITS = { timeout: 120_000, maxOutput: 2 ** 28 } as const;

/**
 * Finds the changes since a revision in the repositories of these files. Files that Git does not track count as
 * completely changed. A submodule without the revision has no changes. Throws a `Trouble` whose message is a clause
 * about the revision.
 */
export async function findChanges(
  revision: string,
  files: readonly string[],
  machine: Machine,
  here = process.cwd(),
): Promise<ChangedLines> {
  const outer = repositoryOf(here);
  const byRoot = new Map<string, RepositoryChanges | undefined>();
  const roots = new Set(files.map((file) => repositoryOf(join(file, '..'))));
  if (files.length === 0) roots.add(outer);
  for (const root of roots) {
    if (root === null) throw new Trouble('needs files in a Git repository');
    const isInner = outer !== null && isBelow(root, outer);
    byRoot.set(root, await changesIn(root, revision, machine, isInner));
  }
  const rangesOf = (path: string): readonly LineRange[] | 'all' => {
    const root = repositoryOf(join(path, '..'));
    const changes = root === null ? undefined : byRoot.get(root);
    if (root === null || changes === undefined) return [];
    const name = machine.path.relative(root, path).split(machine.path.sep).join('/');
    return changes.lines.get(name) ?? (changes.tracked.has(name) ? [] : 'all');
  };
  return {
    has: (path) => rangesOf(path).length > 0,
    touches(path, { first, last }) {
      const ranges = rangesOf(path);
      return ranges === 'all' || ranges.some((range) => range.first <= last && first <= range.last);
    },
  };
}

async function changesIn(
  root: string,
  revision: string,
  machine: Machine,
  isInner: boolean,
): Promise<RepositoryChanges | undefined> {
  const git = await gitIn(root, machine);
  const commit = (await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`))?.trim();
  if (!commit) {
    if (isInner) return undefined;
    throw new Trouble('is not a commit of this repository');
  }
  const base = (await git('merge-base', commit, 'HEAD'))?.trim();
  if (!base)
    throw new Trouble('has no common ancestor with HEAD here: fetch more history, for example with `fetch-depth: 0`');
  const diff = await git('diff', ...DIFF_OPTIONS, base, '--');
  const tracked = await git('ls-files', '-z');
  if (diff === undefined || tracked === undefined) throw new Trouble('could not be compared: `git diff` failed');
  const lines = new Map<string, readonly LineRange[]>();
  for (const [name, { old, ranges }] of changedLines(diff)) {
    const isNotebook = old !== undefined && ranges.length > 0 && isNotebookPath(name);
    const before = isNotebook ? await git('show', '--no-textconv', `${base}:${old}`) : undefined;
    lines.set(name, (before !== undefined && notebookChanges(before, join(root, name))) || ranges);
  }
  return { lines, tracked: new Set(tracked.split('\0')) };
}

/** The lines of a notebook with changed code; undefined if unknown. */
function notebookChanges(before: string, path: string): LineRange[] | undefined {
  try {
    return changedNotebookLines(before, readProgram(path).toString('utf8'));
  } catch {
    // Checking the file reports why it cannot be read.
    return undefined;
  }
}

/** Overrides user and repository settings, including those that would start another program. */
const DIFF_OPTIONS = `--no-color --no-ext-diff --no-textconv --no-relative --find-renames --unified=0 --src-prefix=a/
  --dst-prefix=b/ --ignore-submodules=all --output-indicator-new=+ --output-indicator-old=- --output-indicator-context=_`.split(
  /\s+/,
);

/** Runs Git in a repository; undefined if it fails. Throws a `Trouble` if Git is not installed. */
async function gitIn(root: string, machine: Machine) {
  const name = machine.platform === 'win32' ? 'git.exe' : 'git';
  const program = searchPath(machine)
    .map((folder) => machine.path.join(folder, name))
    .find((path) => existsSync(path));
  if (program === undefined) throw new Trouble('needs Git, which is not on the PATH');
  const git = async (filters: readonly string[], args: readonly string[]): Promise<string | undefined> => {
    const settings = [...SETTINGS, ...filters].flatMap((setting) => ['-c', setting]);
    const { stdout, exitCode, failure } = await machine.run(program, ['--no-optional-locks', ...settings, ...args], {
      ...LIMITS,
      cwd: root,
    });
    if (failure === 'timedOut' || failure === 'tooMuchOutput')
      throw new Trouble(
        `could not be compared: \`git ${args[0]}\` ${failure === 'timedOut' ? 'takes too long' : 'prints too much'}`,
      );
    return exitCode === 0 && failure === undefined ? stdout : undefined;
  };
  // Git runs a filter's commands for each changed file; an empty command is none.
  const commands = (await git([], ['config', '-z', '--name-only', '--get-regexp', '^filter\\.'])) ?? '';
  const names = commands.split('\0').filter((name) => name !== '');
  if (names.some((name) => name.includes('=')))
    throw new Trouble('could not be compared: a filter in the settings of Git has `=` in its name');
  const filters = names.map((name) => `${name}=${name.endsWith('.required') ? 'false' : ''}`);
  return (...args: string[]) => git(filters, args);
}

/** Settings that keep a repository from choosing programs: a monitor, hooks, and transports for missing objects. */
const SETTINGS = [
  'core.quotePath=false',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  ...'ext file git http https ssh'.split(' ').map((transport) => `protocol.${transport}.allow=never`),
];

/** The changes of one file in a diff. */
interface FileChanges {
  /** The file's earlier path; undefined for a new file. */
  readonly old: string | undefined;
  readonly ranges: LineRange[];
}

/** Parses the new or changed lines, by file, from a diff without context. */
export function changedLines(diff: string): Map<string, FileChanges> {
  const changed = new Map<string, FileChanges>();
  let old: string | undefined;
  let ranges: LineRange[] = [];
  // Lines of a hunk, which may look like headers.
  let left = 0;
  for (const line of diff.split('\n')) {
    if (left > 0 && /^[-+]/.test(line)) {
      left--;
      continue;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk) {
      const [removed, first, added] = [Number(hunk[1] ?? 1), Number(hunk[2]), Number(hunk[3] ?? 1)];
      left = removed + added;
      if (added > 0) ranges.push({ first, last: first + added - 1 });
      continue;
    }
    if (line.startsWith('--- ')) old = pathIn(line, 'a/');
    const name = line.startsWith('+++ ') ? pathIn(line, 'b/') : undefined;
    if (name === undefined) continue;
    ranges = [];
    changed.set(name, { old, ranges });
  }
  return changed;
}

/** The path of a header such as `+++ b/train.py`; undefined for `/dev/null`. */
function pathIn(header: string, prefix: string): string | undefined {
  const [, quoted, plain] = /^... (?:"(.*)"|(.*?))\t?$/.exec(header) ?? [];
  const path = quoted === undefined ? plain : unquoted(quoted);
  return path?.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

/** A path that Git has quoted as in C, because it contains quotes, backslashes or control characters. */
function unquoted(path: string): string {
  const named: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };
  return path.replace(/\\(?:([0-7]{3})|(.))/g, (_, octal: string | undefined, letter: string) =>
    octal === undefined ? (named[letter] ?? letter) : String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
