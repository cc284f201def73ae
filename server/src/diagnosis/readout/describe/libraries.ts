import { codeFits } from '../../../published/codeFits.ts';
import { builtCudnnOf, gpuCodeOf } from '../../../stack/builds/gpuCode.ts';
import { knownValue, type NvidiaLibrary, type RuntimeFramework, type StackFacts } from '../../../stack/facts/facts.ts';
import { RUNTIME_FRAMEWORKS } from '../../../stack/facts/nothingYet.ts';
import { inDetail, knownRow, type Row, row } from './row.ts';

/** The libraries that frameworks were built for, those that they load, and other installed ones. */
export function describeLibraries(facts: StackFacts): Row[] {
  const { cudnns, toolkits, nvidiaWheels, libraryPath } = facts;
  const builds = RUNTIME_FRAMEWORKS.filter((name) => knownValue(facts.frameworks[name])?.target === 'cuda');
  const rows = builds.flatMap((name) => describeBuild(facts, name));

  const loaded = builds.map((name) => knownValue(facts.loadedCudnn[name])?.path);
  const others = knownValue(cudnns)?.filter(({ path }) => !loaded.includes(path)) ?? [];
  for (const library of others) rows.push(knownRow('Another cuDNN', describeLibrary(library), library.path));
  if (builds.length === 0 && others.length === 0 && mayUseCuda(facts))
    rows.push(row('cuDNN', cudnns, () => 'none found'));
  rows.push(...describeRuntimes(facts));

  for (const { root, version, namedBy } of knownValue(toolkits) ?? []) {
    const value = `${version ?? 'unknown version'}, for compiling; wheels include their own CUDA (${namedBy})`;
    rows.push({ ...knownRow('CUDA toolkit', value, root), known: version !== null });
  }
  if (!knownValue(toolkits)?.length && mayUseCuda(facts))
    rows.push(row('CUDA toolkit', toolkits, () => 'none found (pip wheels do not need one)'));
  for (const { variable, folder, libraries } of knownValue(libraryPath) ?? []) {
    rows.push(inDetail(knownRow(`NVIDIA's in ${variable}`, libraries.join(', '), folder)));
  }
  const wheels = knownValue(nvidiaWheels) ?? [];
  const named = wheels.map(({ name, version }) => `${name} ${version}`).join(', ');
  if (wheels.length > 0) rows.push(inDetail(row("NVIDIA's wheels", nvidiaWheels, () => named)));
  return rows;
}

/** True if the only GPU is a Mac's or another vendor's, which does not use CUDA. */
function mayUseCuda({ os, gpus, otherAccelerators }: StackFacts): boolean {
  if (knownValue(gpus)?.length) return true;
  return knownValue(os)?.family !== 'macos' && !knownValue(otherAccelerators)?.length;
}

function describeBuild(facts: StackFacts, name: RuntimeFramework): Row[] {
  const fact = facts.frameworks[name];
  const loaded = facts.loadedCudnn[name];
  const built = builtCudnnOf(facts, name);
  const code = gpuCodeOf(facts, name);
  const cuda = row(`CUDA that ${name} was built for`, fact, (build) => build?.cuda ?? 'unknown');
  const rows = [{ ...cuda, source: knownValue(fact)?.targetFrom ?? cuda.source }];
  if (built !== undefined && !isSame(built.value, knownValue(loaded)?.version))
    rows.push(knownRow(`cuDNN that ${name} was built with`, built.value, built.source));
  rows.push(row(`cuDNN that ${name} loads`, loaded, (library) => (library ? describeLibrary(library) : 'none')));
  if (code !== undefined) {
    const value = `${code.value.join(' ')}${runsToo(facts, code.value)}`;
    rows.push(inDetail(knownRow(`GPU code in ${name}`, value, code.source)));
  }
  return rows;
}

/** Code for a lower number of the GPU's own generation runs unchanged, even if a framework warns. */
function runsToo({ gpus }: StackFacts, code: string[]): string {
  const other = (knownValue(gpus) ?? []).find(
    ({ computeCapability: capability }) =>
      capability !== null &&
      !code.includes(`sm_${capability.replace('.', '')}`) &&
      codeFits(code, capability) === 'native',
  );
  return other ? `, which runs on this GPU (${other.computeCapability}) unchanged` : '';
}

/** Compares versions that may differ in precision: "9.3" equals "9.3.0", and "9" equals "9.10.2". */
function isSame(built: string, loaded: string | undefined): boolean {
  return loaded !== undefined && (`${loaded}.`.startsWith(`${built}.`) || `${built}.`.startsWith(`${loaded}.`));
}

/** Lists several installations, which may interfere; a single one is normal. */
function describeRuntimes({ cudaRuntimes }: StackFacts): Row[] {
  const list = knownValue(cudaRuntimes) ?? [];
  return list.map((library) => {
    const each = knownRow('CUDA runtime', describeLibrary(library), library.path);
    return list.length > 1 ? each : inDetail(each);
  });
}

const ORIGINS: Record<NvidiaLibrary['origin'], string> = {
  wheel: "NVIDIA's wheel",
  torch: 'inside torch',
  conda: 'conda package',
  libraryPath: 'library path',
  toolkit: 'CUDA toolkit',
  system: 'system library',
};

function describeLibrary({ version, origin, package: wheel }: NvidiaLibrary): string {
  return `${version} (${wheel === null ? ORIGINS[origin] : `${ORIGINS[origin]} ${wheel}`})`;
}
