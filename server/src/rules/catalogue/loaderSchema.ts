/** The schema of a loader, the one part of the catalogues that the engine knows: a project may add its own. */
import * as z from 'zod';

export const qualifiedNameSchema = z.string().regex(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$/);
export const documentation = z.url({ protocol: /^https$/ });
/** Counted from 0, without `self` or `cls`. */
export const position = z.int().min(0);

/** A function that reads a checkpoint. */
export const loader = z.strictObject({
  name: qualifiedNameSchema,
  /** For class methods: the class whose subclasses have the method. */
  class: z.string().optional(),
  'device-parameter': z.string(),
  /** Absent for a keyword-only parameter. */
  position: position.optional(),
  /** The default of the loader's parameter `weights_only` in current releases; absent if it has no such parameter. */
  'weights-only': z.boolean().optional(),
  rule: z.literal('GPU101').optional(),
  trap: z.enum(['always', 'url']).optional(),
  /** The releases of Lightning in which the loader does not map devices automatically; absent for all releases. */
  releases: z.strictObject({ first: z.string(), 'fixed-in': z.string() }).optional(),
  /** The library and the first version with this function. */
  since: z
    .string()
    .regex(/^[\w-]+ \d+(\.\d+)*$/)
    .optional(),
  documentation: documentation.optional(),
});

export type Loader = z.infer<typeof loader>;
