import type { Build } from '../fit/build.ts';
import { majorOf, minorOf } from '../published/versions.ts';
import type { CommandTarget } from './commandTarget.ts';
import { placeAfterLine } from './objections.ts';

type Builds = CommandTarget['installed'];

/** Returns the framework builds that a command installs, by distribution, if the tables know them. */
function installedBuilds(command: string, place: CommandTarget): Builds {
  return placeAfterLine(command, { ...place, installed: {} }).installed;
}

/**
 * True if a command installs a framework in a different build than each of several other commands that install it, too:
 * the commands in one answer would undo each other.
 */
export function contradictsCommands(command: string, others: readonly string[], place: CommandTarget): boolean {
  const those = others.map((each) => installedBuilds(each, place));
  return Object.entries(installedBuilds(command, place)).some(([name, build]) => {
    const rivals = those.flatMap((builds) => builds[name] ?? []);
    return build !== undefined && rivals.length > 0 && !rivals.some((each) => isSameBuild(each, build));
  });
}

/** True for one release, target and major version of CUDA. */
function isSameBuild(one: Build, other: Build): boolean {
  const kind = ({ version, target, cuda, rocm }: Build) =>
    [minorOf(version ?? ''), target, cuda && majorOf(cuda), rocm && minorOf(rocm)].join(' ');
  return kind(one) === kind(other);
}
