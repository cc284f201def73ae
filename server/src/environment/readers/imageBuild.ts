/** The image that a service or a dev container builds from a Dockerfile. */
import { posix } from 'node:path';
import type { Installation, LocatedSpan, SpannedText } from '../environmentFile.ts';
import { expand } from '../shell/line.ts';
import { readDockerfile } from './dockerfile.ts';
import type { Includes } from './includes.ts';
import { UNREAD } from './pipList.ts';

/** The parameters of an image build. */
export interface ImageBuild {
  /** The build context. */
  readonly context: string;
  /** Relative to the file that describes the build, like the folder. */
  readonly dockerfile: string;
  /** The Dockerfile's content, with its offset, if it is inline. */
  readonly inline?: { readonly text: string; readonly start: number };
  readonly args: ReadonlyMap<string, SpannedText>;
  /** The stage to build; by default the last one. */
  readonly target: string | undefined;
  /** The place that requests the build. */
  readonly span: LocatedSpan;
}

/**
 * Returns the installation in the image that is built, to be reported at the build; undefined if its Dockerfile cannot
 * be read. The Dockerfile is checked separately, so its packages count here only if the build has arguments.
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

/** Reads files in a folder by their paths in a Dockerfile. A build cannot use files outside of the folder. */
function inContext({ listAt, isThere, ...rest }: Includes, folder: string): Includes {
  const isOutside = (path: string) => posix.normalize(path).startsWith('..');
  return {
    ...rest,
    listAt: (path, named) => (isOutside(path) ? UNREAD : listAt(posix.join(folder, path), named)),
    isThere: (path) => !isOutside(path) && isThere(posix.join(folder, path)),
  };
}
