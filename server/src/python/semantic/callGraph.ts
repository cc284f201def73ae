/** Finds the uses of a program's functions: calls, and references that pass a function as a value. */

import type { Attribute, Call, ClassDef, FunctionDef, Name } from '../syntax/nodes.ts';
import type { NameResolution } from './nameResolution.ts';
import type { ProgramIndex } from './programIndex.ts';
import { enclosingClass } from './scopes.ts';

interface Callers {
  /** Returns the uses of a function or method in the program. */
  usesOf(declaration: FunctionDef): readonly (Name | Attribute)[];
  /** Returns the calls of a function or method in the program; undefined if it is also passed as a value. */
  callsOf(declaration: FunctionDef): readonly Call[] | undefined;
}

export function createCallers(index: ProgramIndex, names: NameResolution): Callers {
  const ownerOf = (declaration: FunctionDef): ClassDef | undefined => {
    const home = names.scopeOf(declaration).node;
    return home?.kind === 'ClassDef' ? home : undefined;
  };

  const usesOf = (declaration: FunctionDef): (Name | Attribute)[] => {
    const owner = ownerOf(declaration);
    if (owner && declaration.name === '__init__') {
      return index.usesOf(owner.name).filter((use) => names.declarationOf(use) === owner && isCalled(use));
    }
    return index
      .usesOf(declaration.name)
      .filter((use) =>
        owner ? isMethodOf(use, owner) : use.kind === 'Name' && names.declarationOf(use) === declaration,
      );
  };

  /**
   * True for `self.method` in the class or a subclass, and for `thing.method` on an instance created in this program.
   */
  const isMethodOf = (use: Name | Attribute, owner: ClassDef): boolean => {
    if (use.kind !== 'Attribute' || use.value.kind === 'Call') {
      return use.kind === 'Attribute' && use.value.kind === 'Call' && names.declarationOf(use.value.func) === owner;
    }
    const receiver = use.value;
    if (receiver.kind === 'Name' && (receiver.id === 'self' || receiver.id === 'cls')) {
      const around = enclosingClass(names.scopeOf(use));
      return around !== undefined && derives(around, owner, new Set());
    }
    if (receiver.kind !== 'Name' && receiver.kind !== 'Attribute') return false;
    return names
      .definitionsOf(receiver)
      .some(
        ({ kind, value }) => kind === 'value' && value?.kind === 'Call' && names.declarationOf(value.func) === owner,
      );
  };

  const derives = (from: ClassDef, owner: ClassDef, seen: Set<ClassDef>): boolean => {
    if (from === owner) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return from.bases.some((expression) => {
      const base = names.declarationOf(expression);
      return base?.kind === 'ClassDef' && derives(base, owner, seen);
    });
  };

  return {
    usesOf,
    callsOf(declaration) {
      const calls: Call[] = [];
      for (const use of usesOf(declaration)) {
        if (!isCalled(use)) return undefined;
        calls.push(use.parent as Call);
      }
      return calls;
    },
  };
}

/** True if the expression is the callee of a call. */
export function isCalled(use: Name | Attribute): boolean {
  return use.parent?.kind === 'Call' && use.parent.func === use;
}
