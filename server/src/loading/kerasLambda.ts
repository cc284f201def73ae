/** Lambda layers: Python code in a model of Keras, which not every Keras runs and not every Python reads. */

import { isAtLeast, isAtMost } from '../published/versions.ts';
import type { Here } from './here.ts';
import type { KerasFile, KerasRefusal } from './kerasVersions.ts';

/** The first Keras that refuses such code by default, by the format that it is in: CVE-2025-9905 for HDF5. */
const REFUSED_SINCE: Readonly<Record<string, string>> = { keras: '2.13', hdf5: '3.11.3' };

/** Why a Keras certainly does not make the Lambda layers of a model; `isUnsafe` where it is told to run their code. */
export function lambdaRefusal(
  { format, holds, keras: model }: KerasFile,
  version: string,
  python: Here['python'],
  isUnsafe = false,
): KerasRefusal | undefined {
  if (!model?.hasLambda || holds === 'weights') return undefined;
  const since = REFUSED_SINCE[format];
  if (!isUnsafe && since !== undefined && isAtLeast(version, since))
    return {
      because: `Keras ${version} does not run the code of a Lambda layer that a file brings, unless it is told to`,
      remedy: 'With `safe_mode=False` it runs that code: pass it only where you trust whoever made the file.',
    };
  const foreign = model.bytecode.find((each) => python !== undefined && !isReadBy(python, each));
  if (!foreign) return undefined;
  const { since: first, until } = foreign;
  const those = until === undefined ? `${first} or newer` : `${first} to ${until}`;
  return {
    because: `the code of its Lambda layer is the bytecode of Python ${those}, which Python ${python} does not read`,
    remedy: 'Load it with such a Python, and save it with a layer of your own in the place of the Lambda layer.',
  };
}

function isReadBy(python: string, { since, until }: { readonly since: string; readonly until?: string }): boolean {
  return isAtLeast(python, since) && (until === undefined || isAtMost(python, until));
}
