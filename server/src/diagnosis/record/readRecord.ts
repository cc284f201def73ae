/** Reads `gpu-stack.yaml` with the positions of its values. */
import type { core } from 'zod';
import { type Located, locateYaml, type Path } from '../../located/located.ts';
import { KINDS, kindOf, pathName, placeOf, valueAt } from '../../located/values.ts';
import { nearest } from '../../nearest.ts';
import type { Span } from '../../python/semantic/source.ts';
import { keysAt, type RecordedStack, recordSchema } from './recordedStack.ts';
import { RECORD_FILE } from './recordFile.ts';

interface RecordProblem {
  /** A sentence. */
  readonly message: string;
  readonly span: Span;
  /** The name that was most likely intended by the one at the span. */
  readonly meant?: string;
}

export interface RecordReading {
  /** Undefined while there are problems. */
  readonly record?: RecordedStack;
  /** In source order. */
  readonly problems: readonly RecordProblem[];
  /**
   * Returns the position of the value at a path; for a missing value, the position of the innermost existing part of
   * its path.
   */
  spanOf(path: Path): Span;
}

export function readRecord(text: string): RecordReading {
  const located = locateYaml(text, 'failsafe');
  const { errors, value } = located;
  const spanOf = (path: Path) => keyOrValue(located, path);
  if (errors.length > 0) {
    return { problems: errors.map(({ message, span }) => ({ message: `Not YAML: ${ended(message)}`, span })), spanOf };
  }
  const parsed = recordSchema.safeParse(value);
  if (parsed.success) return { record: parsed.data, problems: [], spanOf };
  const problems = parsed.error.issues.flatMap((issue) => describe(issue, located));
  return { problems: problems.sort((a, b) => a.span.start - b.span.start), spanOf };
}

/** The first problem as a clause that follows the file's name. */
export function troubleOf(text: string, problems: readonly RecordProblem[]): string | undefined {
  const [first] = problems;
  if (!first) return undefined;
  const { line, column } = placeOf(text, first.span.start);
  return `${line}:${column}: ${first.message}`;
}

/** The key of a mapping or list, whose value may span many lines; for anything else, the value. */
function keyOrValue({ value, keyAt, valueAt: at }: Located, path: Path): Span {
  const written = valueAt(value, path);
  return typeof written === 'object' ? keyAt(path) : at(path);
}

function describe(issue: core.$ZodIssue, located: Located): RecordProblem[] {
  const { path } = issue;
  const name = pathName(path);
  const span = located.valueAt(path);
  const written = valueAt(located.value, path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(key, path, located));
    case 'invalid_type': {
      if (path.length === 0) return [{ message: `${RECORD_FILE} must be a mapping, not ${kindOf(written)}.`, span }];
      const last = String(path.at(-1));
      if (written === undefined) {
        const around = pathName(path.slice(0, -1)) || RECORD_FILE;
        return [{ message: `\`${around}\` lacks \`${last}\`.`, span }];
      }
      return [
        { message: `\`${name}\` must be ${KINDS[issue.expected] ?? issue.expected}, not ${kindOf(written)}.`, span },
      ];
    }
    case 'invalid_value': {
      if (path[0] !== 'format') return [{ message: `\`${name}\` is not understood.`, span }];
      const message =
        written === undefined
          ? `${RECORD_FILE} lacks \`format: 1\`.`
          : '`format` must be 1: the file was written by another version of GPU Doctor.';
      return [{ message, span }];
    }
    case 'invalid_key': {
      const around = pathName(path.slice(0, -1));
      return [{ message: ended(`A name in \`${around}\` ${issue.issues[0]?.message}`), span: located.keyAt(path) }];
    }
    default:
      return [{ message: `\`${name}\` ${ended(issue.message)}`, span }];
  }
}

function unknownKey(key: string, path: Path, located: Located): RecordProblem {
  const keys = keysAt(path);
  const likely = nearest(key, keys);
  const where = path.length === 0 ? '' : ` in \`${pathName(path)}\``;
  const help = likely === undefined ? `known are ${keys.join(', ')}` : `did you mean \`${likely}\`?`;
  const span = located.keyAt([...path, key]);
  return {
    message: ended(`There is no \`${key}\`${where}: ${help}`),
    span,
    ...(likely !== undefined && { meant: likely }),
  };
}

const ended = (clause: string): string => (/[.?]$/.test(clause) ? clause : `${clause}.`);
