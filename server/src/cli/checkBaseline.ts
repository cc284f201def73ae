/** Compares the findings of a check with the baselines of its files, and writes them. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isBelow, shownPath } from '../files/paths.ts';
import { describeSystemError, Trouble } from '../files/trouble.ts';
import { writeWhole } from '../files/write.ts';
import { allRules } from '../lint/allRules.ts';
import {
  type Baseline,
  type BaselineEntry,
  type BaselineMatcher,
  baselineMatcher,
  pathInBaseline,
  readBaseline,
  renderBaseline,
} from '../lint/baseline.ts';
import { push } from '../python/semantic/multimap.ts';
import type { Problem } from '../report/problem.ts';
import { isSelected } from '../rules/engine/selection.ts';
import { optionsFor } from '../settings/settings.ts';
import type { SettingsIn } from './projectSettings.ts';
import { UsageError } from './usage.ts';

/** The action on a baseline: none, removing fixed findings, or accepting the current ones. */
export type BaselineAction = 'read' | 'prune' | 'write';

interface BaselineOptions {
  readonly action: BaselineAction;
  /** The file on the command line; otherwise the one in each file's settings. */
  readonly named: string | undefined;
  readonly settingsIn: SettingsIn;
  /** True if hints are accepted too. */
  readonly hints: boolean;
  /** True if the check used facts about this machine; without them some rules report nothing. */
  readonly isLive: boolean;
}

/** The checked files and folders. */
interface CheckedPaths {
  readonly problems: readonly Problem[];
  /** Absolute paths of the files that could be checked. */
  readonly files: readonly string[];
  /** Absolute paths of the folders that were walked. */
  readonly folders: readonly string[];
}

export interface Compared {
  /** The findings that no baseline accepts. */
  readonly problems: readonly Problem[];
  /** Sentences for people about accepted, fixed and written findings. */
  readonly notes: readonly string[];
}

/** A baseline with the findings in its files. */
interface Comparison {
  readonly path: string;
  readonly baseline: Baseline;
  readonly matcher: BaselineMatcher;
  readonly accepted: Problem[];
  readonly fresh: Problem[];
}

/** Separates accepted and new findings, and writes the baselines if requested. Throws a `UsageError`. */
export async function compareWithBaselines(judged: CheckedPaths, options: BaselineOptions): Promise<Compared> {
  const { action, named, settingsIn } = options;
  const comparisons = new Map<string, Comparison>();
  const comparisonAt = (path: string): Comparison => {
    const known = comparisons.get(path);
    if (known) return known;
    const baseline = readFor(path, action);
    const comparison = { path, baseline, matcher: baselineMatcher(baseline), accepted: [], fresh: [] };
    comparisons.set(path, comparison);
    return comparison;
  };
  const baselineOf = async (folder: string) =>
    named === undefined ? (await settingsIn(folder)).baseline : resolve(named);
  const byFile = new Map<string, Problem[]>();
  for (const problem of judged.problems) push(byFile, problem.filename, problem);
  const problems: Problem[] = [];
  for (const file of new Set([...judged.files, ...byFile.keys()])) {
    const path = await baselineOf(dirname(resolve(file)));
    const found = byFile.get(file) ?? [];
    if (path === undefined) {
      problems.push(...found);
      continue;
    }
    const { matcher, accepted, fresh } = comparisonAt(path);
    const isAccepted = matcher.accepted(
      resolve(file),
      found.map(({ key }) => key),
    );
    for (const [index, problem] of found.entries()) (isAccepted[index] ? accepted : fresh).push(problem);
  }
  if (action !== 'read' && comparisons.size === 0) {
    const path = await baselineOf(process.cwd());
    if (path === undefined)
      throw new UsageError('no baseline is named: use `--baseline FILE`, or the setting `baseline`');
    comparisonAt(path);
  }
  const notes: string[] = [];
  for (const comparison of comparisons.values()) {
    if (action !== 'write') problems.push(...comparison.fresh);
    notes.push(...(await settle(comparison, judged, options)));
  }
  return { problems: inOrder(problems, judged.problems), notes };
}

