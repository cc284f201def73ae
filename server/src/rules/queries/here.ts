import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { type DeviceCount, type TorchDevices, torchDevices } from '../../stack/readers/torchDevices.ts';

/** What is known of the machine and of the selected Python, as far as checkpoints are concerned. */
export interface Here {
  readonly devices: TorchDevices;
  /** The installed version; null where it is known not to be installed, undefined where nothing is known. */
  readonly torch?: string | null;
  readonly keras?: string | null;
}

/** What the rules and the editor want to know of the stack. */
export function hereFrom(facts: StackFacts): Here {
  const { torch, keras } = facts.frameworks;
  return { devices: torchDevices(facts), torch: versionOf(torch), keras: versionOf(keras) };
}

function versionOf(fact: StackFacts['frameworks']['torch' | 'keras']): string | null | undefined {
  const build = knownValue<{ version: string } | null>(fact);
  return build === null ? null : build?.version;
}

/** A kind of device that a file needs and the machine lacks. */
export interface Missing extends DeviceCount {
  /** As the file names them: `cuda:1`, `cuda:3`. */
  readonly devices: readonly string[];
}

/** The devices among these that torch certainly does not find here. */
export function missingDevices(devices: readonly string[], here: Here): Missing[] {
  const missing = new Map<DeviceCount, string[]>();
  for (const device of devices) {
    const found = countOf(device, here);
    const index = Number(/:(\d+)$/.exec(device)?.[1] ?? 0);
    if (found && index >= found.count) missing.set(found, [...(missing.get(found) ?? []), device]);
  }
  return [...missing].map(([found, those]) => ({ ...found, devices: those }));
}

/** How many devices of this one's kind torch finds here; undefined where that is not known. */
export function countOf(device: string, { devices }: Here): DeviceCount | undefined {
  const kind = device.replace(/:\d+$/, '');
  return kind === 'cuda' || kind === 'mps' || kind === 'xpu' ? devices[kind] : undefined;
}
