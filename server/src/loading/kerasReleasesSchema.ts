/** The form of kerasReleases.yaml. Its type is taken from here, and a test holds the file to it. */
import * as z from 'zod';

/** Versions of one line of Keras, first and last: `keras 3..3.8.0`, `tensorflow ..2.9`. */
const releaseRange = z.string().regex(/^(keras|tensorflow) (\d+(\.\d+)*)?\.\.(\d+(\.\d+)*)?$/);
const className = z.string().regex(/^[A-Za-z_]\w*$/);
const triedReleases = z.array(z.string().regex(/^\d+(\.\d+)+$/)).min(1);

/** What classes of Keras refuse, and which of them a release lacks. */
export const kerasReleasesSchema = z.strictObject({
  /** The releases on which all of it was tried; ranges end at these. */
  tried: z.strictObject({ 'keras-2': triedReleases, tensorflow: triedReleases, 'keras-3': triedReleases }),
  arguments: z.array(
    z.strictObject({
      argument: className,
      of: z.array(className).min(1),
      'refused-by': z.array(releaseRange).min(1),
      /** True for what is read only to compile the model: with `compile=False` it does no harm. */
      compiled: z.literal(true).optional(),
    }),
  ),
  /** Names of losses that are not found where HDF5 files have them. */
  losses: z.array(z.strictObject({ names: z.array(className).min(1), 'refused-by': z.array(releaseRange).min(1) })),
  classes: z.array(z.strictObject({ missing: z.array(className).min(1), in: z.array(releaseRange).min(1) })),
});
export type KerasReleases = z.infer<typeof kerasReleasesSchema>;
