/** Which file of a project a path in a container's image is, as far as the Dockerfile tells. */
import { posix } from 'node:path';
import type { Includes } from './includes.ts';
import { type NamedList, UNREAD } from './pipList.ts';

/** A file or folder of the build context, and the place in the image that it is put at. */
export interface Copied {
  readonly from: string;
  readonly to: string;
}

/** What an instruction COPY or ADD puts into an image, whose commands run in that folder. */
export function copiedBy(argument: string, folder: string): Copied[] {
  const words = /^\s*\[/.test(argument)
    ? [...argument.matchAll(/"([^"]*)"/g)].map(([, word = '']) => word)
    : argument.split(/\s+/).filter((word) => word !== '');
  if (words.some((word) => word.startsWith('--from'))) return [];
  const places = words.filter((word) => !word.startsWith('--'));
  const target = places.pop();
  if (target === undefined) return [];
  const isFolder = places.length > 1 || /\/$|^\.{1,2}$/.test(target);
  return places.flatMap((from) => {
    const path = posix.normalize(from).replace(/^\/+|\/+$/g, '');
    if (/[$*?[]|:\/\//.test(from)) return [];
    const into = posix.resolve(folder, target);
    // A folder is copied without its name, a file into a folder with it.
    return [
      { from: path, to: into },
      ...(isFolder && path !== '.' ? [{ from: path, to: posix.join(into, posix.basename(path)) }] : []),
    ];
  });
}

/** What a RUN mounts for its commands: `--mount=type=bind,source=requirements.txt,target=requirements.txt`. */
export function mountedBy(argument: string, folder: string): Copied[] {
  return [...argument.matchAll(/--mount=(\S+)/g)].flatMap(([, options = '']) => {
    const of = (...names: string[]) =>
      options
        .split(',')
        .flatMap((each) => (names.includes(each.split('=')[0] ?? '') ? [each.split('=')[1] ?? ''] : []))[0];
    const target = of('target', 'dst', 'destination');
    if (of('type') !== 'bind' || of('from') !== undefined || target === undefined) return [];
    return [{ from: posix.normalize(of('source', 'src') ?? '.'), to: posix.resolve(folder, target) }];
  });
}

/** From a Dockerfile, the folders that its build may be started in. */
const CONTEXTS = ['.', '..', '../..'];

/** Reads the lists that commands name which run in a folder of the image; nothing where two files may be meant. */
export function listInImage({ listAt, isThere }: Includes, copied: readonly Copied[], folder: string): NamedList {
  return (path, named) => {
    const place = posix.resolve(folder, path);
    // What was copied last lies over what was there.
    for (const { from, to } of copied.toReversed()) {
      const rest = posix.relative(to, place);
      if (rest.startsWith('..')) continue;
      const found = CONTEXTS.map((context) => posix.join(context, from, rest)).filter(isThere);
      const [only] = found;
      if (only !== undefined) return found.length === 1 ? listAt(only, named) : UNREAD;
    }
    return UNREAD;
  };
}
