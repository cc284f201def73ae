import type { Budget } from '../budget.ts';
import type { Actions, OpcodeAction } from './actions.ts';
import { CONTAINERS } from './containers.ts';
import { recordDuplicate, recordLeftovers } from './effects.ts';
import { STEPS } from './limits.ts';
import { wholeNumberIn } from './literals.ts';
import { OBJECTS } from './objects.ts';
import { type Instruction, OP, type Operand, operandLine, PickleFailure } from './opcodes.ts';
import { checkResult } from './plainData.ts';
import { PLAIN_VALUES } from './plainValues.ts';
import type { Value } from './symbols.ts';
import { createWorkspace, type Observations, type Workspace } from './workspace.ts';

/** An unpickler's stack machine that works on symbols: it does not import or call anything. */
interface PickleMachine {
  /** Executes the instruction at an offset; returns true for the last one. @throws PickleTrouble */
  step(instruction: Instruction, offset: number): boolean;
  /** Returns the top of the stack. @throws PickleTrouble */
  top(): Value;
  readonly seen: Observations;
}

const NEWEST_PROTOCOL = 5;

/** Opcodes that only move existing values. */
const STACK_AND_MEMO: Actions = {
  [OP.PROTO]: ({ seen }, operand) => {
    if ((operand as number) > NEWEST_PROTOCOL) throw new PickleFailure(`has protocol ${operand}, which is unknown`);
    seen.protocol = operand as number;
  },
  [OP.FRAME]: () => {},
  [OP.MARK]: ({ mark }) => mark(),
  [OP.POP]: ({ drop }) => drop(),
  [OP.POP_MARK]: ({ popMark }) => {
    popMark();
  },
  [OP.DUP]: (workspace) => {
    workspace.push(workspace.top());
    recordDuplicate(workspace);
  },
  [OP.PUT]: (workspace, operand) => workspace.remember(indexIn(workspace, operand)),
  [OP.BINPUT]: ({ remember }, operand) => remember(operand as number),
  [OP.LONG_BINPUT]: ({ remember }, operand) => remember(operand as number),
  [OP.MEMOIZE]: ({ remember }) => remember(),
  [OP.GET]: (workspace, operand) => workspace.recall(indexIn(workspace, operand)),
  [OP.BINGET]: ({ recall }, operand) => recall(operand as number),
  [OP.LONG_BINGET]: ({ recall }, operand) => recall(operand as number),
};

/** Parses a memo index as protocol 0 spells it. */
function indexIn({ seen, spend }: Workspace, operand: Operand): number {
  const line = operandLine(operand);
  spend(STEPS.number + line.length ** 2 * STEPS.digitPair);
  const { value, isUsual } = wholeNumberIn(line, 10);
  if (!isUsual) seen.doubts.add('encodes a number in a way that no pickler does');
  return Number(value);
}

const ACTIONS: (OpcodeAction | undefined)[] = [];
for (const group of [STACK_AND_MEMO, PLAIN_VALUES, CONTAINERS, OBJECTS])
  for (const [code, action] of Object.entries(group)) ACTIONS[Number(code)] = action;

export function createMachine(budget: Budget): PickleMachine {
  const workspace = createWorkspace(budget);
  const { seen, pop, top, isEmpty, at } = workspace;
  return {
    seen,
    top,
    step({ code, operand }, offset) {
      budget.spend(STEPS.instruction);
      seen.opcodes.add(code);
      at.code = code;
      at.offset = offset;
      if (code === OP.STOP) {
        seen.value = pop();
        checkResult(workspace, seen.value);
        if (!isEmpty()) recordLeftovers(workspace);
        return true;
      }
      ACTIONS[code]?.(workspace, operand);
      return false;
    },
  };
}
