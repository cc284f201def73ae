/** `gpu-stack.yaml`: the stack that a project is known to work with, as stored in its repository. */
import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1, 'must not be empty'));
const version = z.string().check(z.regex(/\d/, 'must be a version, such as "2.6.0"'));
const count = z.string().check(z.regex(/^[1-9]\d*$/, 'must be a whole number, 1 or greater'));
const amount = z.string().check(z.regex(/^\d+(\.\d+)? GiB$/, 'must be an amount such as "24 GiB"'));
const target = z
  .string()
  .check(
    z.regex(/^(CPU|CUDA|ROCm|XPU|MPS)( \d\S*)?$/, 'must be CPU, CUDA, ROCm, XPU or MPS, with a version or without'),
  );

const gpu = z.strictObject({
  name: text.check(z.describe('Its name in the driver, such as NVIDIA GeForce RTX 3090.')),
  count: z.optional(count).check(z.describe('The number of them; 1 if omitted.')),
  memory: z.optional(amount).check(z.describe('Memory of each, such as 24 GiB.')),
  'compute-capability': z.optional(version).check(z.describe('Such as "8.6".')),
  mig: z.optional(text).check(z.describe('The instances that MIG has split it into, such as 7 × 1g.5gb.')),
});

const framework = z.strictObject({
  version: version.check(z.describe('With its local tag, such as 2.6.0+cu124.')),
  build: z.optional(target).check(z.describe('What it was built for, such as CUDA 12.4, or CPU.')),
  cudnn: z.optional(version).check(z.describe('The cuDNN that it loads.')),
  backend: z.optional(text).check(z.describe('The backend of Keras.')),
});

const system = z.strictObject({
  os: z.optional(text).check(z.describe('Such as Ubuntu 24.04.3 LTS.')),
  architecture: z.optional(text).check(z.describe('Of the processor: x64, arm64.')),
  wsl: z.optional(text).check(z.describe('Version of the Windows Subsystem for Linux.')),
  container: z.optional(text).check(z.describe('Such as docker or kubernetes.')),
});

const FRAMEWORKS = [
  'torch',
  'torchvision',
  'torchaudio',
  'tensorflow',
  'keras',
  'tf-keras',
  'jax',
  'onnxruntime',
] as const;
export type FrameworkName = (typeof FRAMEWORKS)[number];

/**
 * The contents of the file. Every part is optional; missing parts are not compared. All values are read as text, so
 * that 12.10 is not 12.1.
 */
export const recordSchema = z
  .strictObject({
    format: z.literal('1').check(z.describe('Version of this format.')),
    system: z.optional(system).check(z.describe('The operating system.')),
    driver: z.optional(version).check(z.describe('Version of the NVIDIA driver.')),
    'driver-cuda': z.optional(version).check(z.describe('The newest CUDA that the driver supports.')),
    gpus: z.optional(z.array(gpu)).check(z.describe('The GPUs; an empty list: none.')),
    python: z.optional(version).check(z.describe('Version of the interpreter.')),
    frameworks: z
      .optional(z.partialRecord(z.enum(FRAMEWORKS), framework))
      .check(z.describe('The frameworks, and what they were built for.')),
    packages: z
      .optional(z.record(text, version))
      .check(z.describe('Other packages that matter to the stack, by name.')),
  })
  .check(z.describe('The GPU stack that a project is known to work with, recorded by GPU Doctor.'));

export type RecordedStack = z.infer<typeof recordSchema>;
export type RecordedGpu = z.infer<typeof gpu>;
export type RecordedFramework = z.infer<typeof framework>;

/** The names that a key may have at a path of the file; empty if any name is allowed. */
export function keysAt(path: readonly PropertyKey[]): readonly string[] {
  switch (path[0]) {
    case undefined:
      return Object.keys(recordSchema.shape);
    case 'system':
      return Object.keys(system.shape);
    case 'gpus':
      return Object.keys(gpu.shape);
    case 'frameworks':
      return path.length === 1 ? FRAMEWORKS : Object.keys(framework.shape);
    default:
      return [];
  }
}

/** The JSON schema of the file, in which a version may also be written as a number. */
export function recordJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(recordSchema, {
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      if (jsonSchema.const === '1') {
        delete jsonSchema.const;
        jsonSchema.enum = [1, '1'];
      }
      if (jsonSchema.type === 'string') jsonSchema.type = ['string', 'number'] as unknown as 'string';
    },
  });
  return { $schema, title: 'GPU stack', ...schema };
}
