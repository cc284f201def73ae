/** Literals and displays, by their contents. */
import type {
  Expression,
  JoinedStr,
  List,
  Node,
  NumberConstant,
  SetDisplay,
  StrConstant,
  Tuple,
} from '../syntax/nodes.ts';

/** A string, or an f-string. */
export type StringLiteral = StrConstant | JoinedStr;
type Display = Tuple | List | SetDisplay;

export function isString(node: Node | undefined): node is StringLiteral {
  return (node?.kind === 'Constant' && node.type === 'str') || node?.kind === 'JoinedStr';
}

/** The text of a string without replacement fields. */
export function stringOf(node: Node | undefined): string | undefined {
  if (node?.kind === 'Constant') return node.type === 'str' ? node.value : undefined;
  if (node?.kind !== 'JoinedStr') return undefined;
  let text = '';
  for (const value of node.values) {
    if (value.kind !== 'Constant' || value.type !== 'str') return undefined;
    text += value.value;
  }
  return text;
}

export function isNumber(node: Node | undefined): node is NumberConstant {
  return node?.kind === 'Constant' && (node.type === 'int' || node.type === 'float');
}

/** The value of an unsigned number; values beyond 2**53 are rounded. */
export function numberOf(node: Node | undefined): number | undefined {
  return isNumber(node) ? Number(node.value) : undefined;
}

export const isNone = (node: Node | undefined): boolean => node?.kind === 'Constant' && node.type === 'None';

/** True for the literal `True`, or `False`. */
export const isBoolean = (node: Node | undefined, value: boolean): boolean =>
  node?.kind === 'Constant' && node.type === 'bool' && node.value === value;

/** True for a tuple, list or set display. */
export function isDisplay(node: Node | undefined): node is Display {
  return node?.kind === 'Tuple' || node?.kind === 'List' || node?.kind === 'Set';
}

/** Longer displays are tables, not choices of a device. */
export const MAX_DISPLAY_ITEMS = 64;

/** The items that a subscript of a display may yield. */
export function itemsIn(display: Expression, index: Expression): readonly Expression[] {
  if (display.kind === 'Dict') {
    const key = stringOf(index) ?? numberOf(index);
    return display.values.filter((_, at) => {
      const own = display.keys[at];
      return key === undefined || (stringOf(own) ?? numberOf(own)) === key;
    });
  }
  if (!isDisplay(display) || display.elts.length > MAX_DISPLAY_ITEMS) return [];
  const at = numberOf(index);
  const only = at === undefined ? undefined : display.elts[at];
  return only ? [only] : display.elts;
}
