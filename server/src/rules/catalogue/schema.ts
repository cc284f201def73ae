/** What the catalogues may say. Their types are taken from here; the test of the catalogues holds the files to it. */
import * as z from 'zod';
import { READER_FAMILIES } from '../../checkpoint/formats/declaration.ts';

const qualifiedName = z.string().regex(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$/);
const documentation = z.url({ protocol: /^https$/ });
/** From 0, without `self` or `cls`. */
const position = z.int().min(0);

/** A function that reads a checkpoint. */
const loader = z.strictObject({
  name: qualifiedName,
  /** For class methods: the class whose subclasses have it. */
  class: z.string().optional(),
  'device-parameter': z.string(),
  /** Absent for a parameter that can only be given by keyword. */
  position: position.optional(),
  /** What its parameter `weights_only` is by default in today's releases; absent where it has none. */
  'weights-only': z.boolean().optional(),
  rule: z.literal('GPU101').optional(),
  trap: z.enum(['always', 'url']).optional(),
  /** The releases of Lightning that have the trap; without it, all. */
  releases: z.strictObject({ first: z.string(), 'fixed-in': z.string() }).optional(),
  /** The library and its version that first had it. */
  since: z
    .string()
    .regex(/^[\w-]+ \d+(\.\d+)*$/)
    .optional(),
  documentation: documentation.optional(),
});

/** A callable with a parameter that names a device. */
const deviceCallable = z.strictObject({
  name: qualifiedName,
  parameter: z.string(),
  position,
  /** The name only selects a dtype policy. */
  policy: z.literal(true).optional(),
  /** Numbers name a GPU. */
  numbered: z.literal(true).optional(),
  documentation,
});

/** A callable that raises where there is no GPU. */
const raisingCall = z.strictObject({ name: qualifiedName, value: z.enum(['none', 'guarded']), documentation });

/** A library and its version that first, or last, had something. */
const release = z.string().regex(/^[\w-]+ \d+(\.\d+)*$/);

/** A call that needs a GPU: because of one of its arguments, or whatever they are. */
const gpuNeed = z.strictObject({
  names: z.array(qualifiedName).min(1),
  /** Absent where the call needs a GPU whatever its arguments are. */
  argument: z.string().optional(),
  position: position.optional(),
  /** Literals that ask for a GPU; `positive` is any number, list or text but 0, `None` and empty ones. */
  values: z.union([z.array(z.union([z.string(), z.literal(true)])), z.literal('positive')]).optional(),
  /** An item without which a list asks for a GPU. */
  lacks: z.string().optional(),
  /** True where the argument may also stand in a dictionary of parameters: the modules of the names are imported then. */
  'in-dictionary': z.literal(true).optional(),
  /** What a fix writes: another value, other arguments, another function, a test, or one more item of a list. */
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
  /** A clause why it is only a hint. */
  hint: z.string().optional(),
  since: release.optional(),
  until: release.optional(),
  documentation,
});

/** What only works on a GPU, and the name that people know it by. */
const gpuOnlyName = (name: z.ZodString) => z.strictObject({ name, title: z.string() });
const gpuOnly = z.strictObject({
  /** Top-level modules. */
  modules: z.array(gpuOnlyName(z.string().regex(/^\w+$/))),
  /** Functions that compile or launch kernels, and classes. */
  callables: z.array(gpuOnlyName(qualifiedName)),
  /** Methods that nothing else has. */
  methods: z.array(gpuOnlyName(z.string().regex(/^\w+$/))),
  /** Keywords that select a GPU-only implementation when they are `True`, or name it. */
  switches: z.array(gpuOnlyName(z.string().regex(/^\w+$/))),
});

/** A function that reads a checkpoint from a path. */
const reader = z.strictObject({
  name: qualifiedName,
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
  /** Libraries in whose programs a number for `device` is a GPU. */
  numbered: z.array(z.string().regex(/^\w+$/)),
  needs: z.array(gpuNeed),
  'gpu-only': gpuOnly,
});
export type GpuCalls = z.infer<typeof gpuCallsSchema>;

export type Loader = z.infer<typeof loader>;
export type Reader = z.infer<typeof reader>;
export type DeviceCallable = z.infer<typeof deviceCallable>;
export type GpuNeed = z.infer<typeof gpuNeed>;
export type RaisingCall = z.infer<typeof raisingCall>;
