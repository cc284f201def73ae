/**
 * A baseline: the findings that a project had when it adopted GPU Doctor and that it accepts, so that only new ones are
 * reported. A finding is recognized by its rule, its file, and the text of its lines and their neighbors, not by its
 * line number. White space does not count, so code that is moved, indented or reformatted keeps its entries.
 */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { whereJsonBreaks } from '../files/notebookJson.ts';
import { slashed } from '../files/paths.ts';
import { describeSystemError, Trouble } from '../files/trouble.ts';
import { printableJson } from '../printable.ts';
import { readProjectFile } from '../projectFile.ts';
import { once } from '../python/semantic/memoize.ts';
import type { Finding } from '../rules/engine/contract.ts';
import { baselineSchema } from './baselineSchema.ts';
import type { JudgedText } from './judgedText.ts';

/** The key that identifies a finding within its file. */
export interface FindingKey {
  /** The rule's code. */
  readonly rule: string;
  /** The finding's source on one line, shortened, for human readers. */
  readonly text: string;
  /** Fingerprint of the lines that the finding spans. */
  readonly line: string;
  /** Fingerprints of the nearest lines that are not blank; empty at the start or end of the file or cell. */
  readonly above: string;
  readonly below: string;
}

/** An accepted finding. */
export interface BaselineEntry extends FindingKey {
  /** Path relative to the baseline's folder, with slashes. */
  readonly file: string;
}

export interface Baseline {
  /** The folder that the entries' paths are relative to. */
  readonly folder: string;
  readonly entries: readonly BaselineEntry[];
}

/** Maximum length of `FindingKey.text`, in characters. */
const SHOWN_TEXT = 100;

export function findingKey(program: JudgedText, { code, span }: Pick<Finding, 'code' | 'span'>): FindingKey {
  const { cell, line: first } = program.placeOf(span.start);
  const { line: last } = program.placeOf(Math.max(span.start, span.end - 1));
  const start = program.offsetOf({ cell, line: first, character: 0 });
  const end = program.offsetOf({ cell, line: last, character: Number.MAX_SAFE_INTEGER });
  const base = program.starts[cell] ?? 0;
  const whole = program.source.cells[cell]?.text ?? '';
  const source = program.text.slice(start, end);
  const text = source.replace(/\s+/g, ' ').trim();
  return {
    rule: code,
    text: text.length > SHOWN_TEXT ? `${text.slice(0, SHOWN_TEXT - 1)}…` : text,
    line: fingerprint(source),
    above: fingerprint(lastLine(whole.slice(0, start - base).trimEnd())),
    below: fingerprint(/^[^\r\n]*/.exec(whole.slice(end - base).trimStart())?.[0] ?? ''),
  };
}

function lastLine(text: string): string {
  let start = text.length;
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') start--;
  return text.slice(start);
}

/** Returns a 64-bit fingerprint of text without its white space; empty for blank text. */
function fingerprint(text: string): string {
  const bare = text.replace(/[\s\uFEFF]+/g, '');
  return bare === '' ? '' : createHash('sha256').update(bare).digest('hex').slice(0, 16);
}

/** Reads a baseline. Throws a `Trouble` whose message is a clause that follows the name of the file. */
export function readBaseline(path: string): Baseline {
  let text: string;
  try {
    text = readProjectFile(path, 'baseline').toString('utf8');
  } catch (error) {
    throw new Trouble(describeSystemError(error));
  }
  return parseBaseline(text, dirname(resolve(path)));
}

/** Reads the text of a baseline whose folder is `folder`. Throws a `Trouble`. */
export function parseBaseline(text: string, folder: string): Baseline {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Trouble(`is not a baseline: it is not JSON (${whereJsonBreaks(text)})`);
  }
  const parsed = baselineSchema.safeParse(value);
  if (parsed.success) return { folder, entries: parsed.data.findings };
  const [issue] = parsed.error.issues;
  const place = (issue?.path ?? []).map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  const name = place.join('').replace(/^\./, '');
  throw new Trouble(
    `is not a baseline: ${name ? `\`${name}\` ` : ''}${issue?.message ?? 'its structure is different'}`,
  );
}

/** Returns the text of a baseline: sorted, one entry per line, so that changes from two branches merge. */
export function renderBaseline(entries: readonly BaselineEntry[]): string {
  const lines = entries
    .map(({ file, rule, text, line, above, below }) => ({ file, rule, text, line, above, below }))
    .map((entry) => ({ order: Object.values(entry).join('\0'), json: printableJson(entry) }))
    .sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
    .map(({ json }) => `    ${json}`);
  const findings = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  return `{\n  "version": 1,\n  "findings": ${findings}\n}\n`;
}

/** Returns the path of a file as a baseline in `folder` spells it. */
export function pathInBaseline(folder: string, path: string): string {
  return slashed(relative(folder, path));
}

/** Matches findings against a baseline, file by file. An entry accepts only one finding. */
export interface BaselineMatcher {
  /** True for each finding of a file that the baseline accepts. */
  accepted(path: string, keys: readonly FindingKey[]): readonly boolean[];
  /** Returns the entries that have not matched. */
  left(): readonly BaselineEntry[];
}

/**
 * Creates a matcher. A file without entries of its own inherits those of deleted files, as after a rename, if a
 * neighbor of the finding is also the same. `isThere` returns whether a file of the baseline still exists.
 */
export function baselineMatcher(
  { folder, entries }: Baseline,
  isThere: (path: string) => boolean = existsSync,
): BaselineMatcher {
  const byFile = new Map<string, Set<BaselineEntry>>();
  for (const entry of entries) {
    const ofFile = byFile.get(entry.file) ?? new Set();
    byFile.set(entry.file, ofFile.add(entry));
  }
  const gone = once(() => [...byFile].flatMap(([file, ofFile]) => (isThere(join(folder, file)) ? [] : [ofFile])));
  return {
    accepted(path, keys) {
      const own = byFile.get(pathInBaseline(folder, path));
      const pools = keys.length === 0 ? [] : own ? [own] : gone();
      const accepted = keys.map(() => false);
      // The best matches come first: for identical lines, a copy must not use the entry of the original.
      for (let alike = 2; alike >= (own ? 0 : 1); alike--)
        keys.forEach((key, index) => {
          if (!accepted[index]) accepted[index] = pools.some((pool) => take(pool, key, alike));
        });
      return accepted;
    },
    left: () => [...byFile.values()].flatMap((ofFile) => [...ofFile]),
  };
}

/**
 * Removes the entry for a finding from the pool that has this many matching neighbors; returns false if there is none.
 */
function take(pool: Set<BaselineEntry>, key: FindingKey, alike: number): boolean {
  for (const entry of pool) {
    if (entry.rule !== key.rule || entry.line !== key.line || alikeNeighbors(entry, key) !== alike) continue;
    return pool.delete(entry);
  }
  return false;
}

const alikeNeighbors = (a: FindingKey, b: FindingKey): number =>
  Number(a.above === b.above) + Number(a.below === b.below);
