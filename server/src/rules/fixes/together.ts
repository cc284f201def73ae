/** Fixes that help only together: a function in which one place still needs a GPU fails anyway. */

import type { Program } from '../../guards/program.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { ClassDef, FunctionDef, Node, Statement } from '../../python/syntax/nodes.ts';
import { isStatement } from '../../python/syntax/walk.ts';
import type { Fix } from '../edits/fix.ts';
import { matchesIn } from '../engine/dispatch.ts';
import { type DeviceLiteral, deviceUses } from '../queries/deviceUses.ts';
import { fixesOfIndex } from './deviceIndex.ts';
import { asSuggestion } from './offers.ts';

/** A place that needs a GPU. */
export interface Place {
  readonly node: Node;
  readonly fixes: () => readonly Fix[];
}

/**
 * Returns a function for the fixes at a place. None of them is safe if another place in the same function, class or top
 * level has no safe fix. `places` contains all unguarded places.
 */
export function fixedTogether(program: Program, places: readonly Place[]): (place: Place) => readonly Fix[] {
  const groups = new Map<Declaration | undefined, Place[]>();
  for (const place of places) {
    const home = outermostDeclaration(place.node);
    groups.set(home, [...(groups.get(home) ?? []), place]);
  }
  const known = new Map<Declaration | undefined, boolean>();
  const areAllSafe = (home: Declaration | undefined): boolean => {
    const answer = known.get(home) ?? (arePinnedFixed(program, home) && haveSafeFixes(groups.get(home) ?? []));
    known.set(home, answer);
    return answer;
  };
  return (place) => {
    const fixes = place.fixes();
    const isAlone = fixes[0]?.tier !== 'safe' || areAllSafe(outermostDeclaration(place.node));
    return isAlone ? fixes : fixes.map(asSuggestion);
  };
}

const isSafe = ({ fixes }: Place) => fixes()[0]?.tier === 'safe';

function haveSafeFixes(places: readonly Place[]): boolean {
  const fixed = places.filter(isSafe).map(({ node }) => node);
  return places.every((place) => isSafe(place) || fixed.some((node) => isServedBy(place.node, node)));
}

/** True if the test that the fix of `fixed` writes also guards the other place. */
function isServedBy(node: Node, fixed: Node): boolean {
  for (let at = node.parent; at && !isStatement(at); at = at.parent) {
    if (at === fixed) return true;
    if (at.kind === 'BoolOp' && at.op === 'and' && at.start <= fixed.start && fixed.end < node.start) return true;
  }
  return false;
}

/** False for a place that names one of several GPUs, which a safe fix never changes. */
function arePinnedFixed(program: Program, home: Declaration | undefined): boolean {
  return (pinnedIn(program).get(home) ?? []).every((literal) => {
    const { index = 0 } = literal;
    return fixesOfIndex(program, literal, index, 'flag', {})[0]?.tier === 'safe';
  });
}

const pinnedIn = memoize((program: Program): ReadonlyMap<Declaration | undefined, readonly DeviceLiteral[]> => {
  const found = new Map<Declaration | undefined, DeviceLiteral[]>();
  for (const { literals } of matchesIn(program, deviceUses))
    for (const literal of literals) {
      if (literal.index === undefined || literal.isDefault || literal.evidence.level !== 'none') continue;
      const home = outermostDeclaration(literal.node);
      found.set(home, [...(found.get(home) ?? []), literal]);
    }
  return found;
});

type Declaration = FunctionDef | ClassDef;

/** Returns the outermost function or class around a node. */
function outermostDeclaration(node: Node): Declaration | undefined {
  let found: Declaration | undefined;
  for (let inner: Node = node, at = node.parent; at; inner = at, at = at.parent)
    if ((at.kind === 'FunctionDef' || at.kind === 'ClassDef') && at.body.includes(inner as Statement)) found = at;
  return found;
}
