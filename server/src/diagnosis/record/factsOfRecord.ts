import { withOneLineTexts } from '../../printable.ts';
import { capabilityOf } from '../../published/gpuCapabilities.ts';
import type { Fact, Gpu, OperatingSystem, StackFacts, UnknownFact } from '../../stack/facts/facts.ts';
import { forEachFramework, forEachRuntime, nothingYet } from '../../stack/facts/nothingYet.ts';
import type { RecordedGpu, RecordedStack } from './recordedStack.ts';
import { RECORD_FILE } from './recordFile.ts';

const NEVER = '1970-01-01T00:00:00.000Z';

/**
 * The machine that a project has recorded, as facts: system, driver, GPUs and Python. The rest of the record is about
 * an environment, and unknown here.
 */
export function factsOfRecord({ system, driver, 'driver-cuda': cuda, gpus, python }: RecordedStack): StackFacts {
  const known = <T>(value: T): Fact<T> => ({ value: withOneLineTexts(value), source: RECORD_FILE, readAt: NEVER });
  const unless = <T>(value: T | undefined): Fact<T> => (value === undefined ? NOT_RECORDED : known(value));
  const nvidia = gpus?.filter(({ name }) => !isOther(name)).flatMap(gpusOf);
  const others = (gpus ?? []).filter(({ name }) => isOther(name)).map(({ name }) => acceleratorOf(name));
  const { version: _, frameworks: __, loadedCudnn: ___, runtime: ____, ...rest } = nothingYet();
  const nothing = Object.fromEntries(Object.keys(rest).map((name) => [name, NOT_RECORDED])) as typeof rest;
  return {
    ...nothing,
    version: 1,
    os: unless(system && osOf(system)),
    wsl: known(system?.wsl === undefined ? null : system.wsl === '1' ? 1 : 2),
    container: known(system?.container ?? null),
    board: known(null),
    driver: unless(driver),
    driverCuda: unless(cuda),
    gpus: unless(nvidia?.map((gpu, index) => ({ ...gpu, index }))),
    otherAccelerators: known(others),
    interpreter: unless(python === undefined ? undefined : interpreterOf(python)),
    frameworks: forEachFramework<UnknownFact>(NOT_RECORDED),
    loadedCudnn: forEachRuntime(() => NOT_RECORDED),
    runtime: forEachRuntime(() => NOT_RECORDED),
  };
}

const NOT_RECORDED: UnknownFact = { source: RECORD_FILE, readAt: NEVER, cause: 'notAsked', unknown: 'not recorded' };

function osOf({ os, architecture }: NonNullable<RecordedStack['system']>): OperatingSystem | undefined {
  if (os === undefined) return undefined;
  const family = /windows/i.test(os) ? 'windows' : /mac ?os|darwin/i.test(os) ? 'macos' : 'linux';
  return { family, name: os, architecture: architecture ?? 'x64', processor: null, kernel: '', libc: null };
}

function gpusOf({ name, count = '1', 'compute-capability': capability }: RecordedGpu): Omit<Gpu, 'index'>[] {
  const gpu = {
    name,
    uuid: null,
    memoryTotal: null,
    memoryUsed: null,
    utilization: null,
    computeCapability: capability ?? capabilityOf(name),
    mig: null,
    migInstances: [],
  };
  return Array.from({ length: Number(count) }, () => gpu);
}

/** AMD GPUs by their instruction sets, and Apple's by their chips, as they are recorded. */
function isOther(name: string): boolean {
  return /^(gfx\d|Apple|AMD|Intel)/.test(name);
}

function acceleratorOf(name: string) {
  const architecture = name.startsWith('gfx') ? name : null;
  const devices = [{ name, architecture, memoryTotal: null }];
  const common = { sign: RECORD_FILE, version: null, devices };
  if (name.startsWith('Apple')) return { vendor: 'apple' as const, api: 'mps' as const, ...common };
  if (name.startsWith('Intel')) return { vendor: 'intel' as const, api: 'xpu' as const, ...common };
  return { vendor: 'amd' as const, api: 'rocm' as const, ...common };
}

function interpreterOf(version: string) {
  return {
    path: '',
    version,
    prefix: '',
    environment: 'other' as const,
    architecture: null,
    chosenBy: RECORD_FILE,
    sitePackages: [],
  };
}
