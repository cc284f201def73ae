/** Maps paths in a container's image to files of the project, based on the Dockerfile's instructions. */
import { posix } from 'node:path';
import type { Includes } from './includes.ts';
import { type NamedList, UNREAD } from './pipList.ts';

/** A file or folder of the build context, and its path in the image. */
export interface Copied {
  readonly from: string;
  readonly to: string;
}

/** Returns the files that a COPY or ADD instruction puts into an image; `folder` is its working directory. */
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
    // A folder is copied without its name, a file keeps its name inside a folder.
    return [
      { from: path, to: into },
      ...(isFolder && path !== '.' ? [{ from: path, to: posix.join(into, posix.basename(path)) }] : []),
    ];
  });
}

/** Returns the mounts of a RUN instruction: `--mount=type=bind,source=requirements.txt,target=requirements.txt`. */
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

/** Folders in which a build may be started, relative to the Dockerfile. */
const CONTEXTS = ['.', '..', '../..'];

/** Reads the lists named by commands that run in a folder of the image. An ambiguous path yields nothing. */
export function listInImage({ listAt, isThere }: Includes, copied: readonly Copied[], folder: string): NamedList {
  return (path, named) => {
    const place = posix.resolve(folder, path);
    // The last copy overwrites earlier ones.
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
