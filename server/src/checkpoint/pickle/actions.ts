import type { Operand } from './opcodes.ts';
import type { Workspace } from './workspace.ts';

/** The effect of an opcode on an unpickler's stack and memo. */
export type OpcodeAction = (workspace: Workspace, operand: Operand) => void;

export type Actions = Readonly<Record<number, OpcodeAction>>;
