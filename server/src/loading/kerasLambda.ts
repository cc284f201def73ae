/**
 * Lambda layers: Python code in a Keras model, which not every Keras version runs and not every Python version can
 * read.
 */

import { type KerasFeature, kerasHas } from '../published/releases/kerasReleases.ts';
import { isAtLeast, isAtMost } from '../published/versions.ts';
import type { Here } from './here.ts';
import type { KerasFile, KerasRefusal } from './kerasVersions.ts';

/** The feature that rejects this code by default, by format. */
const REFUSALS: Readonly<Record<string, KerasFeature>> = { keras: 'refuses_lambda', hdf5: 'refuses_lambda_in_hdf5' };

/**
 * Returns why a Keras version certainly does not create a model's Lambda layers. `isUnsafe` is true if the call allows
 * it to run their code.
 */
export function lambdaRefusal(
  { format, holds, keras: model }: KerasFile,
  version: string,
  python: Here['python'],
  isUnsafe = false,
): KerasRefusal | undefined {
  if (!model?.hasLambda || holds === 'weights') return undefined;
  const refusal = REFUSALS[format];
  if (!isUnsafe && refusal !== undefined && kerasHas(refusal, version))
    return {
      because: `Keras ${version} does not run the code of a Lambda layer in a file by default`,
      remedy: 'With `safe_mode=False` it runs that code: use it only if you trust the author of the file.',
    };
  const foreign = model.bytecode.find((each) => python !== undefined && !isReadBy(python, each));
  if (!foreign) return undefined;
  const { since: first, until } = foreign;
  const those = until === undefined ? `${first} or newer` : `${first} to ${until}`;
  return {
    because: `the code of its Lambda layer is bytecode for Python ${those}, which Python ${python} cannot read`,
    remedy: 'Load it with one of those Python versions, and save it with a custom layer instead of the Lambda layer.',
  };
}

function isReadBy(python: string, { since, until }: { readonly since: string; readonly until?: string }): boolean {
  return isAtLeast(python, since) && (until === undefined || isAtMost(python, until));
}
