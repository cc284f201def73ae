/** Selectors: kinds of places in programs, found by their spelling and then confirmed by their meaning. */

import type { Program } from '../../guards/program.ts';
import type { Callee } from '../../python/semantic/callee.ts';
import type { StringLiteral } from '../../python/semantic/literals.ts';
import type { Use } from '../../python/semantic/programIndex.ts';
import type { Definition } from '../../python/semantic/scopes.ts';
import type { Call, Magic } from '../../python/syntax/nodes.ts';
import type { Loader } from '../catalogue/loaderSchema.ts';
import type { Knowledge } from './contract.ts';

/** The list for a project without loaders of its own. */
export const NO_LOADERS: readonly Loader[] = [];

/** A selector filters by spelling first, so that most nodes are never resolved. */
export interface Selector<T> {
  readonly calls?: {
    /** The last parts of callable names, which may also occur as an alias, an attribute or a partial. */
    readonly names: ReadonlySet<string>;
    /** Returns the additional names in one program, including those of the project's own loaders. */
    namesIn?(program: Program, own: readonly Loader[]): Iterable<string>;
    /** Calls with one of these keywords match regardless of their callee. */
    hasKeyword?(keyword: string): boolean;
    resolve(call: Call, program: Program, own: readonly Loader[]): readonly T[];
  };
  readonly strings?: {
    readonly values: ReadonlySet<string>;
    resolve(string: StringLiteral, program: Program): readonly T[];
  };
  /** Names and attributes that the program uses. */
  readonly uses?: { isWanted(name: string): boolean; resolve(use: Use, program: Program): readonly T[] };
  /** Definitions of names: parameters, fields, variables. */
  readonly definitions?: {
    isWanted(name: string): boolean;
    resolve(definition: Definition, program: Program): readonly T[];
  };
  /** IPython lines in a notebook. */
  readonly magics?: { resolve(magic: Magic, program: Program): readonly T[] };
  /** Text that occurs in the code of any file with a match; if absent, one of the names or strings must occur. */
  readonly triggers?: Triggers;
}

/** Conditions for parsing a file at all. */
export interface Triggers {
  /** Whole words. */
  readonly words?: readonly string[];
  /** Qualified names of callables. */
  readonly calls?: readonly string[];
  /** Keywords that a call must have to match, by the callable's name; without an entry, any call matches. */
  readonly keywords?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Regular expressions for other code, without flags. They allow comments between the parts of an expression. */
  readonly patterns?: readonly RegExp[];
  /** Runs only if nothing else was found. A match in code is also a match in the code with its comments. */
  isIn?(code: string): boolean;
}

/** The matches of a selector in a program, in source order: calls, strings, uses, definitions, then magics. */
export interface Matches {
  of<T>(selector: Selector<T>): readonly T[];
  /** Returns the errors of a selector, each of which lost the match at one place. */
  errorsOf(selector: Selector<unknown>): readonly unknown[];
}

/** Returns `load` for `torch.load`. */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

export const lastParts = (names: Iterable<string>): ReadonlySet<string> => new Set([...names].map(lastPart));

/** Derives matches from those of another selector and from knowledge beyond the text. */
export interface Derived<T> {
  readonly from: Selector<unknown>;
  resolve(matches: Matches, program: Program, known: Knowledge): readonly T[];
}

/** A call with all possible callees; the arguments of a partial come first. */
export interface QualifiedCall extends Callee {
  readonly call: Call;
}

/** Returns a selector for calls of the qualified names. */
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
