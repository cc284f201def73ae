import { shortGpuName } from '../stack/facts/gpuName.ts';
import { readDiffusionInterface, readUltralytics } from './banners.ts';
import { readCollectEnv } from './collectEnv.ts';
import { readCondaList } from './condaList.ts';
import { readDeviceQuery } from './deviceQuery.ts';
import { readDriver } from './driver.ts';
import { readDriverVersions } from './driverVersions.ts';
import { readForm } from './form.ts';
import { readHuggingFace } from './huggingFace.ts';
import { LABELLED_READERS } from './labelledReports.ts';
import { readNvcc } from './nvcc.ts';
import { readReportedNvidiaSmi } from './nvidiaSmi.ts';
import { readNvidiaSmiQuery } from './nvidiaSmiQuery.ts';
import { readInstallation, readReportedPipList } from './pipList.ts';
import type { Report, ReportReader } from './report.ts';
import { minor } from './sameMachine.ts';
import { readTensorflowLog } from './tensorflow.ts';
import { readXformersWarning } from './xformersWarning.ts';

const READERS: readonly ReportReader[] = [
  readCollectEnv,
  readReportedNvidiaSmi,
  readNvidiaSmiQuery,
  readDeviceQuery,
  readDriver,
  readDriverVersions,
  readNvcc,
  readReportedPipList,
  readInstallation,
  readCondaList,
  readHuggingFace,
  readTensorflowLog,
  ...LABELLED_READERS,
  readXformersWarning,
  readUltralytics,
  readDiffusionInterface,
];

/**
 * Returns the reports about one machine in a text, by precedence: program output, then forms filled in by a
 * person. A report that contradicts earlier ones belongs to another machine or time, and is ignored.
 */
export function reportsIn(text: string): Report[] {
  const printed = READERS.flatMap((read) => read(text) ?? []).sort((left, right) => left.at - right.at);
  const written = readForm(text, printed.length > 0) ?? [];
  const kept: Report[] = [];
  for (const report of [printed, written].flat())
    if (kept.every((each) => agree(each, report))) kept.push(report.isWritten ? withoutRepeated(report, kept) : report);
  return kept;
}

/** A person's words add nothing to facts that a program reports. */
function withoutRepeated(
  { builds = {}, packages, runtime: _, ...ofMachine }: Report,
  known: readonly Report[],
): Report {
  const left = Object.entries(builds).filter(([name]) => !known.some((report) => tells(report, name)));
  const hasList = known.some((report) => report.packages?.length);
  return { ...ofMachine, builds: Object.fromEntries(left), ...(packages && !hasList && { packages }) };
}

function tells({ builds, packages }: Report, framework: string): boolean {
  return framework in (builds ?? {}) || Boolean(packages?.some(({ name }) => name.split('-')[0] === framework));
}

/** True if two reports can be about one machine, by the facts in both. */
function agree(one: Report, other: Report): boolean {
  const pairs: [string | undefined, string | undefined][] = [
    [one.os?.family, other.os?.family],
    [one.driver, other.driver],
    [minor(one.python), minor(other.python)],
    [minor(torchOf(one)), minor(torchOf(other))],
    [minor(one.builds?.tensorflow?.version), minor(other.builds?.tensorflow?.version)],
  ];
  const isAlike = pairs.every(([left, right]) => left === undefined || right === undefined || left === right);
  return isAlike && nameOneGpu(gpuOf(one), gpuOf(other));
}

function gpuOf({ gpus }: Report): string | undefined {
  const name = gpus?.[0]?.name;
  return (
    name &&
    shortGpuName(name)
      .replace(/\.{3}$/, '')
      .toLowerCase()
  );
}

/** Tables cut names, and people abbreviate long ones. */
function nameOneGpu(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one.startsWith(other) || other.startsWith(one);
}

function torchOf({ builds, packages, conda }: Report): string | undefined {
  return (
    builds?.torch?.version ??
    packages?.find(({ name }) => name === 'torch')?.version ??
    conda?.packages.find(({ name }) => name === 'pytorch')?.version
  );
}
