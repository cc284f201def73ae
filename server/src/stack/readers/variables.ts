import { gpuVariables } from '../../published/variables.ts';
import type { KnownFact, UnknownFact } from '../facts/facts.ts';
import { environmentVariable, type Machine } from '../machine/machine.ts';
import { readFact } from './readFact.ts';

/** The relevant variables in this process; a terminal or a kernel may have others. */
export function readVariables(machine: Machine): Promise<KnownFact<Record<string, string>> | UnknownFact> {
  return readFact(machine, 'environment of this process', async () => {
    const found: Record<string, string> = {};
    for (const name of gpuVariables()) {
      const value = environmentVariable(machine, name);
      if (value !== undefined) found[name] = value;
    }
    return found;
  });
}
