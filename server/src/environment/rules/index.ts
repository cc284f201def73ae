import { buildIsolation } from './buildIsolation.ts';
import { contradictingBuilds } from './contradictingBuilds.ts';
import { deadPackage } from './deadPackage.ts';
import type { EnvironmentRule } from './environmentRule.ts';
import { incompatibleVersions } from './incompatibleVersions.ts';
import { versionBesideFile } from './installedVersion.ts';
import { missingWheel } from './missingWheel.ts';
import { oldGpuCode } from './oldGpuCode.ts';
import { rejectedRequirement } from './rejectedRequirement.ts';
import { staleImage } from './staleImage.ts';
import { torchFamilyMismatch } from './torchFamilyMismatch.ts';
import { unpinnedStack } from './unpinnedStack.ts';

/** All rules for environment files, by code. A new rule needs a line here. */
export const environmentRules: readonly EnvironmentRule[] = [
  torchFamilyMismatch,
  contradictingBuilds,
  deadPackage,
  missingWheel,
  unpinnedStack,
  incompatibleVersions,
  buildIsolation,
  oldGpuCode,
  staleImage,
  versionBesideFile,
  rejectedRequirement,
];
