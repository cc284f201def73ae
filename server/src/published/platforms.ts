/** Systems with published wheels; on macOS, the default is Apple's own processor. */
export type WheelSystem = 'linux' | 'linux-arm' | 'windows' | 'macos' | 'macos-intel';

export const WHEEL_SYSTEMS: readonly WheelSystem[] = ['linux', 'linux-arm', 'macos-intel', 'windows', 'macos'];

/** The system, by the names of published wheels; undefined for a system without any. */
export function wheelSystemOf(os: string | undefined, architecture: string | undefined): WheelSystem | undefined {
  const isArm = architecture === 'arm64';
  switch (os) {
    case 'linux':
      return isArm ? 'linux-arm' : 'linux';
    case 'macos':
      return isArm ? 'macos' : 'macos-intel';
    case 'windows':
      return isArm ? undefined : 'windows';
    default:
      return undefined;
  }
}
