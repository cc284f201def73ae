/** The findings that a project accepted when it adopted GPU Doctor. They are reported as hints. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { Trouble } from '../files/trouble.ts';
import {
  type Baseline,
  type BaselineEntry,
  baselineMatcher,
  findingKey,
  pathInBaseline,
  readBaseline,
} from '../lint/baseline.ts';
import type { JudgedText } from '../lint/judgedText.ts';
import { push } from '../python/semantic/multimap.ts';
import { asHint } from '../rules/engine/asHint.ts';
import type { Finding } from '../rules/engine/contract.ts';

/** A baseline as it is on disk. If the text changes, there is a new object. */
export interface BaselineFile {
  readonly path: string;
  /** Changes with the file; empty if the file does not exist. */
  readonly stamp: string;
}

export function baselineFile(path: string | undefined): BaselineFile | undefined {
  if (path === undefined) return undefined;
  const status = statSync(path, { throwIfNoEntry: false });
  return { path, stamp: status ? `${status.size} ${status.mtimeMs}` : '' };
}

/** Baselines by path. Each is read once until it changes. */
interface Baselines {
  /** Returns the findings for a file; those that the baseline accepts become hints. */
  withAccepted(file: BaselineFile, path: string, program: JudgedText, findings: readonly Finding[]): readonly Finding[];
}

interface Known {
  readonly stamp: string;
  readonly baseline: Baseline | undefined;
  readonly byFile: ReadonlyMap<string, readonly BaselineEntry[]>;
}

/** Reads baselines. Calls `warn` for a baseline that cannot be read; such a baseline accepts nothing. */
export function createBaselines(warn: (sentence: string) => void): Baselines {
  const known = new Map<string, Known>();
  const at = ({ path, stamp }: BaselineFile): Known => {
    const before = known.get(path);
    if (before?.stamp === stamp) return before;
    const fresh = { stamp, ...read(path, warn) };
    known.set(path, fresh);
    return fresh;
  };
  return {
    withAccepted(file, path, program, findings) {
      const { baseline, byFile } = at(file);
      if (!baseline || findings.length === 0) return findings;
      // One file at a time: only entries for this file or for deleted files can match.
      const entries = byFile.get(pathInBaseline(baseline.folder, path)) ?? baseline.entries;
      const keys = findings.map((finding) => findingKey(program, finding));
      const accepted = baselineMatcher({ ...baseline, entries }).accepted(path, keys);
      const reasons = [{ because: `\`${basename(file.path)}\` accepts it` }];
      return findings.map((finding, index) => (accepted[index] ? asHint(finding, reasons) : finding));
    },
  };
}

function read(path: string, warn: (sentence: string) => void): Omit<Known, 'stamp'> {
  const byFile = new Map<string, BaselineEntry[]>();
  try {
    const baseline = readBaseline(path);
    for (const entry of baseline.entries) push(byFile, entry.file, entry);
    return { baseline, byFile };
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    warn(`The baseline ${path} ${error.message}: no findings are accepted.`);
    return { baseline: undefined, byFile };
  }
}
