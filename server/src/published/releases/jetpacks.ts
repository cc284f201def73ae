import { dataOnUse } from '../dataOnUse.ts';
import { compareVersions } from '../versions.ts';

interface Jetpacks {
  jetpacks: { since: string; jetpack: string; cuda: string }[];
  boards: { model: string; capability: string; own_code?: true }[];
}

const jetpacks = dataOnUse<Jetpacks>(import.meta.dirname, 'jetpacks');

/** The JetPack of a release of Linux for Tegra ("32.4.3"), and the CUDA version that it includes. */
export function jetpackOf(l4t: string): { jetpack: string; cuda: string } | undefined {
  return jetpacks().jetpacks.find(({ since }) => compareVersions(l4t, since) >= 0);
}

/** The first release of Linux for Tegra in a JetPack ("6.2"), or in the latest known one before it. */
export function linuxOfJetpack(jetpack: string): string | undefined {
  return jetpacks().jetpacks.find((each) => compareVersions(jetpack, each.jetpack) >= 0)?.since;
}

/** True for the compute capability of boards for which only NVIDIA's own builds contain code. */
export function hasBuildsOfNvidia(capability: string): boolean {
  return jetpacks().boards.some((each) => each.own_code && each.capability === capability);
}

/** The compute capability of a board, by its model ("NVIDIA Jetson Nano Developer Kit"). */
export function capabilityOfBoard(model: string): string | undefined {
  return jetpacks().boards.find(({ model: word }) => model.includes(word))?.capability;
}
