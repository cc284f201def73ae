/** The schemas of the catalogues, from which their types are derived. A test checks the files against them. */
import * as z from 'zod';
import { READER_FAMILIES } from '../../checkpoint/formats/declaration.ts';
import { documentation, loader, position, qualifiedNameSchema } from './loaderSchema.ts';

/** A callable with a parameter that names a device. */
const deviceCallable = z.strictObject({
  name: qualifiedNameSchema,
  parameter: z.string(),
  position,
  /** True if the name only selects a dtype policy. */
  policy: z.literal(true).optional(),
  /** True if numbers name a GPU. */
  numbered: z.literal(true).optional(),
  documentation,
});

/** A callable that raises without a GPU. */
const raisingCall = z.strictObject({ name: qualifiedNameSchema, value: z.enum(['none', 'guarded']), documentation });

/** A library, with the first or last version that applies. */
const release = z.string().regex(/^[\w-]+ \d+(\.\d+)*$/);

/** A call that needs a GPU: because of one of its arguments, or in any case. */
const gpuNeed = z.strictObject({
  names: z.array(qualifiedNameSchema).min(1),
  /** Absent if the call needs a GPU whatever its arguments are. */
  argument: z.string().optional(),
  position: position.optional(),
  /** Literals that request a GPU; `positive` is any number, list or string except 0, `None` and empty ones. */
  values: z.union([z.array(z.union([z.string(), z.literal(true)])), z.literal('positive')]).optional(),
  /** An item that keeps a list from requesting a GPU. */
  lacks: z.string().optional(),
  /**
   * True if the argument may also be an entry in a dictionary of parameters; the modules of the names must then be
   * imported.
   */
  'in-dictionary': z.literal(true).optional(),
  /** The result of the fix: another value, other arguments, another function, a test, or one more list item. */
  fix: z
    .union([
      z.strictObject({ value: z.string() }),
      z.strictObject({ arguments: z.string() }),
      z.strictObject({ function: z.string() }),
      z.strictObject({ otherwise: z.string() }),
      z.strictObject({ test: z.literal('torch') }),
      z.strictObject({ item: z.string() }),
    ])
    .optional(),
  /** A clause that explains why the finding is only a hint. */
  hint: z.string().optional(),
  since: release.optional(),
  until: release.optional(),
  documentation,
});

/** An API that works only on a GPU, with its usual name. */
const gpuOnlyName = (name: z.ZodString) => z.strictObject({ name, title: z.string() });
const gpuOnly = z.strictObject({
  /** Top-level modules. */
  modules: z.array(gpuOnlyName(z.string().regex(/^\w+$/))),
  /** Functions that compile or launch kernels, and classes. */
  callables: z.array(gpuOnlyName(qualifiedNameSchema)),
  /** Methods whose names are unique to such APIs. */
  methods: z.array(gpuOnlyName(z.string().regex(/^\w+$/))),
  /** Keywords that select a GPU-only implementation when they are `True` or name that implementation. */
  switches: z.array(gpuOnlyName(z.string().regex(/^\w+$/))),
});

/** A function that reads a checkpoint from a path. */
const reader = z.strictObject({
  name: qualifiedNameSchema,
  /** Its first parameter, the path. */
  parameter: z.string(),
  /** Functions of one family load the same formats. */
  family: z.enum(READER_FAMILIES),
  documentation,
});

export const readersSchema = z.array(reader);
export const loadersSchema = z.array(loader);
export const gpuCallsSchema = z.strictObject({
  devices: z.array(deviceCallable),
  raising: z.array(raisingCall),
  /** Libraries whose programs use a number for `device` to mean a GPU. */
  numbered: z.array(z.string().regex(/^\w+$/)),
  needs: z.array(gpuNeed),
  'gpu-only': gpuOnly,
});
export type GpuCalls = z.infer<typeof gpuCallsSchema>;

export type Reader = z.infer<typeof reader>;
export type DeviceCallable = z.infer<typeof deviceCallable>;
export type GpuNeed = z.infer<typeof gpuNeed>;
export type RaisingCall = z.infer<typeof raisingCall>;
