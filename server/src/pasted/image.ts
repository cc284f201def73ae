import { type ReportedBuild, type ReportReader, WRITTEN } from './report.ts';
import { systemOf } from './system.ts';

/** An image name in a Dockerfile, after `docker run` or in a sentence: publisher and tag. */
const NAME = /(?<![\w./-])(?:docker\.io\/|ghcr\.io\/)?(pytorch\/pytorch|tensorflow\/tensorflow):([\w.-]*\w)/g;

/** The framework of the only image that a text names, unless something else was installed into it. */
export const readImage: ReportReader = (text) => {
  const named = [...text.matchAll(NAME)];
  const [tag, another] = new Set(named.map(([, , each]) => each));
  const builds = tag === undefined || another !== undefined ? undefined : buildsOf(named[0]?.[1], tag);
  if (builds === undefined) return undefined;
  return { program: WRITTEN.image, isWritten: true, at: text.length, ...systemOf(undefined, 'linux'), builds };
};

/** Images for GPUs. */
function buildsOf(
  name: string | undefined,
  tag: string,
): Partial<Record<'torch' | 'tensorflow', ReportedBuild>> | undefined {
  if (name === 'pytorch/pytorch') {
    const [, version, cuda] = /^(\d+\.\d+(?:\.\d+)?)-cuda(\d+\.\d+)/.exec(tag) ?? [];
    return version === undefined ? undefined : { torch: { version, cuda } };
  }
  const version = /gpu/.test(tag) ? /^(\d+\.\d+\.\d+)/.exec(tag)?.[1] : undefined;
  return version === undefined ? undefined : { tensorflow: { version } };
}
