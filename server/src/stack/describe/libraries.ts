import { knownValue, type NvidiaLibrary, type RuntimeFramework, type StackFacts } from '../facts.ts';
import { builtCudnnOf, gpuCodeOf } from '../gpuCode.ts';
import { inDetail, knownRow, type Row, row } from './row.ts';

const FRAMEWORKS: RuntimeFramework[] = ['torch', 'tensorflow', 'jax', 'onnxruntime'];

/** What frameworks were built for, what they load, and what else lies around. */
export function describeLibraries(facts: StackFacts): Row[] {
  const { cudnns, toolkits, nvidiaWheels, libraryPath } = facts;
  const mac = knownValue(facts.os)?.family === 'macos';
  const builds = FRAMEWORKS.filter((name) => knownValue(facts.frameworks[name])?.target === 'cuda');
  const rows = builds.flatMap((name) => describeBuild(facts, name));

  const loaded = builds.map((name) => knownValue(facts.loadedCudnn[name])?.path);
  const others = knownValue(cudnns)?.filter(({ path }) => !loaded.includes(path)) ?? [];
  for (const library of others) rows.push(knownRow('Another cuDNN', describeLibrary(library), library.path));
  if (builds.length === 0 && others.length === 0 && !mac) rows.push(row('cuDNN', cudnns, () => 'none found'));
  rows.push(...describeRuntimes(facts));

  for (const { root, version, namedBy } of knownValue(toolkits) ?? []) {
    const value = `${version ?? 'of unknown version'}, for compiling; wheels bring their own (${namedBy})`;
    rows.push({ ...knownRow('CUDA toolkit', value, root), known: version !== null });
  }
  if (!knownValue(toolkits)?.length && !mac)
    rows.push(row('CUDA toolkit', toolkits, () => 'none found; wheels need none'));
  for (const { variable, folder, libraries } of knownValue(libraryPath) ?? []) {
    rows.push(inDetail(knownRow(`NVIDIA's in ${variable}`, libraries.join(', '), folder)));
  }
  const wheels = knownValue(nvidiaWheels) ?? [];
  const named = wheels.map(({ name, version }) => `${name} ${version}`).join(', ');
  if (wheels.length > 0) rows.push(inDetail(row("NVIDIA's wheels", nvidiaWheels, () => named)));
  return rows;
}

function describeBuild(facts: StackFacts, name: RuntimeFramework): Row[] {
  const fact = facts.frameworks[name];
  const built = builtCudnnOf(facts, name);
  const code = gpuCodeOf(facts, name);
  return [
    row(`CUDA that ${name} was built for`, fact, (build) => build?.cuda ?? 'unknown'),
    ...(built === undefined
      ? []
      : [inDetail(knownRow(`cuDNN that ${name} was built with`, built.value, built.source))]),
    row(`cuDNN that ${name} loads`, facts.loadedCudnn[name], (library) =>
      library ? describeLibrary(library) : 'none',
    ),
    ...(code === undefined ? [] : [inDetail(knownRow(`GPU code in ${name}`, code.value.join(' '), code.source))]),
  ];
}

/** One is as it should be; several may get into each other's way. */
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
