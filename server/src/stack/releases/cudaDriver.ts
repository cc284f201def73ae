/**
 * Which NVIDIA driver a build for a CUDA version needs, and which build of torch suits a driver.
 * Sources: NVIDIA's CUDA Toolkit release notes (driver table, minor-version compatibility) and CUDA Compatibility guide;
 * PyTorch's release compatibility matrix.
 */

/**
 * The lowest drivers on which any program of a CUDA family starts. From CUDA 11 on a family shares one floor; before,
 * each minor version has its own.
 */
const DRIVER_FLOORS: { cuda: string; linux: string; windows: string }[] = [
  { cuda: '13', linux: '580.65.06', windows: '580' },
  { cuda: '12', linux: '525.60.13', windows: '528.33' },
  { cuda: '11', linux: '450.80.02', windows: '452.39' },
  { cuda: '10.2', linux: '440.33', windows: '441.22' },
  { cuda: '10.1', linux: '418.39', windows: '418.96' },
  { cuda: '10.0', linux: '410.48', windows: '411.31' },
];

export type DriverSystem = 'linux' | 'windows';

/** The lowest driver for a build for that CUDA version ("12.4", "12"), or undefined for versions without a known one. */
export function lowestDriver(cuda: string, system: DriverSystem): string | undefined {
  return DRIVER_FLOORS.find((floor) => cuda === floor.cuda || cuda.startsWith(`${floor.cuda}.`))?.[system];
}

/** Compares dotted versions number by number: 570.26 is lower than 570.124.06. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [left.split('.').map(Number), right.split('.').map(Number)];
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Wheels of PyTorch's own index, those with the newer torch first: the lowest driver is that of their CUDA family;
 * `capabilities` are the lowest and the highest compute capability that they hold code for.
 */
const TORCH_WHEELS: { tag: string; cuda: string; capabilities: [string, string] }[] = [
  { tag: 'cu130', cuda: '13.0', capabilities: ['7.5', '12.1'] },
  { tag: 'cu126', cuda: '12.6', capabilities: ['5.0', '9.0'] },
  { tag: 'cu128', cuda: '12.8', capabilities: ['7.5', '12.1'] },
  { tag: 'cu118', cuda: '11.8', capabilities: ['3.7', '9.0'] },
];

/** The tag of the wheels of torch that run with this driver on these GPUs, or undefined where none does. */
export function torchWheelFor(driver: string, system: DriverSystem, capabilities: string[]): string | undefined {
  return TORCH_WHEELS.find(({ cuda, capabilities: [lowest, highest] }) => {
    const floor = lowestDriver(cuda, system);
    if (floor === undefined || compareVersions(driver, floor) < 0) return false;
    return capabilities.every((each) => compareVersions(each, lowest) >= 0 && compareVersions(each, highest) <= 0);
  })?.tag;
}
