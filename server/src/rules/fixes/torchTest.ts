/** Tests for a GPU, using the name that torch has at the place. */
import type { Program } from '../../guards/program.ts';
import type { Call, Node } from '../../python/syntax/nodes.ts';
import { type ModuleText, torchAt } from './modules.ts';
import { quotedNear } from './quotes.ts';

/** Returns `torch.cuda` as in a call of one of its functions, else by torch's own name. */
export function cudaModuleOf(program: Program, call: Call): ModuleText | undefined {
  const { func } = call;
  if (func.kind === 'Attribute' && program.names.qualify(func.value).includes('torch.cuda')) {
    return { text: program.text.slice(func.value.start, func.value.end), edits: [] };
  }
  const torch = torchAt(program, call);
  return torch && { ...torch, text: `${torch.text}.cuda` };
}

/** Returns `if torch.cuda.is_available() else "cpu"`, which follows an expression that needs a GPU. */
export function elseCpu(program: Program, near: Node, torch: ModuleText): string {
  return ` if ${torch.text}.cuda.is_available() else ${quotedNear(program, near, 'cpu')}`;
}
