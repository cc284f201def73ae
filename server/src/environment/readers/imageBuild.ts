/** The image that a service or a dev container builds from a Dockerfile beside it. */
import { posix } from 'node:path';
import type { Installation, Span, SpannedText } from '../environmentFile.ts';
import { readDockerfile } from './dockerfile.ts';
import type { Includes } from './includes.ts';
import { UNREAD } from './pipList.ts';
import { expand } from './shell.ts';

/** How an image is built. */
export interface ImageBuild {
  /** The folder that is built in. */
  readonly context: string;
  /** From the file that asks for the build, as the folder is. */
  readonly dockerfile: string;
  /** The Dockerfile itself, with its offset, where it stands in the file. */
  readonly inline?: { readonly text: string; readonly start: number };
  readonly args: ReadonlyMap<string, SpannedText>;
  /** The stage that is built; the last one where none is named. */
  readonly target: string | undefined;
  /** Where the build is asked for. */
  readonly span: Span;
}

/**
 * What is installed in the image that is built, which is told of where the build is asked for; undefined where its Dockerfile
 * cannot be read. That is judged by itself: what it installs counts here only with arguments of the build's own.
 */
export function builtImage(build: ImageBuild, includes: Includes): Installation | undefined {
  const { context, dockerfile, inline, args, target, span } = build;
  const folder = expand(context, new Map());
  const source = inline ?? includes.textAt(expand(dockerfile, new Map()), span);
  if (source === undefined) return undefined;
  const values = new Map([...args].map(([name, { text }]) => [name, expand(text, new Map())]));
  const { installations, names } = readDockerfile(source.text, inContext(includes, folder), {
    at: source.start,
    args: values,
  });
  const stage = target === undefined ? installations.at(-1) : installations[names.indexOf(target.toLowerCase())];
  if (stage?.image === undefined) return undefined;
  const { text } = stage.image;
  const argument = [...args.values()].find((each) => each.text !== '' && text.includes(each.text));
  return {
    ...stage,
    requirements: inline !== undefined || args.size > 0 ? stage.requirements : [],
    image: { ...stage.image, span: argument?.span ?? span },
  };
}

/** The files of a folder, as its Dockerfile names them; what lies outside of it is in no build. */
function inContext({ listAt, isThere, ...rest }: Includes, folder: string): Includes {
  const isOutside = (path: string) => posix.normalize(path).startsWith('..');
  return {
    ...rest,
    listAt: (path, named) => (isOutside(path) ? UNREAD : listAt(posix.join(folder, path), named)),
    isThere: (path) => !isOutside(path) && isThere(posix.join(folder, path)),
  };
}
