import type { Standing } from '../../checkpoint/checkpoint.ts';
import { standingOf } from '../../checkpoint/pickle/standing.ts';
import { type Condition, shown } from './condition.ts';

/**
 * Functions that call their arguments. Harmless files also contain them, so they are not in themselves evidence of
 * harm.
 */
const CALLS_WHAT_IT_IS_GIVEN = /^(functools\.partial|(?:builtins|__builtin__)\.getattr|_?operator\.\w+)$/;

/**
 * A global with its module and its safety rating. torch omits `builtins`; any other bare name may come from anywhere.
 */
function globalOf(said: string | undefined): { readonly full: string; readonly standing: Standing } | undefined {
  if (said === undefined) return undefined;
  const full = said.includes('.') ? said : `builtins.${said}`;
  const dot = full.lastIndexOf('.');
  const standing = standingOf({ module: full.slice(0, dot), name: full.slice(dot + 1) });
  return full === said || standing !== 'unknown' ? { full, standing } : undefined;
}

/** Based on a checkpoint's import in a message: `numpy.core.multiarray.scalar`. */
function standsAs(those: readonly Standing[], asWhat: string): Condition {
  return ({ parts }) => {
    const global = globalOf(parts.global);
    return global && shown(those.includes(global.standing), `${global.full} ${asWhat}`);
  };
}

/** Names that, once allowed, let a file run code: classes that call values in their state. */
const NEVER_TO_ALLOW = /^(torch|collections|copyreg|builtins|functools|operator)\./;

const isUnknown = standsAs(['unknown'], 'is not a known way to run commands');

const isDangerous = standsAs(['dangerous'], 'can run any code, or access things outside the file');

/** Conditions on the imports that `torch.load` rejects, using the lists of the checkpoint reader. */
export const globalConditions = {
  'global-is-harmless': standsAs(['allowed', 'harmless'], 'creates plain data, or is named in it'),
  'global-is-dangerous': (situation) =>
    CALLS_WHAT_IT_IS_GIVEN.test(globalOf(situation.parts.global)?.full ?? '') ? undefined : isDangerous(situation),
  'global-is-unknown': isUnknown,
  'global-may-be-allowed': (situation) => {
    const name = globalOf(situation.parts.global)?.full ?? '';
    return NEVER_TO_ALLOW.test(name) ? shown(false, `${name} calls values from a file`) : isUnknown(situation);
  },
} satisfies Record<string, Condition>;
