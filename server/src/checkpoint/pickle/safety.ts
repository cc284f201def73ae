import { weightsOnly } from '../../published/releases/weightsOnly.ts';
import type { PickledImport, Safety, Standing } from '../checkpoint.ts';
import { enumeratedCode } from '../enumerated.ts';
import { notChecked } from '../verdicts.ts';
import { firstTorchAccepting, isAllowed, isKnownOpcode } from './allowList.ts';
import { isExplosive } from './expansion.ts';
import { filledIn } from './filled.ts';
import type { Pickle } from './interpret.ts';
import { OP } from './opcodes.ts';
import { callsUnknownTo, rebuiltIn } from './rebuilt.ts';
import { isWindowsOnly, safeGlobalsFor } from './safeGlobals.ts';
import { standingOf } from './standing.ts';
import type { Departure, Effect } from './workspace.ts';

/**
 * Returns the imports of a file's pickles, without duplicates. If a name has two spellings, the worse standing counts.
 */
export function importsOf(pickles: readonly Pickle[]): PickledImport[] {
  const found = new Map<string, PickledImport>();
  for (const { globals } of pickles)
    for (const global of globals.values()) {
      const standing = standingOf(global);
      const known = found.get(global.fullName);
      if (!known || WORST_FIRST.indexOf(standing) < WORST_FIRST.indexOf(known.standing))
        found.set(global.fullName, { name: global.fullName, standing });
    }
  return [...found.values()];
}

const WORST_FIRST: readonly Standing[] = ['dangerous', 'unknown', 'harmless', 'allowed'];

/** Checks the pickles that loading a file would read; the worst thing in them decides the verdict. */
export function judgePickles(pickles: readonly Pickle[]): Safety {
  const imports = importsOf(pickles);
  const those = (standing: Standing) => imports.filter((each) => each.standing === standing).map(({ name }) => name);
  const effects = (standing: Effect['standing']) =>
    pickles.flatMap((pickle) => pickle.effects.filter((effect) => effect.standing === standing).map(withPosition));
  const dangerous = those('dangerous');
  if (dangerous.length > 0)
    return {
      verdict: 'dangerous',
      reason: `Unpickling it imports ${enumeratedCode(dangerous)}, which can run code or access files.`,
    };
  const [harmful] = effects('dangerous');
  if (harmful !== undefined) return { verdict: 'dangerous', reason: `Unpickling it ${harmful}.` };
  const [strange] = [...effects('unknown'), ...pickles.flatMap(anomaliesIn)];
  if (strange !== undefined)
    return { verdict: 'suspicious', reason: `Unpickling it ${strange}, which no pickler writes.` };
  const departures = pickles.flatMap(({ departure }) => departure ?? []);
  const departure = departures.find(({ isMisuse }) => isMisuse) ?? departures[0];
  if (departure?.isMisuse)
    return { verdict: 'suspicious', reason: `Unpickling it ${withPosition(departure)}, which no pickler writes.` };
  if (departure) return { verdict: 'needs-trust', reason: needsTrustReason(departure, those('unknown'), pickles) };
  const why = pickles.flatMap(({ trouble, doubts }) => [...(trouble === undefined ? [] : [trouble]), ...doubts]).at(0);
  if (why !== undefined) return notChecked(`its pickle ${why}`);
  const harmless = those('harmless');
  if (harmless.length > 0)
    return {
      verdict: 'refused',
      reason: `It contains plain data, created by ${enumeratedCode(harmless)}. ${refusal(harmless, pickles)}`,
    };
  const opcodes = opcodesOf(pickles).filter((name) => !isKnownOpcode(name));
  if (opcodes.length > 0)
    return {
      verdict: 'refused',
      reason: `\`weights_only=True\` rejects it: its pickle uses ${enumeratedCode(opcodes)}, from protocol ${Math.max(...pickles.map(({ protocol }) => protocol))}.`,
    };
  const rebuilt = rebuiltIn(pickles);
  const takesCalls = (torch: string) => callsUnknownTo(torch, rebuilt).length === 0;
  const first = firstTorchAccepting(those('allowed'), opcodesOf(pickles), takesCalls);
  return {
    verdict: 'weights-only',
    reason: `It loads with \`weights_only=True\` in torch ${first ?? weightsOnly().newest} and newer.`,
  };
}

/** True if `weights_only=True` of the newest torch version rejects an import or an opcode in them. */
function isRefused(pickles: readonly Pickle[]): boolean {
  const names = importsOf(pickles).map(({ name }) => name);
  return !names.every((name) => isAllowed(name)) || !opcodesOf(pickles).every((name) => isKnownOpcode(name));
}

/** Reports module names that no Python module has, and containers that no program can traverse, as clauses. */
function anomaliesIn(pickle: Pickle): string[] {
  const odd = [...pickle.globals.values()].find(
    ({ module }) => !/^[\p{L}_][\p{L}\p{M}\p{N}_-]*(\.[\p{L}\p{M}\p{N}_-]+)*$/u.test(module),
  );
  return [
    ...(isExplosive(pickle) ? ['builds a structure that expands to more than a billion objects'] : []),
    ...(odd ? [`imports \`${odd.fullName}\``] : []),
  ];
}

/** Describes the first instruction that is not plain data, and other imports that are not plain data. */
function needsTrustReason(departure: Departure, unknown: readonly string[], pickles: readonly Pickle[]): string {
  const trouble = pickles.find((pickle) => pickle.trouble !== undefined)?.trouble;
  const others = unknown.filter((name) => !departure.what.includes(`\`${name}\``));
  const also = others.length > 0 ? [`It also imports ${enumeratedCode(others)}.`] : [];
  const end = trouble ? [`Its pickle ${trouble}.`] : isRefused(pickles) ? [REFUSED] : [];
  return [`Unpickling it ${withPosition(departure)}, so load it only if you trust its source.`, ...also, ...end].join(
    ' ',
  );
}

/** `imports \`networks.Net\` (GLOBAL at byte 2)` */
function withPosition({ what, code, offset }: Effect | Departure): string {
  if (code === undefined) return what;
  const opcode = Object.entries(OP).find(([, value]) => value === code)?.[0];
  return `${what} (${opcode} at byte ${offset})`;
}

/** The end of a reason for a pickle that torch rejects. */
export const REFUSED = '`weights_only=True` rejects it.';

/** Explains that `weights_only=True` rejects names outside its list, and how to allow them. */
function refusal(names: readonly string[], pickles: readonly Pickle[]): string {
  const windows = names.find(isWindowsOnly);
  if (windows !== undefined)
    return `\`weights_only=True\` rejects it, and only Windows can create a \`${windows}\`: it loads nowhere else, no matter what is allowed.`;
  const remedy = safeGlobalsFor(names, filledIn(pickles));
  if (!remedy || opcodesOf(pickles).some((name) => !isKnownOpcode(name))) return REFUSED;
  return `\`weights_only=True\` rejects it unless \`torch.serialization.add_safe_globals\` allows them.`;
}

/** Returns the names of the opcodes in the pickles. */
export function opcodesOf(pickles: readonly Pickle[]): string[] {
  const seen = new Set(pickles.flatMap(({ opcodes }) => [...opcodes]));
  return Object.entries(OP).flatMap(([name, code]) => (seen.has(code) ? [name] : []));
}
