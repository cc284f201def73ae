import type { FrameworkRuntime, RuntimeDevice } from '../../server/src/stack/facts/facts.ts';

/** What a framework answers that sees this GPU, and tells nothing else. */
export function runtimeSeeing(version: string, device: Pick<RuntimeDevice, 'name' | 'api'> & Partial<RuntimeDevice>) {
  const untold = { uuid: null, computeCapability: null, memoryTotal: null };
  return {
    version,
    available: true,
    devices: [{ index: 0, ...untold, ...device }],
    architectures: null,
    cuda: null,
    cudnn: null,
    cudnnPath: null,
    cudnnBuilt: null,
    failure: null,
  } satisfies FrameworkRuntime;
}
