import { baseImage, driverInImage } from './contradictions/baseImage.ts';
import { besideCuda } from './contradictions/besideCuda.ts';
import { condaAndPip } from './contradictions/condaAndPip.ts';
import { extensionBuilds } from './contradictions/extensionBuilds.ts';
import { familyBuilds } from './contradictions/familyBuilds.ts';
import { indexAlone } from './contradictions/indexAlone.ts';
import { indexAndTag } from './contradictions/indexAndTag.ts';
import { pinnedWheels } from './contradictions/pinnedWheels.ts';
import { replacedInImage } from './contradictions/replacedInImage.ts';
import { replacedPins } from './contradictions/replacedPins.ts';
import { reservation } from './contradictions/reservation.ts';
import { toolkit } from './contradictions/toolkit.ts';
import { twins } from './contradictions/twins.ts';
import { tensorflowOnWindows, windowsCpu } from './contradictions/windowsCpu.ts';
import { withoutGpu } from './contradictions/withoutGpu.ts';
import type { EnvironmentRule } from './environmentRule.ts';

const CONTRADICTIONS = [
  indexAndTag,
  indexAlone,
  familyBuilds,
  besideCuda,
  pinnedWheels,
  replacedPins,
  replacedInImage,
  condaAndPip,
  extensionBuilds,
  twins,
  baseImage,
  driverInImage,
  toolkit,
  withoutGpu,
  reservation,
  windowsCpu,
  tensorflowOnWindows,
];

/** GPU602: builds, indexes and images that contradict each other. */
export const contradictingBuilds: EnvironmentRule = {
  code: 'GPU602',
  name: 'contradicting-builds',
  summary: 'An index, a build or a base image conflicts with another requirement.',
  reports: 'an index, a build or a base image that conflicts with another requirement',
  severity: 'warning',
  check(installation, report, file) {
    for (const judge of CONTRADICTIONS) judge(installation, report, file);
  },
};
