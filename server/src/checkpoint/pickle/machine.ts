import type { Action, Actions } from './actions.ts';
import { CONTAINERS } from './containers.ts';
import { LIMITS, type Limits } from './limits.ts';
import { OBJECTS } from './objects.ts';
import { type Instruction, OP, PickleTrouble } from './opcodes.ts';
import { PLAIN_VALUES } from './plainValues.ts';
import { createWorkspace, type Seen } from './workspace.ts';

/** Does what an unpickler's stack machine does, with symbols: it imports nothing and calls nothing. */
export interface Machine {
  /** Takes one instruction; true when it was the last one. @throws PickleTrouble */
  step(instruction: Instruction): boolean;
  readonly seen: Seen;
}

/** The opcodes that only move what is there. */
const STACK_AND_MEMO: Actions = {
  [OP.PROTO]: ({ seen }, operand) => {
    seen.protocol = operand as number;
  },
  [OP.FRAME]: () => {},
  [OP.MARK]: ({ mark }) => mark(),
  [OP.POP]: ({ drop }) => drop(),
  [OP.POP_MARK]: ({ popMark }) => {
    popMark();
  },
  [OP.DUP]: ({ push, top }) => push(top()),
  [OP.PUT]: ({ remember }, operand) => remember(Number(operand)),
  [OP.BINPUT]: ({ remember }, operand) => remember(operand as number),
  [OP.LONG_BINPUT]: ({ remember }, operand) => remember(operand as number),
  [OP.MEMOIZE]: ({ remember }) => remember(),
  [OP.GET]: ({ recall }, operand) => recall(Number(operand)),
  [OP.BINGET]: ({ recall }, operand) => recall(operand as number),
  [OP.LONG_BINGET]: ({ recall }, operand) => recall(operand as number),
};

const ACTIONS: (Action | undefined)[] = [];
for (const group of [STACK_AND_MEMO, PLAIN_VALUES, CONTAINERS, OBJECTS])
  for (const [code, action] of Object.entries(group)) ACTIONS[Number(code)] = action;

export function createMachine(limits: Limits = LIMITS): Machine {
  const workspace = createWorkspace(limits);
  const { seen, pop } = workspace;
  let steps = 0;
  return {
    seen,
    step({ code, operand }) {
      if (++steps > limits.opcodes) throw new PickleTrouble(`takes more than ${limits.opcodes} steps`);
      seen.opcodes.add(code);
      if (code === OP.STOP) {
        seen.value = pop();
        return true;
      }
      ACTIONS[code]?.(workspace, operand);
      return false;
    },
  };
}
