/** The relation between wheels and the Python that imports them: by their tags, or by what a release was published for. */
import type { Pythons } from '../published/releases/publishedWheels.ts';
import { isWithin } from '../published/versions.ts';
import type { Interpreter } from '../stack/facts/facts.ts';
import type { PublishedBuild } from './build.ts';
import type { Fit } from './relation.ts';

/** The Python or the platform that the wheel is for, if it is another one: "Python 3.11". */
interface TagDetails {
  readonly builtFor: string;
}

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/linux/, 'linux'],
  [/^macosx/, 'macos'],
  [/^win/, 'windows'],
];

/** Returns whether a wheel with tags such as "cp311-cp311-manylinux_2_28_x86_64" fits a Python on a system. */
export function wheelFor(
  tags: readonly string[],
  { version, architecture }: Pick<Interpreter, 'version' | 'architecture'>,
  system: string | undefined,
): Fit<TagDetails> {
  const [major, minor] = (version ?? '').split('.').map(Number);
  if (major !== 3 || minor === undefined || system === undefined) return { fit: 'unknown', missing: 'the Python' };
  const each = tags.map((tag) => {
    const [python = '', abi = '', platform = ''] = tag.split('-');
    const own = Number(/^cp3(\d+)$/.exec(python)?.[1] ?? Number.NaN);
    const isOfPython = Number.isNaN(own) || own === minor || (abi === 'abi3' && own <= minor);
    const of = SYSTEMS.find(([pattern]) => pattern.test(platform))?.[1] ?? system;
    const processor = /(?:x86_64|amd64)$/.test(platform) ? 'x64' : /(?:arm64|aarch64)$/.test(platform) ? 'arm64' : null;
    const isOfProcessor = processor === null || architecture === null || processor === architecture;
    return { isOfPython, isHere: of === system && isOfProcessor, python: `Python 3.${own}`, platform };
  });
  const [first] = each;
  if (first === undefined || each.some(({ isOfPython, isHere }) => isOfPython && isHere))
    return { fit: 'holds', builtFor: '' };
  return { fit: 'fails', builtFor: first.isOfPython ? first.platform : first.python };
}

/** True unless a Python ("3.12") is known to be none of those that a build has wheels for. */
export function mayRunIn({ python: range }: Pick<PublishedBuild, 'python'>, python: string | undefined): boolean {
  return python === undefined || range === null || isWithin(python, range);
}

/**
 * Returns whether a release has wheels for one of these minor versions of Python 3. Pythons newer than those of the
 * newest release may have wheels by now.
 */
export function wheelsFor(wheels: readonly Pythons[], minors: readonly number[], isNewest: boolean): Fit {
  const newest = Math.max(...wheels.map(([, to]) => to));
  const isNewer = isNewest && minors.every((minor) => minor > newest);
  if (wheels.length === 0 || minors.length === 0 || isNewer) return { fit: 'unknown', missing: 'the wheels' };
  return { fit: wheels.some(([from, to]) => minors.some((minor) => from <= minor && minor <= to)) ? 'holds' : 'fails' };
}
