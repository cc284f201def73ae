/** The images into which Dockerfiles nearby install a requirements list. */
import { basename, dirname, posix, resolve } from 'node:path';
import { isBareImage } from '../published/images.ts';
import type { Installation } from './environmentFile.ts';
import { readDockerfile } from './readers/dockerfile.ts';
import { type Includes, includesOf, type ReadBeside } from './readers/includes.ts';
import { minorsOf } from './versions.ts';

/** Relative to the list. */
const DOCKERFILES = [
  'Dockerfile',
  '../Dockerfile',
  'docker/Dockerfile',
  '../docker/Dockerfile',
  '.devcontainer/Dockerfile',
];

/** Returns what is known of the Python that installs the list with that path; of several Pythons, the range. */
export function imagesOfList(path: string, { textAt }: Includes, read: ReadBeside): Partial<Installation> {
  const found = DOCKERFILES.flatMap((place) => {
    const file = textAt(place, { start: 0, end: 0 });
    return file?.text.includes(basename(path)) ? installing(path, place, file.text, read) : [];
  });
  const pythons = found.map(({ python }) => python);
  const minors = pythons.flatMap((python) => (python === undefined ? [] : minorsOf(python.specifier)));
  const [span] = pythons.flatMap((python) => python?.span ?? []);
  const isKnown = span !== undefined && minors.length > 0 && !pythons.includes(undefined);
  const specifier = `>=3.${Math.min(...minors)},<3.${Math.max(...minors) + 1}`;
  return {
    ...(isKnown && { python: { specifier, span, isOfImage: true } }),
    isIntoOther: found.some(({ image }) => image !== undefined && !isBareImage(image.text)),
  };
}

/** Returns the stages of a Dockerfile that install the list. */
function installing(list: string, place: string, text: string, read: ReadBeside): readonly Installation[] {
  const includes = includesOf(text, (path) => read(posix.join(posix.dirname(place), path)));
  const { installations } = readDockerfile(text, includes);
  const isIt = (path: string) => resolve(dirname(list), posix.dirname(place), path) === resolve(list);
  const parts = includes.files.filter(({ path }) => isIt(path));
  return installations.filter(({ requirements }) =>
    requirements.some(({ span }) =>
      parts.some(({ start, text: own = '' }) => span.start >= start && span.start < start + own.length),
    ),
  );
}
