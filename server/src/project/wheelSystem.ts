import type { OperatingSystem } from '../stack/facts/facts.ts';
import type { WheelSystem } from '../stack/releases/publishedWheels.ts';

/** The system as tables of wheels name it; undefined for one that none are published for. */
export function wheelSystemOf(os: OperatingSystem | undefined): WheelSystem | undefined {
  const isArm = os?.architecture === 'arm64';
  switch (os?.family) {
    case 'linux':
      return isArm ? 'a' : 'l';
    case 'macos':
      return isArm ? 'm' : 'i';
    case 'windows':
      return isArm ? undefined : 'w';
    default:
      return undefined;
  }
}
