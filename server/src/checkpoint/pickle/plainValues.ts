import type { Actions } from './actions.ts';
import { numberIn, unescaped, unicodeUnescaped } from './literals.ts';
import { OP, type Operand } from './opcodes.ts';
import type { Workspace } from './workspace.ts';

const pushOperand = ({ push }: Workspace, operand: Operand) => push(operand);
const pushText = ({ count, push }: Workspace, operand: Operand) => {
  count();
  push(operand);
};

/** Numbers, texts and bytes. */
export const PLAIN_VALUES: Actions = {
  [OP.NONE]: ({ push }) => push(null),
  [OP.NEWTRUE]: ({ push }) => push(true),
  [OP.NEWFALSE]: ({ push }) => push(false),
  [OP.INT]: ({ push }, operand) =>
    push(operand === '01' || operand === '00' ? operand === '01' : numberIn(operand as string)),
  [OP.LONG]: ({ push }, operand) => push(numberIn((operand as string).replace(/L$/, ''))),
  [OP.FLOAT]: ({ push }, operand) => push(Number(operand)),
  [OP.STRING]: (workspace, operand) =>
    pushText(workspace, unescaped((operand as string).replace(/^(['"])(.*)\1$/s, '$2'))),
  [OP.UNICODE]: (workspace, operand) => pushText(workspace, unicodeUnescaped(operand as string)),
  [OP.BININT]: pushOperand,
  [OP.BININT1]: pushOperand,
  [OP.BININT2]: pushOperand,
  [OP.LONG1]: pushOperand,
  [OP.LONG4]: pushOperand,
  [OP.BINFLOAT]: pushOperand,
  [OP.BINSTRING]: pushText,
  [OP.SHORT_BINSTRING]: pushText,
  [OP.SHORT_BINUNICODE]: pushText,
  [OP.BINUNICODE]: pushText,
  [OP.BINUNICODE8]: pushText,
  [OP.SHORT_BINBYTES]: pushText,
  [OP.BINBYTES]: pushText,
  [OP.BINBYTES8]: pushText,
  [OP.BYTEARRAY8]: pushText,
  [OP.NEXT_BUFFER]: ({ push }) => push({ kind: 'unknown' }),
  [OP.READONLY_BUFFER]: () => {},
};
