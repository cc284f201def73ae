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
  companions: z.array(
    release.extend({ torch: specifier, severity: z.enum(['warning', 'information']), effect: z.string() }),
  ),
  code: z.array(
    release.extend({
      /** Below the folder of packages; empty for that folder itself. */
      folder: z.string(),
      /** A regular expression; its group is the CUDA version without a dot, where there is one file for each. */
      file: z.string(),
      /** Goes on after "llama-cpp-python 0.3.8 was built without code for GPUs: ". */
      effect: z.string(),
      /** Options of pip with which a build with it is found or made; {torch}, {release} and {tag} stand for torch's. */
      options: z.string().optional(),
      /** The variable that names another CUDA whose file is to be taken. */
      override: z.string().optional(),
      /** What has to be set before, such as "CMAKE_ARGS=-DGGML_CUDA=on". */
      variable: z.string().optional(),
    }),
  ),
  compiling: z.array(release.extend({ when: z.string() })),
  one_folder: z.array(z.strictObject({ names: z.array(name), folder: z.string() })),
  families: z.array(z.strictObject({ name, cuda: z.string() })),
  gpus: z.array(
    release.extend({
      capability: z.string().optional(),
      highest: z.string().optional(),
      only: z.literal('cuda').optional(),
      /** Where it is no more than worth knowing. */
      severity: z.literal('information').optional(),
      /** What does not run, where that is not the whole package. */
      part: z.string().optional(),
      /** What to use where it does not run. */
      instead: z.string(),
    }),
  ),
  /** Without `cudnn` the package looks for CUDA's own libraries alone. */
  libraries: z.array(release.extend({ cudnn: z.string().optional(), cuda: z.string(), other: z.string() })),
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
const FRAMEWORKS = [
  'torch',
  'torchvision',
  'torchaudio',
  'tensorflow',
  'tensorflow-gpu',
  'tensorflow-cpu',
  'keras',
  'jax',
  'onnxruntime',
  'onnxruntime-gpu',
];

/** The names of all packages that the catalogue knows something of, but for frameworks. */
export function cataloguedNames(): ReadonlySet<string> {
  const { extensions, one_folder, clashes, as_of: _, ...rows } = gpuPackages();
  const named = [...Object.values(rows).flat(), ...clashes].map((row) => row.name);
  const others = [...extensions, ...clashes.map((row) => row.with), ...one_folder.flatMap(({ names }) => names)];
  return new Set([...named, ...others].filter((each) => !FRAMEWORKS.includes(each)));
}
