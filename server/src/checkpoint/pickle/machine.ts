import { numberIn, unescaped, unicodeUnescaped } from './literals.ts';
import { type Instruction, OP, PickleTrouble } from './opcodes.ts';
import {
  type Dict,
  type Global,
  isKind,
  type List,
  type Made,
  type Persistent,
  type Tuple,
  type Value,
} from './symbols.ts';

/** What keeps a file from taking all time or memory; real checkpoints stay far below. */
export interface Limits {
  readonly opcodes: number;
  /** Containers, calls and memo entries. */
  readonly objects: number;
  /** Marks that are open at once. */
  readonly depth: number;
}

export const LIMITS: Limits = { opcodes: 20_000_000, objects: 3_000_000, depth: 10_000 };

/** Does what an unpickler's stack machine does, with symbols: it imports nothing and calls nothing. */
export interface Machine {
  /** Takes one instruction; true when it was the last one. @throws PickleTrouble */
  step(instruction: Instruction): boolean;
  readonly seen: Seen;
}

/** What came by so far, also when no more can be interpreted. */
export interface Seen {
  /** The object that was built; undefined until the end. */
  value?: Value;
  /** By full name, in the order of the file. */
  readonly globals: Map<string, Global>;
  readonly persistent: Persistent[];
  /** Calls, in the order of the file. */
  readonly calls: Made[];
  /** The opcodes that occur. */
  readonly opcodes: Set<number>;
  protocol: number;
}

