/** Lambda layers: Python code in a Keras model, which not every Keras version runs. */
import { type KerasFeature, kerasHas } from '../published/releases/kerasReleases.ts';
import type { KerasFile, KerasRefusal } from './kerasVersions.ts';

/** The feature that rejects this code by default, by format. */
const REFUSALS: Readonly<Record<string, KerasFeature>> = { keras: 'refuses_lambda', hdf5: 'refuses_lambda_in_hdf5' };

/** Returns why a Keras version certainly does not create a model's Lambda layers by default. */
export function lambdaRefusal({ format, holds, keras: model }: KerasFile, version: string): KerasRefusal | undefined {
  const refusal = REFUSALS[format];
  if (!model?.hasLambda || holds === 'weights' || refusal === undefined || !kerasHas(refusal, version))
    return undefined;
  return {
    because: `Keras ${version} does not run the code of a Lambda layer in a file by default`,
    remedy: 'With `safe_mode=False` it runs that code: use it only if you trust the author of the file.',
  };
}
