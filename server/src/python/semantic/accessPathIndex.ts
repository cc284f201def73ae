/** Finds definitions of attributes and items, which scopes do not record, by their access paths. */
import type { ClassDef } from '../syntax/nodes.ts';
import { push } from './multimap.ts';
import { type Definition, enclosingClass, type Scope } from './scopes.ts';

/** The definitions of attributes and items in a program, by path: `args.cuda`, `config["gpu"]`. */
export interface AccessPathIndex {
  /** The definitions of a path as written in a scope: `self` is a different object in each class. */
  of(path: string, scope: Scope): readonly Definition[];
  /** The definitions of an attribute that the methods of a class assign on `self`. */
  ofSelf(owner: ClassDef, attribute: string): readonly Definition[];
}

const NONE: readonly Definition[] = [];

export function createAccessPathIndex(definitions: readonly Definition[]): AccessPathIndex {
  const byOwner = new Map<ClassDef | undefined, Map<string, Definition[]>>();
  for (const definition of definitions) {
    const owner = ownerOf(definition.name, definition.scope);
    const own = byOwner.get(owner) ?? new Map<string, Definition[]>();
    byOwner.set(owner, own);
    push(own, owner ? ofObject(definition.name) : definition.name, definition);
  }
  return {
    of(path, scope) {
      const owner = ownerOf(path, scope);
      return byOwner.get(owner)?.get(owner ? ofObject(path) : path) ?? NONE;
    },
    ofSelf: (owner, attribute) => byOwner.get(owner)?.get(`self.${attribute}`) ?? NONE,
  };
}

/** The class that `self` or `cls` refers to in a path; undefined for paths that start with any other name. */
export function ownerOf(path: string, scope: Scope): ClassDef | undefined {
  return /^(self|cls)\b/.test(path) ? enclosingClass(scope) : undefined;
}

const ofObject = (path: string) => (path.startsWith('cls') ? `self${path.slice('cls'.length)}` : path);
