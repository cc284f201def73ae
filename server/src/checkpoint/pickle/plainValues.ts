import type { Actions } from './actions.ts';
import { COST, STEPS } from './limits.ts';
import { floatIn, unicodeUnescaped, unquoted, wholeNumberIn } from './literals.ts';
import { OP, type Operand, operandLine } from './opcodes.ts';
import { isKind } from './symbols.ts';
import type { Workspace } from './workspace.ts';

const pushOperand = ({ push }: Workspace, operand: Operand) => push(operand);
const pushLarge = ({ count, push }: Workspace, operand: Operand) => {
  count(typeof operand === 'bigint' ? COST.long : COST.number);
  push(operand);
};
const pushText = ({ count, push }: Workspace, operand: Operand) => {
  count(COST.text + (typeof operand === 'string' ? operand.length * COST.character : 0));
  push(operand);
};

function pushNumber(
  { push, count, seen }: Workspace,
  { value, isUsual }: { readonly value: number | bigint; readonly isUsual: boolean },
): void {
  // CPython's two unpicklers read unusual spellings of a number differently.
  if (!isUsual) seen.doubts.add('encodes a number in a way that no pickler does');
  count(typeof value === 'bigint' ? COST.long : COST.number);
  push(value);
}

/** Counts the work of decoding a text's escapes and returns the text. */
function escapedIn({ spend }: Workspace, text: string): string {
  spend(text.includes('\\') ? text.length * STEPS.escaped : text.length / 8);
  return text;
}

/** Counts the work of parsing a number, which grows faster than the number of digits, and returns its line. */
function numberIn({ spend }: Workspace, operand: Operand): string {
  const line = operandLine(operand);
  spend(STEPS.number + line.length ** 2 * STEPS.digitPair);
  return line;
}

/** Actions for numbers, texts and bytes. */
export const PLAIN_VALUES: Actions = {
  [OP.NONE]: ({ push }) => push(null),
  [OP.NEWTRUE]: ({ push }) => push(true),
  [OP.NEWFALSE]: ({ push }) => push(false),
  [OP.INT]: (workspace, operand) =>
    operand === '01' || operand === '00'
      ? workspace.push(operand === '01')
      : pushNumber(workspace, wholeNumberIn(numberIn(workspace, operand), 'strtol')),
  [OP.LONG]: (workspace, operand) =>
    pushNumber(workspace, wholeNumberIn(numberIn(workspace, operand).replace(/L$/, ''), 0)),
  [OP.FLOAT]: (workspace, operand) => pushNumber(workspace, floatIn(numberIn(workspace, operand))),
  [OP.STRING]: (workspace, operand) =>
    pushText(workspace, typeof operand === 'string' ? unquoted(escapedIn(workspace, operand)) : operand),
  [OP.UNICODE]: (workspace, operand) =>
    pushText(workspace, typeof operand === 'string' ? unicodeUnescaped(escapedIn(workspace, operand)) : operand),
  [OP.BININT]: pushLarge,
  [OP.BININT1]: pushOperand,
  [OP.BININT2]: pushOperand,
  [OP.LONG1]: pushLarge,
  [OP.LONG4]: (workspace, operand) => {
    if (isKind(operand, 'unknown')) workspace.seen.doubts.add('contains a number with thousands of digits');
    pushLarge(workspace, operand);
  },
  [OP.BINFLOAT]: pushLarge,
  [OP.BINSTRING]: pushText,
  [OP.SHORT_BINSTRING]: pushText,
  [OP.SHORT_BINUNICODE]: pushText,
  [OP.BINUNICODE]: pushText,
  [OP.BINUNICODE8]: pushText,
  [OP.SHORT_BINBYTES]: pushText,
  [OP.BINBYTES]: pushText,
  [OP.BINBYTES8]: pushText,
  [OP.BYTEARRAY8]: pushText,
  [OP.NEXT_BUFFER]: ({ push, seen }) => {
    seen.doubts.add('refers to a buffer outside the file');
    push({ kind: 'unknown' });
  },
  [OP.READONLY_BUFFER]: ({ top }) => {
    top();
  },
};
