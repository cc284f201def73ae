import * as z from 'zod';
import { readData } from '../releases/releaseData.ts';

const name = z.string().regex(/^[a-z0-9-]+$/);
/** A specifier of PEP 440. */
const specifier = z.string().regex(/^(==|>=|<=|<|>|~=)/);
const release = z.strictObject({ name, versions: specifier });

/** What the catalogue may say; its test holds the file to it. */
export const gpuPackagesSchema = z.strictObject({
  as_of: z.string(),
  torch: z.array(release.extend({ needs: specifier })),
  wheels: z.array(release.extend({ newest: z.string(), next: z.string().optional() })),
  extensions: z.array(name),
  gpus: z.array(
    release.extend({
      capability: z.string().optional(),
      only: z.literal('cuda').optional(),
      /** What to use where it does not run. */
      instead: z.string(),
    }),
  ),
  libraries: z.array(release.extend({ cudnn: z.string(), cuda: z.string(), other: z.string() })),
  clashes: z.array(
    release.extend({
      with: name,
      than: specifier,
      severity: z.enum(['warning', 'information']),
      /** Goes on after "numpy 2.0.1 is", or after "transformers 4.52.0" where it is a verb. */
      effect: z.string(),
      want: z.string(),
    }),
  ),
  faults: z.array(
    release.extend({
      tag: z.string().optional(),
      capability: z.string().optional(),
      fault: z.string(),
      fix: z.string(),
      variable: z.string().optional(),
      value: z.string().optional(),
    }),
  ),
});

export type GpuPackages = z.infer<typeof gpuPackagesSchema>;

let catalogue: GpuPackages | undefined;

/** What packages with native GPU code need of the stack around them. */
export function gpuPackages(): GpuPackages {
  catalogue ??= readData<GpuPackages>(import.meta.dirname, 'gpuPackages');
  return catalogue;
}

/** Of these there are facts of their own. */
const FRAMEWORKS = ['torch', 'tensorflow', 'keras', 'jax'];

/** The names of all packages that the catalogue knows something of, but for frameworks. */
export function cataloguedNames(): ReadonlySet<string> {
  const { torch, wheels, extensions, gpus, libraries, clashes } = gpuPackages();
  const named = [...torch, ...wheels, ...gpus, ...libraries, ...clashes].map(({ name: each }) => each);
  return new Set([...named, ...extensions].filter((each) => !FRAMEWORKS.includes(each)));
}