/** Writes one baseline if requested, and returns the sentences about it. */
async function settle(comparison: Comparison, judged: CheckedPaths, options: BaselineOptions): Promise<string[]> {
  const { path, baseline, matcher, accepted, fresh } = comparison;
  const { action, hints } = options;
  const fixed = await fixedEntries(baseline, matcher.left(), judged, options);
  const name = shownPath(path);
  if (action === 'read')
    return [
      ...(accepted.length > 0 ? [`${findings(accepted.length)} accepted by ${name}.`] : []),
      ...(fixed.size === 1 ? [`1 finding of ${name} is fixed: \`--prune-baseline\` removes it.`] : []),
      ...(fixed.size > 1 ? [`${fixed.size} findings of ${name} are fixed: \`--prune-baseline\` removes them.`] : []),
    ];
  const added = action === 'write' ? fresh.filter(({ severity }) => hints || severity !== 'hint') : [];
  const present = [...accepted, ...added].map(({ filename, key }) => ({
    file: pathInBaseline(baseline.folder, resolve(filename)),
    ...key,
  }));
  const entries = [...present, ...matcher.left().filter((entry) => !fixed.has(entry))];
  if (action === 'write' || fixed.size > 0)
    await writeWhole(path, renderBaseline(entries)).catch((error) => {
      throw new UsageError(`the baseline cannot be written: ${name} ${describeSystemError(error)}`);
    });
  if (action === 'write')
    return [`Wrote ${name}: ${findings(entries.length)}, ${added.length} new, ${fixed.size} fixed.`];
  return [
    ...(accepted.length > 0 ? [`${findings(accepted.length)} accepted by ${name}.`] : []),
    ...(fixed.size > 0
      ? [`Dropped ${findings(fixed.size)} that ${fixed.size === 1 ? 'is' : 'are'} fixed from ${name}.`]
      : []),
  ];
}

/** The baseline of a file; an empty one if it will be rewritten. */
function readFor(path: string, action: BaselineAction): Baseline {
  if (action === 'write' && !existsSync(path)) return { folder: dirname(path), entries: [] };
  try {
    return readBaseline(path);
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    const advice = existsSync(path) ? '' : ': write it with `--write-baseline`';
    throw new UsageError(`the baseline ${shownPath(path)} ${error.message}${advice}`);
  }
}

/**
 * The entries that are fixed: those in checked files, for rules that are selected there, and those in files that no
 * longer exist in a walked folder. If a rule needs facts about the machine and there are none, its entries are not
 * considered fixed.
 */
async function fixedEntries(
  { folder }: Baseline,
  left: readonly BaselineEntry[],
  { files, folders }: CheckedPaths,
  { settingsIn, isLive }: BaselineOptions,
): Promise<ReadonlySet<BaselineEntry>> {
  const judged = new Set(files);
  const fixed = new Set<BaselineEntry>();
  for (const entry of left) {
    const path = join(folder, entry.file);
    const rule = allRules.find(({ code }) => code === entry.rule);
    const isGone = !existsSync(path) && folders.some((walked) => isBelow(path, walked));
    if (isGone || (rule === undefined && judged.has(path))) fixed.add(entry);
    else if (rule && judged.has(path) && (isLive || !(rule.isAboutFiles || rule.isAboutMachine))) {
      if (isSelected(rule, optionsFor(await settingsIn(dirname(path)), path))) fixed.add(entry);
    }
  }
  return fixed;
}

/** The problems in their original order. */
function inOrder(problems: readonly Problem[], all: readonly Problem[]): Problem[] {
  const kept = new Set(problems);
  return all.filter((problem) => kept.has(problem));
}

const findings = (count: number): string => (count === 1 ? '1 finding' : `${count} findings`);
