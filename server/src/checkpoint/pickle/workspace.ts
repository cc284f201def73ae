import type { Budget } from '../budget.ts';
import { COST, LIMITS } from './limits.ts';
import { PickleFailure, PickleTrouble } from './opcodes.ts';
import { type Global, type Made, mayHold, type Persistent, type Value } from './symbols.ts';

/** What came by so far, also when no more can be interpreted. */
export interface Seen {
  /** The object that was built; undefined until the end. */
  value?: Value;
  /** By module and name with a line feed between them, in the order of the file. */
  readonly globals: Map<string, Global>;
  readonly persistent: Persistent[];
  /** Calls, in the order of the file. */
  readonly calls: Made[];
  /** The opcodes that occur. */
  readonly opcodes: Set<number>;
  protocol: number;
  /** What its readers read in different ways, as clauses that follow "the pickle". */
  readonly doubts: Set<string>;
  /** What it does with imports and objects that no pickler writes. */
  readonly effects: Effect[];
  /** How often an object that may hold others was put on the stack once more. */
  recalls: number;
  /** States that were put into an object before the last one. */
  readonly states: Value[];
  /** The first instruction that leaves the grammar of plain data; undefined for a pickle that is nothing else. */
  departure?: Departure;
}

/** An instruction of a pickle. */
export interface Place {
  code: number;
  offset: number;
}

export interface Departure extends Readonly<Place> {
  /** What it does, as a clause that follows "it". */
  readonly what: string;
  /** True where it takes imports of plain data for something that they never are in plain data. */
  readonly isMisuse: boolean;
}

/** Something that a pickle does besides calling what it imports, as a clause that follows "Unpickling it". */
export interface Effect extends Readonly<Partial<Place>> {
  readonly standing: 'unknown' | 'dangerous';
  readonly what: string;
}

export function seenNothing(): Seen {
  return {
    globals: new Map(),
    persistent: [],
    calls: [],
    opcodes: new Set(),
    protocol: 0,
    doubts: new Set(),
    effects: [],
    recalls: 0,
    states: [],
  };
}

/** An unpickler's stack, its memo, and what it met. Everything throws PickleFailure where an unpickler fails. */
export interface Workspace {
  readonly seen: Seen;
  /** The instruction that is taken at the moment. */
  readonly at: Place;
  push(value: Value): void;
  pop(): Value;
  /** True when nothing is left, and no mark is open. */
  isEmpty(): boolean;
  top(): Value;
  /** The last `size` values, taken from the stack. */
  popLast(size: number): Value[];
  mark(): void;
  /** What lies above the last mark, taken from the stack. */
  popMark(): Value[];
  /** Takes the top value, or the last mark where nothing lies above it. */
  drop(): void;
  /** Keeps the top value as that number; by default as the next one. */
  remember(index?: number): void;
  recall(index: number): void;
  /** Counts what is built, in bytes. @throws BudgetExhausted */
  count(bytes: number): void;
  /** Counts work, in steps. @throws BudgetExhausted */
  spend(steps: number): void;
}

export function createWorkspace(budget: Budget): Workspace {
  const seen: Seen = seenNothing();
  const stack: Value[] = [];
  /** How much of the stack is in use; it never shrinks, which would cost more than it saves. */
  let size = 0;
  let highest = 0;
  /** Where the part above the last mark begins. */
  let floor = 0;
  const below: number[] = [];
  const memo: Value[] = [];
  let memoized = 0;

  const count = budget.hold;
  const top = () => {
    if (size === floor) throw new PickleFailure('takes from an empty stack');
    return stack[size - 1] as Value;
  };
  const push = (value: Value) => {
    stack[size++] = value;
    if (size <= highest) return;
    highest = size;
    count(COST.place);
  };
  const popLast = (length: number) => {
    if (size - floor < length) throw new PickleFailure('takes from an empty stack');
    size -= length;
    return stack.slice(size, size + length);
  };
  const popMark = () => {
    const outer = below.pop();
    if (outer === undefined) throw new PickleFailure('closes a mark that was never set');
    const items = stack.slice(floor, size);
    size = floor;
    floor = outer;
    return items;
  };

  return {
    seen,
    at: { code: 0, offset: 0 },
    count,
    spend: budget.spend,
    push,
    top,
    popLast,
    popMark,
    pop() {
      const value = top();
      size--;
      return value;
    },
    isEmpty: () => size === 0 && below.length === 0,
    mark() {
      if (below.length >= LIMITS.depth) throw new PickleTrouble(`nests deeper than ${LIMITS.depth} levels`);
      below.push(floor);
      floor = size;
    },
    drop() {
      if (size > floor) size--;
      else popMark();
    },
    remember(index = memoized) {
      // Without an object, every unpickler fails: text that begins with `r` is no pickle, and its bytes are no number.
      const value = top();
      // Unpicklers number what they remember one after the other.
      if (index < 0 || index > LIMITS.memo) throw new PickleTrouble('remembers an object under an impossible number');
      if (memo[index] === undefined) {
        memoized++;
        count(COST.place);
      }
      memo[index] = value;
    },
    recall(index) {
      const value = memo[index];
      if (value === undefined) throw new PickleFailure(`refers to object ${index}, which it never remembered`);
      if (mayHold(value)) seen.recalls++;
      push(value);
    },
  };
}
