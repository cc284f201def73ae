import {
  lastTensorflowWith,
  type TensorflowRelease,
  tensorflowReleases,
} from '../../published/releases/tensorflowReleases.ts';
import { compareVersions } from '../../published/versions.ts';

/** The start of TensorFlow's and XLA's log lines: "2018-05-28 23:08:09.915921: E tensorflow/...". */
const LOGGED = /\b(20\d\d-\d\d)-\d\d \d\d:\d\d:\d\d\.\d+: [EWFI] /g;

/** Names of a TensorFlow release in text and output. */
const NAMED = /\b(?:tensorflow(?:[-_]gpu)?|tf)(?: version)?\s{0,2}[=:v]{0,3}\s?v?([12]\.\d{1,2})(?=\.\d|[\s,;)]|$)/gi;

/**
 * The newest TensorFlow release that the text may be about, such as "1.8", judging by the release names, dates, folders
 * and Python version in the text.
 */
export function newestTensorflow(text: string, python: string | undefined): string | undefined {
  const named = [...new Set([...text.matchAll(NAMED)].map(([, release = '']) => release))];
  if (named.length === 1) return named[0];
  const written = [...text.matchAll(LOGGED)].map(([, month = '']) => month).sort()[0];
  const bounds = [
    ...(/[\\/]tensorflow_core[\\/]/.test(text) ? [lastTensorflowWith('core_folder')] : []),
    ...(written === undefined
      ? []
      : [newestWhere(({ published }) => published <= written) ?? lastTensorflowWith('before_table')]),
    ...(python === undefined
      ? []
      : [newestWhere((each) => compareVersions(each.python[0], python) <= 0) ?? lastTensorflowWith('before_table')]),
  ];
  return bounds.sort(compareVersions)[0];
}

function newestWhere(isSo: (release: TensorflowRelease) => boolean): string | undefined {
  return tensorflowReleases().find(isSo)?.tensorflow;
}
