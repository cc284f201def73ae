import type { Budget } from '../budget.ts';
import { COST, LIMITS } from './limits.ts';
import { PickleFailure, PickleTrouble } from './opcodes.ts';
import { type CallResult, type GlobalValue, mayContain, type Persistent, type Value } from './symbols.ts';

/** The parts of a pickle interpreted so far, even if interpretation cannot continue. */
export interface Observations {
  /** The resulting object; undefined until the end. */
  value?: Value;
  /** Keyed by module and name, separated by a line feed, in file order. */
  readonly globals: Map<string, GlobalValue>;
  readonly persistent: Persistent[];
  /** In file order. */
  readonly calls: CallResult[];
  /** The opcodes that occur. */
  readonly opcodes: Set<number>;
  protocol: number;
  /** Differences between readers, as clauses that follow "the pickle". */
  readonly doubts: Set<string>;
  /** Effects on imports and objects that no pickler writes. */
  readonly effects: Effect[];
  /** How often objects that may contain others were pushed again. */
  recalls: number;
  /** States that were set on an object before the last one. */
  readonly states: Value[];
  /** The first instruction outside the grammar of plain data; undefined if there is none. */
  departure?: Departure;
}

/** An instruction of a pickle. */
interface InstructionPlace {
  code: number;
  offset: number;
}

export interface Departure extends Readonly<InstructionPlace> {
  /** Description, as a clause that follows "it". */
  readonly what: string;
  /** True if it uses imports of plain data in a way that plain data never does. */
  readonly isMisuse: boolean;
}

/** An effect of a pickle other than calling its imports, as a clause that follows "Unpickling it". */
export interface Effect extends Readonly<Partial<InstructionPlace>> {
  readonly standing: 'unknown' | 'dangerous';
  readonly what: string;
}

export function noObservations(): Observations {
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

/** An unpickler's stack, memo and observations. All methods throw PickleFailure where an unpickler would fail. */
export interface Workspace {
  readonly seen: Observations;
  /** The current instruction. */
  readonly at: InstructionPlace;
  push(value: Value): void;
  pop(): Value;
  /** True if the stack is empty and no mark is open. */
  isEmpty(): boolean;
  top(): Value;
  /** Pops the last `size` values. */
  popLast(size: number): Value[];
  mark(): void;
  /** Pops the values above the last mark. */
  popMark(): Value[];
  /** Pops the top value, or the last mark if nothing is above it. */
  drop(): void;
  /** Stores the top value in the memo, by default under the next number. */
  remember(index?: number): void;
  recall(index: number): void;
  /** Counts memory of built objects, in bytes. @throws BudgetExhausted */
  count(bytes: number): void;
  /** Counts work, in steps. @throws BudgetExhausted */
  spend(steps: number): void;
}

export function createWorkspace(budget: Budget): Workspace {
  const seen: Observations = noObservations();
  const stack: Value[] = [];
  /** Number of stack slots in use. The array never shrinks, because that would cost more than it saves. */
  let size = 0;
  let highest = 0;
  /** Start of the part above the last mark. */
  let floor = 0;
  const below: number[] = [];
  const memo: Value[] = [];
  let memoized = 0;

  const count = budget.hold;
  const top = () => {
    if (size === floor) throw new PickleFailure('pops from an empty stack');
    return stack[size - 1] as Value;
  };
  const push = (value: Value) => {
    stack[size++] = value;
    if (size <= highest) return;
    highest = size;
    count(COST.place);
  };
  const popLast = (length: number) => {
    if (size - floor < length) throw new PickleFailure('pops from an empty stack');
    size -= length;
    return stack.slice(size, size + length);
  };
  const popMark = () => {
    const outer = below.pop();
    if (outer === undefined) throw new PickleFailure('refers to a mark that was never set');
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
      // Checked first: without an object, every unpickler fails. Text that begins with `r` is not a pickle and has no
      // valid index.
      const value = top();
      // Picklers number remembered objects consecutively.
      if (index < 0 || index > LIMITS.memo) throw new PickleTrouble('stores an object under an impossible memo index');
      if (memo[index] === undefined) {
        memoized++;
        count(COST.place);
      }
      memo[index] = value;
    },
    recall(index) {
      const value = memo[index];
      if (value === undefined) throw new PickleFailure(`refers to memo entry ${index}, which it never stored`);
      if (mayContain(value)) seen.recalls++;
      push(value);
    },
  };
}
