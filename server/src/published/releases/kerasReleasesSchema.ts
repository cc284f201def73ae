/** Schema of kerasReleases.yaml. Its type is derived from the schema, and a test validates the file. */
import * as z from 'zod';

/** A range of versions in one line of Keras: `keras 3..3.8.0`, `tensorflow ..2.9`. */
const releaseRange = z.string().regex(/^(keras|tensorflow) (\d+(\.\d+)*)?\.\.(\d+(\.\d+)*)?$/);
const className = z.string().regex(/^[A-Za-z_]\w*$/);
const triedReleases = z.array(z.string().regex(/^\d+(\.\d+)+$/)).min(1);

const release = z.string().regex(/^\d+(\.\d+)+$/);

/** Features of Keras by release, what its classes reject, and which of them a release lacks. */
export const kerasReleasesSchema = z.strictObject({
  as_of: z.string().regex(/^20\d\d-\d\d$/),
  /** The first release with a feature. */
  first: z.strictObject({
    tensorflow_number: release,
    h5py_3: release,
    registered_optimizers: release,
    keras_files: release,
    moved_modules: release,
    refuses_lambda: release,
    refuses_lambda_in_hdf5: release,
    keras_3: release,
    flat_inputs: release,
  }),
  /** The tested releases; ranges end at these. */
  tried: z.strictObject({ 'keras-2': triedReleases, tensorflow: triedReleases, 'keras-3': triedReleases }),
  arguments: z.array(
    z.strictObject({
      argument: className,
      of: z.array(className).min(1),
      'refused-by': z.array(releaseRange).min(1),
      /** True for arguments that are only read to compile the model; with `compile=False` they are harmless. */
      compiled: z.literal(true).optional(),
    }),
  ),
  /** Names of losses that a release cannot find with their spelling in HDF5 files. */
  losses: z.array(z.strictObject({ names: z.array(className).min(1), 'refused-by': z.array(releaseRange).min(1) })),
  classes: z.array(z.strictObject({ missing: z.array(className).min(1), in: z.array(releaseRange).min(1) })),
});
export type KerasReleases = z.infer<typeof kerasReleasesSchema>;