export function createMachine(limits: Limits = LIMITS): Machine {
  const seen: Seen = { globals: new Map(), persistent: [], calls: [], opcodes: new Set(), protocol: 0 };
  let stack: Value[] = [];
  const below: Value[][] = [];
  const memo: Value[] = [];
  let memoized = 0;
  let steps = 0;
  let objects = 0;

  const count = () => {
    if (++objects > limits.objects) throw new PickleTrouble(`builds more than ${limits.objects} objects`);
  };
  const made = <T extends Value>(value: T): T => {
    count();
    return value;
  };
  // The stack is another one after a mark was closed: it is looked up when a value is there, not before.
  const push = (value: Value) => {
    stack.push(value);
  };
  const pop = (): Value => {
    const value = stack.pop();
    if (value === undefined) throw new PickleTrouble('takes from an empty stack');
    return value;
  };
  const top = (): Value => {
    const value = stack.at(-1);
    if (value === undefined) throw new PickleTrouble('takes from an empty stack');
    return value;
  };
  /** What lies above the last mark. */
  const popMark = (): Value[] => {
    const items = stack;
    const outer = below.pop();
    if (!outer) throw new PickleTrouble('closes a mark that was never set');
    stack = outer;
    return items;
  };
  const remember = (index: number) => {
    // Unpicklers number what they remember one after the other.
    if (index > limits.objects) throw new PickleTrouble(`remembers an object as number ${index}`);
    if (memo[index] === undefined) {
      memoized++;
      count();
    }
    memo[index] = top();
  };
  const recall = (index: number) => {
    const value = memo[index];
    if (value === undefined) throw new PickleTrouble(`refers to object ${index}, which it never remembered`);
    push(value);
  };
  const imported = (module: string, name: string): Global => {
    const key = `${module}.${name}`;
    const known = seen.globals.get(key);
    if (known) return known;
    const fresh = made<Global>({ kind: 'global', module, name });
    seen.globals.set(key, fresh);
    return fresh;
  };
  const call = (callee: Value, args: readonly Value[]) => {
    const result = made<Made>({ kind: 'made', callee, args });
    seen.calls.push(result);
    push(result);
  };
  const persistent = (id: Value) => {
    const symbol = made<Persistent>({ kind: 'persistent', id });
    seen.persistent.push(symbol);
    push(symbol);
  };
  const append = (items: readonly Value[]) => {
    const target = top();
    if (!isKind(target, 'list') && !isKind(target, 'made')) return;
    target.items ??= [];
    for (const item of items) target.items.push(item);
  };
  const setItems = (items: readonly Value[]) => {
    const target = top();
    if (!isKind(target, 'dict') && !isKind(target, 'made')) return;
    target.entries ??= [];
    for (const entry of pairs(items)) target.entries.push(entry);
  };
  const tuple = (items: readonly Value[]) => push(made<Tuple>({ kind: 'tuple', items }));
  const itemsOf = (value: Value): readonly Value[] =>
    isKind(value, 'tuple') || isKind(value, 'list') ? value.items : [];

  const step = ({ code, operand }: Instruction): boolean => {
    if (++steps > limits.opcodes) throw new PickleTrouble(`takes more than ${limits.opcodes} steps`);
    seen.opcodes.add(code);
    switch (code) {
      case OP.PROTO:
        seen.protocol = operand as number;
        break;
      case OP.FRAME:
        break;
      case OP.STOP:
        seen.value = pop();
        return true;

      case OP.MARK:
        if (below.length >= limits.depth) throw new PickleTrouble(`nests deeper than ${limits.depth} levels`);
        below.push(stack);
        stack = [];
        break;
      case OP.POP:
        if (stack.length > 0) stack.pop();
        else popMark();
        break;
      case OP.POP_MARK:
        popMark();
        break;
      case OP.DUP:
        push(top());
        break;

      case OP.NONE:
        push(null);
        break;
      case OP.NEWTRUE:
      case OP.NEWFALSE:
        push(code === OP.NEWTRUE);
        break;
      case OP.INT:
        push(operand === '01' || operand === '00' ? operand === '01' : numberIn(operand as string));
        break;
      case OP.LONG:
        push(numberIn((operand as string).replace(/L$/, '')));
        break;
      case OP.FLOAT:
        push(Number(operand));
        break;
      case OP.STRING:
        push(unescaped((operand as string).replace(/^(['"])(.*)\1$/s, '$2')));
        break;
      case OP.UNICODE:
        push(unicodeUnescaped(operand as string));
        break;
      case OP.BININT:
      case OP.BININT1:
      case OP.BININT2:
      case OP.LONG1:
      case OP.LONG4:
      case OP.BINFLOAT:
      case OP.BINSTRING:
      case OP.SHORT_BINSTRING:
      case OP.SHORT_BINUNICODE:
      case OP.BINUNICODE:
      case OP.BINUNICODE8:
      case OP.SHORT_BINBYTES:
      case OP.BINBYTES:
      case OP.BINBYTES8:
      case OP.BYTEARRAY8:
        push(operand);
        break;
      case OP.NEXT_BUFFER:
        push({ kind: 'unknown' });
        break;
      case OP.READONLY_BUFFER:
        break;

      case OP.EMPTY_TUPLE:
        tuple([]);
        break;
      case OP.TUPLE1:
      case OP.TUPLE2:
      case OP.TUPLE3: {
        const size = code - OP.TUPLE1 + 1;
        if (stack.length < size) throw new PickleTrouble('takes from an empty stack');
        tuple(stack.splice(-size));
        break;
      }
      case OP.TUPLE:
        tuple(popMark());
        break;
      case OP.EMPTY_LIST:
      case OP.EMPTY_SET:
        push(made<List>({ kind: 'list', items: [] }));
        break;
      case OP.LIST:
      case OP.FROZENSET:
        push(made<List>({ kind: 'list', items: popMark() }));
        break;
      case OP.EMPTY_DICT:
        push(made<Dict>({ kind: 'dict', entries: [] }));
        break;
      case OP.DICT:
        push(made<Dict>({ kind: 'dict', entries: pairs(popMark()) }));
        break;
      case OP.APPEND:
        append([pop()]);
        break;
      case OP.APPENDS:
      case OP.ADDITEMS:
        append(popMark());
        break;
      case OP.SETITEM: {
        const value = pop();
        setItems([pop(), value]);
        break;
      }
      case OP.SETITEMS:
        setItems(popMark());
        break;

      case OP.PUT:
        remember(Number(operand));
        break;
      case OP.BINPUT:
      case OP.LONG_BINPUT:
        remember(operand as number);
        break;
      case OP.MEMOIZE:
        remember(memoized);
        break;
      case OP.GET:
        recall(Number(operand));
        break;
      case OP.BINGET:
      case OP.LONG_BINGET:
        recall(operand as number);
        break;

      case OP.GLOBAL: {
        const [module = '', name = ''] = (operand as string).split('\n');
        push(imported(module, name));
        break;
      }
      case OP.STACK_GLOBAL: {
        const name = pop();
        const module = pop();
        // A name that is computed could be any name.
        push(imported(typeof module === 'string' ? module : '?', typeof name === 'string' ? name : '?'));
        break;
      }
      case OP.EXT1:
      case OP.EXT2:
      case OP.EXT4:
        // A number that the reading program's registry of extensions translates into any name.
        push(imported('copyreg extension', String(operand)));
        break;

      case OP.REDUCE:
      case OP.NEWOBJ: {
        const args = pop();
        call(pop(), itemsOf(args));
        break;
      }
      case OP.NEWOBJ_EX: {
        pop();
        const args = pop();
        call(pop(), itemsOf(args));
        break;
      }
      case OP.INST: {
        const [module = '', name = ''] = (operand as string).split('\n');
        const args = popMark();
        call(imported(module, name), args);
        break;
      }
      case OP.OBJ: {
        const [callee, ...args] = popMark();
        if (callee === undefined) throw new PickleTrouble('takes from an empty stack');
        call(callee, args);
        break;
      }
      case OP.BUILD: {
        const state = pop();
        const target = top();
        if (isKind(target, 'made')) target.state = state;
        break;
      }

      case OP.PERSID:
        persistent(operand as string);
        break;
      case OP.BINPERSID:
        persistent(pop());
        break;
    }
    return false;
  };
  return { step, seen };
}

function pairs(items: readonly Value[]): [Value, Value][] {
  const found: [Value, Value][] = [];
  for (let index = 0; index + 1 < items.length; index += 2)
    found.push([items[index] as Value, items[index + 1] as Value]);
  return found;
}
