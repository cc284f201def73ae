import { dataOnUse } from '../dataOnUse.ts';
import { isAtLeast } from '../versions.ts';

/** A form of a call in a pickle that old releases of torch do not accept: a key under `calls` in the table. */
type CallForm = 'marked_tensor' | 'other_sparse_layout' | 'coalesced_sparse_tensor';

/** A regular expression for names, with the first release that has them. */
interface NamesSince {
  readonly names: string;
  readonly since: string;
}

interface Table {
  readonly compared: string;
  readonly script_formats: Readonly<Record<string, number>>;
  readonly calls: Readonly<Record<CallForm, string>>;
  readonly names: Readonly<Record<string, string>>;
  readonly dropped: Readonly<Record<string, string>>;
  readonly numpy: readonly NamesSince[];
  readonly python: readonly NamesSince[];
}

const data = dataOnUse<Table>(import.meta.dirname, 'torchFiles');

/** The newest torch that the table covers. */
export function newestComparedTorch(): string {
  return data().compared;
}

/**
 * The newest version of TorchScript's file format that a torch reads; undefined for releases older or newer than the
 * table.
 */
export function newestScript(torch: string): number | undefined {
  const { compared, script_formats } = data();
  if (isAtLeast(torch, compared)) return undefined;
  return Object.entries(script_formats).findLast(([since]) => isAtLeast(torch, since))?.[1];
}

/** The first torch that accepts a form of a call. */
export function firstTorchTakingCall(form: CallForm): string {
  return data().calls[form];
}

/** True if a torch does not have a name yet. */
export function isNewerThanTorch(name: string, torch: string): boolean {
  return isAmong(name, data().names, (since) => !isAtLeast(torch, since));
}

/** True if a torch no longer has a name. */
export function isDroppedByTorch(name: string, torch: string): boolean {
  return isAmong(name, data().dropped, (since) => isAtLeast(torch, since));
}

function isAmong(
  name: string,
  byRelease: Readonly<Record<string, string>>,
  applies: (release: string) => boolean,
): boolean {
  return Object.entries(byRelease).some(([release, names]) => applies(release) && names.split(' ').includes(name));
}

/** The first NumPy or Python that has a name; undefined for names that all releases have or that belong to neither. */
export function firstWithName(owner: 'numpy' | 'python', name: string): string | undefined {
  return data()[owner].find(({ names }) => new RegExp(names).test(name))?.since;
}
