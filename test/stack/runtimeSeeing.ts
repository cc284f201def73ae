import type { FrameworkRuntime, RuntimeDevice } from '../../server/src/stack/facts/facts.ts';

/** The answer of a framework that sees this GPU and reports nothing else. */
export function runtimeSeeing(version: string, device: Pick<RuntimeDevice, 'name' | 'api'> & Partial<RuntimeDevice>) {
  const notReported = { uuid: null, computeCapability: null, memoryTotal: null };
  return {
    version,
    available: true,
    devices: [{ index: 0, ...notReported, ...device }],
    architectures: null,
    cuda: null,
    cudnn: null,
    cudnnPath: null,
    cudnnBuilt: null,
    failure: null,
  } satisfies FrameworkRuntime;
}
