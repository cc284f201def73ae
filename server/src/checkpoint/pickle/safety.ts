import type { Import, Safety } from '../checkpoint.ts';
import { enumerated } from '../enumerated.ts';
import { notChecked } from '../verdicts.ts';
import { firstTorchTaking, isKnownOpcode, NEWEST_TORCH } from './allowList.ts';
import { filledIn } from './filled.ts';
import type { Pickle } from './interpret.ts';
import { OP } from './opcodes.ts';
import { isOfWindows, safeGlobalsFor } from './safeGlobals.ts';
import { standingOf } from './standing.ts';
import { unusualUsesOf } from './uses.ts';
import type { Deed } from './workspace.ts';

/** What the pickles of one file would import, each once. */
export function importsOf(pickles: readonly Pickle[]): Import[] {
  const found = new Map<string, Import>();
  for (const { globals } of pickles)
    for (const global of globals.values()) {
      found.set(global.fullName, { name: global.fullName, standing: standingOf(global) });
    }
  return [...found.values()];
}

/** Judges the pickles that loading a file would read: the worst of what is in them counts. */
export function judgePickles(pickles: readonly Pickle[]): Safety {
  const imports = importsOf(pickles);
  const those = (standing: Import['standing']) =>
    imports.filter((each) => each.standing === standing).map(({ name }) => name);
  const deeds = (standing: Deed['standing']) =>
    pickles.flatMap((pickle) => pickle.deeds.filter((deed) => deed.standing === standing).map(({ what }) => what));
  const dangerous = those('dangerous');
  if (dangerous.length > 0)
    return {
      verdict: 'dangerous',
      reason: `Unpickling it imports ${listed(dangerous)}, which can run code or reach files.`,
    };
  const [harmful] = deeds('dangerous');
  if (harmful !== undefined) return { verdict: 'dangerous', reason: `Unpickling it ${harmful}.` };
  const unknown = those('unknown');
  if (unknown.length > 0) {
    const trouble = pickles.find(({ trouble }) => trouble !== undefined)?.trouble;
    const reason = `Unpickling it imports ${listed(unknown)}, of which nothing is known. `;
    return { verdict: 'suspicious', reason: reason + (trouble ? `Its pickle ${trouble}.` : REFUSED) };
  }
  const [strange] = [...deeds('unknown'), ...pickles.flatMap(unusualUsesOf)];
  if (strange !== undefined)
    return { verdict: 'suspicious', reason: `Unpickling it ${strange}, which no pickler writes.` };
  const why = pickles.flatMap(({ trouble, doubts }) => [...(trouble === undefined ? [] : [trouble]), ...doubts]).at(0);
  if (why !== undefined) return notChecked(`its pickle ${why}`);
  const harmless = those('harmless');
  if (harmless.length > 0)
    return {
      verdict: 'refused',
      reason: `It imports ${listed(harmless)}, which can do no harm. ${refusal(harmless, pickles)}`,
    };
  const opcodes = opcodesOf(pickles).filter((name) => !isKnownOpcode(name));
  if (opcodes.length > 0)
    return {
      verdict: 'refused',
      reason: `\`weights_only=True\` refuses it: its pickle has ${listed(opcodes)}, of protocol ${Math.max(...pickles.map(({ protocol }) => protocol))}.`,
    };
  const first = firstTorchTaking(those('allowed'), opcodesOf(pickles));
  return {
    verdict: 'weights-only',
    reason: `It loads with \`weights_only=True\` of torch ${first ?? NEWEST_TORCH} and newer.`,
  };
}

/** How a reason ends that says what torch makes of such a pickle. */
export const REFUSED = '`weights_only=True` refuses it.';

/** What `weights_only=True` says to names that are not on its list, and the way out. */
function refusal(names: readonly string[], pickles: readonly Pickle[]): string {
  const windows = names.find(isOfWindows);
  if (windows !== undefined)
    return `\`weights_only=True\` refuses it, and only Windows can make a \`${windows}\`: nowhere else does it load, whatever is allowed.`;
  const remedy = safeGlobalsFor(names, filledIn(pickles));
  if (!remedy || opcodesOf(pickles).some((name) => !isKnownOpcode(name))) return REFUSED;
  return `\`weights_only=True\` refuses it unless \`torch.serialization.add_safe_globals\` allows them.`;
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
