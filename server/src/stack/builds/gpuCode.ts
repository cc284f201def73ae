import { asOf } from '../../published/releases/releaseData.ts';
import { type FrameworkBuild, knownValue, type RuntimeFramework, type StackFacts } from '../facts/facts.ts';
import { codeOfCondaTorch, cudnnInCondaTorch } from './condaTorch.ts';
import {
  type OfficialWheel,
  officialJaxPlugin,
  officialOnnxruntimeWheel,
  officialTensorflowWheel,
  officialTorchWheel,
} from './officialWheels.ts';

/** A value with its source: the framework itself, otherwise its files, otherwise its publisher. */
interface Sourced<T> {
  value: T;
  source: string;
}

/** The GPU architectures in a framework, such as "sm_80" and "compute_90"; undefined if unknown. */
export function gpuCodeOf(facts: StackFacts, framework: RuntimeFramework): Sourced<string[]> | undefined {
  const own = facts.runtime[framework];
  const said = knownValue(own)?.architectures;
  if (said?.length) return { value: said, source: own.source };
  const build = knownValue(facts.frameworks[framework]);
  if (build?.architectures?.length) return { value: build.architectures, source: facts.frameworks[framework].source };
  const conda = framework === 'torch' && build ? ofConda(facts, build) : undefined;
  if (conda !== undefined) return conda;
  const published = publishedOf(facts, framework, build)?.architectures;
  return published?.length ? { value: published, source: publisherOf(framework, build) } : undefined;
}

function ofConda({ condaPackages, os }: StackFacts, build: FrameworkBuild): Sourced<string[]> | undefined {
  return codeOfCondaTorch(build, knownValue(condaPackages) ?? [], knownValue(os));
}

/** The cuDNN that a framework was built with, such as "9.1.0" or "9.3"; undefined if unknown. */
export function builtCudnnOf(facts: StackFacts, framework: RuntimeFramework): Sourced<string> | undefined {
  const own = facts.runtime[framework];
  const said = knownValue(own)?.cudnnBuilt;
  if (said) return { value: said, source: own.source };
  const build = knownValue(facts.frameworks[framework]);
  const conda = knownValue(facts.condaPackages) ?? [];
  const inside = framework === 'torch' && build?.target === 'cuda' ? cudnnInCondaTorch(build, conda) : undefined;
  if (inside !== undefined) return { value: inside, source: facts.condaPackages.source };
  const recorded = build?.cudnn ?? undefined;
  const published = publishedOf(facts, framework, build)?.cudnn;
  if (published && !recorded?.includes('.')) return { value: published, source: publisherOf(framework, build) };
  return recorded === undefined ? undefined : { value: recorded, source: facts.frameworks[framework].source };
}

function publishedOf(
  facts: StackFacts,
  framework: RuntimeFramework,
  build: FrameworkBuild | null | undefined,
): OfficialWheel | undefined {
  if (!build) return undefined;
  switch (framework) {
    case 'torch':
      return officialTorchWheel(build, knownValue(facts.os));
    case 'tensorflow':
      return officialTensorflowWheel(build);
    case 'onnxruntime':
      return officialOnnxruntimeWheel(build);
    case 'jax':
      return officialJaxPlugin(knownValue(facts.packages) ?? []);
  }
}

const PUBLISHERS: Record<RuntimeFramework, { publisher: string; table?: string }> = {
  torch: { publisher: 'PyTorch', table: 'torchReleases' },
  tensorflow: { publisher: 'TensorFlow', table: 'tensorflowReleases' },
  jax: { publisher: 'JAX', table: 'jaxReleases' },
  onnxruntime: { publisher: 'ONNX Runtime' },
};

function publisherOf(framework: RuntimeFramework, build: FrameworkBuild | null | undefined): string {
  const { publisher, table } = PUBLISHERS[framework];
  const date = table === undefined ? '' : `, as of ${asOf(table)}`;
  return `what ${publisher} publishes about ${build?.name} ${build?.version}${date}`;
}
