import { compareStacks, type StackDifference } from './compareStacks.ts';
import type { RecordedStack } from './recordedStack.ts';

export interface NamedStack {
  readonly name: string;
  readonly record: RecordedStack;
  /** True for a project's file, from which a person may have removed unimportant parts. */
  readonly isFile: boolean;
}

export interface Group {
  readonly names: readonly string[];
  readonly differences: readonly StackDifference[];
}

/**
 * `file`: a project's file. `first`: the first of two. `most`: the stack that has the most in common with all others.
 */
export type ReferenceKind = 'file' | 'first' | 'most';

export interface StackComparison {
  /** The stack that the others were compared with, and all stacks that do not differ from it. */
  readonly reference: readonly string[];
  readonly referenceKind: ReferenceKind;
  readonly stack: RecordedStack;
  /** The others, grouped by equality, the largest group first. */
  readonly groups: readonly Group[];
}

export interface StackCollection {
  readonly count: number;
  add(stack: NamedStack): void;
  /**
   * Compares with a project's file if there is one, otherwise with the stack that has the most in common with all of
   * them, in any order, or with the first of two.
   */
  compare(): StackComparison | undefined;
}

/** Accepts stacks one by one; of equal ones, it keeps only the names. */
export function collectStacks(): StackCollection {
  const alike = new Map<string, { first: NamedStack; names: string[] }>();
  let earliest: NamedStack | undefined;
  let file: NamedStack | undefined;
  let count = 0;

  return {
    get count() {
      return count;
    },
    add(stack) {
      count++;
      earliest ??= stack;
      if (stack.isFile) file ??= stack;
      const key = JSON.stringify(stack.record);
      const known = alike.get(key);
      if (known) known.names.push(stack.name);
      else alike.set(key, { first: stack, names: [stack.name] });
    },
    compare() {
      const bySize = [...alike]
        .sort(([a, { names: before }], [b, { names: after }]) => after.length - before.length || (a < b ? -1 : 1))
        .map(([, group]) => group);
      const reference = file ?? (count > 2 ? mostShared(bySize)?.first : earliest);
      if (!reference) return undefined;
      const same: string[] = [];
      const groups: Group[] = [];
      for (const { first, names } of bySize) {
        const differences = compareStacks(reference.record, first.record, !reference.isFile);
        if (differences.length === 0) same.push(...names);
        else groups.push({ names, differences });
      }
      const referenceKind = reference.isFile ? 'file' : count > 2 ? 'most' : 'first';
      // The reference's own name comes first; others may have the same one.
      const others = same.toSpliced(same.indexOf(reference.name), 1);
      return { reference: [reference.name, ...others], referenceKind, stack: reference.record, groups };
    },
  };
}

interface Alike {
  readonly first: NamedStack;
  readonly names: readonly string[];
}

/** The stack with the values of the most hosts; the first of several. */
function mostShared(groups: readonly Alike[]): Alike | undefined {
  const hosts = new Map<string, number>();
  const values = groups.map(({ first }) => valuesIn(first.record));
  for (const [index, { names }] of groups.entries())
    for (const value of values[index] ?? []) hosts.set(value, (hosts.get(value) ?? 0) + names.length);
  const shares = values.map((own) => own.reduce((sum, value) => sum + (hosts.get(value) ?? 0), 0));
  return groups[shares.indexOf(Math.max(...shares))];
}

/** Each value of a record with its path: `driver: "550.54.15"`. */
function valuesIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([key, each]) => valuesIn(each, `${path}/${key}`));
}
