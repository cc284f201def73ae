import { publishedReleases } from '../../../published/releases/publishedWheels.ts';
import { tensorflowReleaseOf } from '../../../published/releases/tensorflowReleases.ts';
import { compareVersions } from '../../../published/versions.ts';
import { message, quoted } from '../../../rules/engine/message.ts';
import type { Installation, Requirement } from '../../environmentFile.ts';
import { minorsOf } from '../../versions.ts';
import { isOfPypi, type Missing } from './missing.ts';

/** Reports an `and-cuda` of TensorFlow that pins a package of which PyPI has no such release, or no wheel. */
export function missingExtra(requirement: Requirement, { python }: Installation): Missing | undefined {
  const { name, pin, extras } = requirement;
  const release = name === 'tensorflow' && pin ? tensorflowReleaseOf(pin.text) : undefined;
  if (!pin || !release?.andCuda || !extras.some(({ text }) => text === 'and-cuda') || !isOfPypi(requirement))
    return undefined;
  const what = quoted(`tensorflow[and-cuda] ${pin.text}`);
  if (release.noAndCuda !== undefined && compareVersions(pin.text, release.noAndCuda) === 0) {
    const patches = (publishedReleases(name) ?? []).filter(({ version }) =>
      version.startsWith(`${release.tensorflow}.`),
    );
    const version = patches.at(-1)?.version ?? '';
    return {
      message: message`pip cannot install ${what}: it needs a TensorRT that PyPI lacks. Use ${version}.`,
      version,
    };
  }
  const minors = python ? minorsOf(python.specifier) : [];
  const last = Number(release.andCudaUntil.split('.')[1]);
  if (minors.length === 0 || minors.some((minor) => minor <= last)) return undefined;
  return {
    message: message`pip cannot install ${what}: it needs a TensorRT without wheels for Python 3.${last + 1} and newer.`,
    related: python ? [{ span: python.span, message: 'Python is chosen here.' }] : [],
  };
}
