import { gpuNamed, type ReportReader } from './report.ts';

/** The first line of a GPU; its compute capability follows some lines below. */
const DEVICE =
  /^[ \t]*Device (\d+): "([^"\n]{3,60})"\n(?:[^\n]*\n){0,4}?[ \t]*CUDA Driver Version \/ Runtime Version\s+(\d+\.\d+) \/ \d+\.\d+\n[ \t]*CUDA Capability Major\/Minor version number:\s+(\d+\.\d)/gm;

/** `deviceQuery` from NVIDIA's samples, which people run to test CUDA. */
export const readDeviceQuery: ReportReader = (text) => {
  const devices = [...text.matchAll(DEVICE)];
  const [first] = devices;
  if (first === undefined) return undefined;
  return {
    program: 'deviceQuery',
    at: first.index,
    ...(first[3] && { driverCuda: first[3] }),
    gpus: devices.map(([, index, name = '', , capability = null]) => ({
      ...gpuNamed(name, Number(index)),
      computeCapability: capability,
    })),
  };
};
