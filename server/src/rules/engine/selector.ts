/** What rules listen to: kinds of places in programs, found by how they are spelled and settled by what they mean. */

import type { Program } from '../../guards/program.ts';
import type { Callee } from '../../python/semantic/callee.ts';
import type { StringLiteral } from '../../python/semantic/literals.ts';
import type { Use } from '../../python/semantic/programIndex.ts';
import type { Definition } from '../../python/semantic/scopes.ts';
import type { Call, Magic } from '../../python/syntax/nodes.ts';
import type { Loader } from '../catalogue/catalogue.ts';
import type { Knowledge } from './contract.ts';

/** For a project without loaders of its own. */
export const NO_LOADERS: readonly Loader[] = [];

/** Of what is found, the first question is how it is spelled: most nodes are left there, and never resolved. */
export interface Selector<T> {
  readonly calls?: {
    /** The last parts of names that may be called, also under another name, as an alias, an attribute and a partial have. */
    readonly names: ReadonlySet<string>;
    /** Further ones in one program, and of a project's own loaders. */
    namesIn?(program: Program, own: readonly Loader[]): Iterable<string>;
    /** Calls with such a keyword are looked at whatever is called. */
    hasKeyword?(keyword: string): boolean;
    resolve(call: Call, program: Program, own: readonly Loader[]): readonly T[];
  };
  readonly strings?: {
    readonly values: ReadonlySet<string>;
    resolve(string: StringLiteral, program: Program): readonly T[];
  };
  /** Names and attributes that are used. */
  readonly uses?: { isWanted(name: string): boolean; resolve(use: Use, program: Program): readonly T[] };
  /** Definitions of names: parameters, fields, variables. */
  readonly definitions?: {
    isWanted(name: string): boolean;
    resolve(definition: Definition, program: Program): readonly T[];
  };
  /** Lines of IPython in a notebook. */
  readonly magics?: { resolve(magic: Magic, program: Program): readonly T[] };
  /** What the code of a file that has one always holds; without it, one of the names or the strings. */
  readonly triggers?: Triggers;
}

/** What tells a file that is worth parsing, before it is. */
export interface Triggers {
  /** Whole words. */
  readonly words?: readonly string[];
  /** Qualified names of what may be called. */
  readonly calls?: readonly string[];
  /** By such a name, the keywords of which the call has one; any call will do without them. */
  readonly keywords?: ReadonlyMap<string, ReadonlySet<string>>;
  /** What may stand in the code besides; without flags. Between parts of an expression they allow for comments. */
  readonly patterns?: readonly RegExp[];
  /** Looks where nothing else was found. What it finds in the code, it finds in the code with its comments. */
  isIn?(code: string): boolean;
}

/** What a selector has found in a program, in source order: calls, strings, uses, definitions, then magics. */
export interface Matches {
  of<T>(selector: Selector<T>): readonly T[];
}

/** `load` of `torch.load` */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

export const lastParts = (names: Iterable<string>): ReadonlySet<string> => new Set([...names].map(lastPart));

/** What another selector finds, in the light of what is known beyond the text. */
export interface Derived<T> {
  readonly from: Selector<unknown>;
  resolve(matches: Matches, program: Program, known: Knowledge): readonly T[];
}

/** A call with all that its callee may stand for; the arguments of a partial come first. */
export interface QualifiedCall extends Callee {
  readonly call: Call;
}

/** Calls of what has one of the qualified names. */
export function callsOf(...wanted: readonly string[]): Selector<QualifiedCall> {
  return {
    calls: {
      names: lastParts(wanted),
      resolve(call, { names }) {
        const callee = names.calleeOf(call);
        return callee.qualified.some((name) => wanted.includes(name)) ? [{ call, ...callee }] : [];
      },
    },
    triggers: { calls: wanted },
  };
}
