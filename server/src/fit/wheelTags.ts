/** The relation between the tags of a wheel and the Python that imports it. */
import type { Interpreter } from '../stack/facts/facts.ts';
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
