/** Evidence for a GPU where a name is bound to a function: `sync = torch.cuda.synchronize if use_cuda else nothing`. */

import { both, type Evidence, either, NO_EVIDENCE } from '../../guards/evidence.ts';
import type { Program } from '../../guards/program.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import type { Expression } from '../../python/syntax/nodes.ts';

/** The maximum number of names to follow. */
const FARTHEST = 6;

/** Returns the evidence that holds on every path by which a called expression may stand for the function `wanted`. */
export function aliasEvidence(program: Program, called: Expression, wanted: string): Evidence {
  const ways = waysTo(program, called, wanted, 0);
  return ways.length === 0 ? NO_EVIDENCE : ways.reduce(either);
}

function waysTo(program: Program, expression: Expression, wanted: string, steps: number): Evidence[] {
  const { names, guards } = program;
  if (steps > FARTHEST || !names.qualify(expression).includes(wanted)) return [];
  if (expression.kind === 'IfExp')
    return [expression.body, expression.orelse].flatMap((branch) => waysTo(program, branch, wanted, steps + 1));
  const own = guards.evidenceAt(conditionsOf(expression));
  if (expression.kind !== 'Name' && expression.kind !== 'Attribute') return [own];
  const values = names.definitionsOf(expression).filter(({ kind }) => kind === 'value');
  if (values.length === 0) return [own];
  return values.flatMap(({ value, conditions, laterConditions }) => {
    const around = [conditions, ...laterConditions].map((each) => guards.evidenceAt(each)).reduce(both, own);
    return value ? waysTo(program, value, wanted, steps + 1).map((way) => both(way, around)) : [];
  });
}
