import { besideCuda, familyBuilds, indexAlone, indexAndTag, pinnedWheels } from './contradictions/builds.ts';
import { baseImage, driverInImage, extensionBuilds, replacedInImage, toolkit } from './contradictions/images.ts';
import { condaAndPip, replacedPins, twins } from './contradictions/replaced.ts';
import { declaredTensorflowOnWindows, windowsCpu } from './contradictions/windowsCpu.ts';
import { reservation, withoutGpu } from './contradictions/withoutGpu.ts';
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
  declaredTensorflowOnWindows,
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
