import { readData } from '../../dataFiles.ts';
import { compareVersions } from '../versions.ts';

interface Jetpacks {
  jetpacks: { since: string; jetpack: string; cuda: string }[];
  boards: { model: string; capability: string; own_code?: true }[];
}

let table: Jetpacks | undefined;

function jetpacks(): Jetpacks {
  table ??= readData<Jetpacks>(import.meta.dirname, 'jetpacks');
  return table;
}

/** The JetPack of a release of Linux for Tegra ("32.4.3") and the CUDA that it brings. */
export function jetpackOf(l4t: string): { jetpack: string; cuda: string } | undefined {
  return jetpacks().jetpacks.find(({ since }) => compareVersions(l4t, since) >= 0);
}

/** The first release of Linux for Tegra that came with a JetPack ("6.2"), or with the one before it of which that is known. */
export function linuxOfJetpack(jetpack: string): string | undefined {
  return jetpacks().jetpacks.find((each) => compareVersions(jetpack, each.jetpack) >= 0)?.since;
}

/** True for the compute capability of boards for which NVIDIA's own builds hold code that no published build has. */
export function hasBuildsOfNvidia(capability: string): boolean {
  return jetpacks().boards.some((each) => each.own_code && each.capability === capability);
}

/** The compute capability of a board, by its model ("NVIDIA Jetson Nano Developer Kit"). */
export function capabilityOfBoard(model: string): string | undefined {
  return jetpacks().boards.find(({ model: word }) => model.includes(word))?.capability;
}
