import type { Import, Safety } from '../checkpoint.ts';
import { enumerated } from '../enumerated.ts';
import { isKnownOpcode, NEWEST_TORCH } from './allowList.ts';
import type { Pickle } from './interpret.ts';
import { OP } from './opcodes.ts';
import { importedName, standingOf } from './standing.ts';

/** What the pickles of one file would import, each once. */
export function importsOf(pickles: readonly Pickle[]): Import[] {
  const found = new Map<string, Import>();
  for (const { globals } of pickles)
    for (const global of globals.values()) {
      const name = importedName(global);
      found.set(name, { name, standing: standingOf(global) });
    }
  return [...found.values()];
}

/** Judges the pickles that loading a file would read. */
export function judgePickles(pickles: readonly Pickle[]): Safety {
  const imports = importsOf(pickles);
  const those = (standing: Import['standing']) =>
    imports.filter((each) => each.standing === standing).map(({ name }) => name);
  const dangerous = those('dangerous');
  if (dangerous.length > 0)
    return { verdict: 'dangerous', reason: `Unpickling it imports ${listed(dangerous)}, which can run any code.` };
  const troubled = pickles.find(({ trouble }) => trouble !== undefined);
  if (troubled) return { verdict: 'not-checked', reason: `Not checked: its pickle ${troubled.trouble}.` };
  const unknown = those('unknown');
  if (unknown.length > 0) {
    return {
      verdict: 'suspicious',
      reason: `Unpickling it imports ${listed(unknown)}, of which nothing is known. ${refusal([...unknown, ...those('harmless')])}`,
    };
  }
  const harmless = those('harmless');
  if (harmless.length > 0)
    return { verdict: 'refused', reason: `It imports ${listed(harmless)}, which can do no harm. ${refusal(harmless)}` };
  const opcodes = opcodesOf(pickles).filter((name) => !isKnownOpcode(name));
  if (opcodes.length > 0)
    return {
      verdict: 'refused',
      reason: `\`weights_only=True\` refuses it: its pickle has ${listed(opcodes)}, of protocol ${Math.max(...pickles.map(({ protocol }) => protocol))}.`,
    };
  return {
    verdict: 'weights-only',
    reason: `It loads with \`weights_only=True\`, by the list of torch ${NEWEST_TORCH}.`,
  };
}

/** What `weights_only=True` says to names that are not on its list, and the way out. */
function refusal(names: readonly string[]): string {
  return `\`weights_only=True\` refuses it unless \`torch.serialization.add_safe_globals\` is given ${listed(names)}.`;
}

/** The opcodes that occur in pickles, by name. */
export function opcodesOf(pickles: readonly Pickle[]): string[] {
  const seen = new Set(pickles.flatMap(({ opcodes }) => [...opcodes]));
  return Object.entries(OP).flatMap(([name, code]) => (seen.has(code) ? [name] : []));
}

/** Names, the first few of many. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => `\`${name}\``);
  if (names.length > 5) shown.push(`${names.length - 5} more`);
  return enumerated(shown);
}
