import type { Board, Known, Unknown } from '../facts/facts.ts';
import { type Machine, readTextIfThere } from '../machine/machine.ts';
import { known, readFact } from './readFact.ts';

const RELEASE = '/etc/nv_tegra_release';

/** The NVIDIA system on a chip, such as a Jetson; null for every other machine. */
export async function readBoard(machine: Machine): Promise<Known<Board | null> | Unknown> {
  if (machine.platform !== 'linux') return known(machine, 'platform', null);
  return readFact(machine, RELEASE, async () => {
    const release = await readTextIfThere(machine, RELEASE);
    const kernel = (await readTextIfThere(machine, '/proc/sys/kernel/osrelease').catch(() => undefined)) ?? '';
    if (release === undefined && !/tegra/.test(`${machine.release} ${kernel}`)) return null;
    // It ends with a NUL.
    const model = (await readTextIfThere(machine, '/proc/device-tree/model').catch(() => undefined))?.split('\0')[0];
    const [, major, revision] = release?.match(/R(\d+) \(release\), REVISION: ([\d.]+)/) ?? [];
    return { model: model?.trim() || null, l4t: major === undefined ? null : `${major}.${revision}` };
  });
}
