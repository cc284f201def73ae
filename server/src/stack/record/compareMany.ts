import { compareStacks, type Difference } from './compareStacks.ts';
import type { RecordedStack } from './recordedStack.ts';

export interface NamedStack {
  readonly name: string;
  readonly record: RecordedStack;
  /** True for a project's file, of which a person may have removed what does not matter. */
  readonly isFile: boolean;
}

export interface Group {
  readonly names: readonly string[];
  readonly differences: readonly Difference[];
}

/** `file`: a project's file. `first`: the first of two. `most`: what most of them have. */
export type ReferenceKind = 'file' | 'first' | 'most';

export interface Comparison {
  /** What the others were compared with, and all that do not differ from it. */
  readonly reference: readonly string[];
  readonly referenceKind: ReferenceKind;
  readonly stack: RecordedStack;
  /** The others, alike ones together, the largest group first. */
  readonly groups: readonly Group[];
}

export interface StackCollection {
  readonly count: number;
  add(stack: NamedStack): void;
  /** Compares with a project's file if there is one, else with what most have, or with the first of two. */
  compare(): Comparison | undefined;
}

/** Takes stacks one by one; of those that are alike only the names are kept. */
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
      const bySize = [...alike.values()].sort((a, b) => b.names.length - a.names.length);
      const reference = file ?? (count > 2 ? bySize[0]?.first : earliest);
      if (!reference) return undefined;
      const same: string[] = [];
      const groups: Group[] = [];
      for (const { first, names } of bySize) {
        const differences = compareStacks(reference.record, first.record, !reference.isFile);
        if (differences.length === 0) same.push(...names);
        else groups.push({ names, differences });
      }
      const referenceKind = reference.isFile ? 'file' : count > 2 ? 'most' : 'first';
      // The reference's own name leads; others may have the same one.
      const others = same.toSpliced(same.indexOf(reference.name), 1);
      return { reference: [reference.name, ...others], referenceKind, stack: reference.record, groups };
    },
  };
}
