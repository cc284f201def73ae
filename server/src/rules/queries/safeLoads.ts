/** Evidence around `weights_only=False` that it is needed, or that it is not. */

import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import { argumentFor, keywordOf } from '../../python/semantic/arguments.ts';
import { filePathOf } from '../../python/semantic/filePaths.ts';
import { isBoolean } from '../../python/semantic/literals.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Call, Expression, Node, Try } from '../../python/syntax/nodes.ts';
import { walk } from '../../python/syntax/walk.ts';
import { saversInFile } from './savedPaths.ts';

/**
 * Returns the reasons why `weights_only=False` is deliberate: it follows an attempt without it, or a comment explains
 * it.
 */
export function decisionsAt(call: Call, program: Program): readonly Reason[] {
  const attempt = attemptBefore(call);
  const comment = commentAt(call, program);
  return [
    ...(attempt ? [{ because: 'an attempt with `weights_only=True` comes first', at: spanOf(attempt) }] : []),
    ...(comment ? [{ because: 'a comment explains it', at: comment }] : []),
  ];
}

/** Returns the call with `weights_only=True` in the `try` whose handler contains the call. */
function attemptBefore(call: Call): Call | undefined {
  for (let at: Node | undefined = call.parent; at; at = at.parent) {
    if (at.kind !== 'ExceptHandler' || at.parent?.kind !== 'Try') continue;
    const attempt = safeCallIn(at.parent);
    if (attempt) return attempt;
  }
  return undefined;
}

function safeCallIn({ body }: Try): Call | undefined {
  let found: Call | undefined;
  for (const statement of body)
    walk(statement, (node) => {
      if (node.kind === 'Call' && isBoolean(keywordOf(node, 'weights_only'), true)) found ??= node;
      return found === undefined;
    });
  return found;
}

const ABOUT = /weights_?only|pickl|trust|numpy|safe|our own|legacy|need|requir|because|torch ?(>=)? ?2\.6/i;

/** Returns a comment that gives a reason, on the lines of a call or right above them. */
function commentAt(call: Call, program: Program): { readonly start: number; readonly end: number } | undefined {
  const { text } = program;
  const from = text.lastIndexOf('\n', call.start - 1) + 1;
  const end = text.indexOf('\n', call.end);
  const above = from > 0 ? text.lastIndexOf('\n', from - 2) + 1 : from;
  const isComment = /^\s*#/.test(text.slice(above, from));
  const start = isComment ? above : from;
  const lines = text.slice(start, end < 0 ? text.length : end);
  for (const match of lines.matchAll(/#[^\n\r]*/g)) {
    // A suppression does not explain anything.
    if (!ABOUT.test(match[0]) || /^#\s*(noqa|type:|nosec|pylint|gpu-doctor|:)/.test(match[0])) continue;
    const at = start + match.index;
    return { start: at, end: at + match[0].length };
  }
  return undefined;
}

/** True if the program loads the same file with `weights_only=True` elsewhere. */
export function loadsSafelyElsewhere(path: Expression, program: Program): boolean {
  const own = filePathOf(path, program);
  if (own === undefined) return false;
  return program.index.callsWithKeyword('weights_only').some((call) => {
    if (!isBoolean(keywordOf(call, 'weights_only'), true)) return false;
    const other = argumentFor(program.names.calleeOf(call).args, 'f', 0).argument?.value;
    const named = other && filePathOf(other, program);
    return named !== undefined && named.text === own.text && named.from === own.from;
  });
}

/**
 * True if everything that the program saves under the path consists of `state_dict()`s, which hold tensors and plain
 * data.
 */
export function isOwnStateDict(path: Expression, program: Program): boolean {
  const savers = saversInFile(path, program);
  return savers.length > 0 && savers.every(({ value }) => value !== undefined && isStateDict(value, program));
}

function isStateDict(value: Expression, program: Program): boolean {
  if (value.kind === 'Call') return value.func.kind === 'Attribute' && value.func.attr === 'state_dict';
  if (value.kind === 'Dict')
    return value.values.length > 0 && value.values.every((each) => isStateDict(each, program) || isPlain(each));
  if (value.kind !== 'Name') return false;
  const definitions = program.names.definitionsOf(value);
  return (
    definitions.length > 0 &&
    definitions.every(
      ({ kind, value: own }) => kind === 'value' && own !== undefined && own !== value && isStateDict(own, program),
    )
  );
}

/** A literal, or a counter. */
const isPlain = (value: Expression): boolean =>
  value.kind === 'Constant' || (value.kind === 'Name' && /^(epoch|step|global_step|iteration|i)$/.test(value.id));
