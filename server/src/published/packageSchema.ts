/** What a file about a package may say. Its type is taken from here; its test holds the files to it. */
import * as z from 'zod';

const name = z.string().regex(/^[a-z0-9-]+$/);
/** A specifier of PEP 440. */
const specifier = z.string().regex(/^(==|>=|<=|<|>|~=)/);
const release = z.strictObject({ versions: specifier });

/** What is known of a package with native GPU code, or of one that checks for it; its test holds the files to it. */
export const gpuPackageSchema = z.strictObject({
  /** The month in which it was last held against its sources. */
  as_of: z.string().regex(/^20\d\d-\d\d$/),
  /**
   * Releases that are compiled against, or pin, one torch. Where metadata name it, that counts. Wheels that go with several
   * are for the CUDA of one family.
   */
  torch: z.array(release.extend({ needs: specifier, cuda: z.string().optional() })).optional(),
  /** The newest torch for which wheels of a release were published. A newer one may have been compiled here. */
  wheels: z.array(release.extend({ newest: z.string(), next: z.string().optional() })).optional(),
  /** Whether its version may name the torch and the CUDA that it was made for: "+pt21cu118", "+cu121torch2.3cxx11abiFALSE". */
  extension: z.literal(true).optional(),
  /** The file that says what it was compiled for, and where in it; each expression's group is the version. */
  built_for: z
    .strictObject({
      /** Below the folder of packages. */
      file: z.string(),
      torch: z.string(),
      /** Where the version of torch does not tell it by its tag. */
      cuda: z.string().optional(),
      /** What the file holds where anything was compiled. */
      where: z.string().optional(),
      /** Whether it refuses another minor version of CUDA as well. */
      minor: z.literal(true).optional(),
    })
    .optional(),
  /** For packages that are released together with torch: the releases whose code loads with that torch. */
  companions: z
    .array(release.extend({ torch: specifier, severity: z.enum(['warning', 'information']), effect: z.string() }))
    .optional(),
  /** Packages that can be built without code for GPUs, and the files that hold it. */
  code: z
    .array(
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
        /** Whether the file for any other CUDA of the same family will do. */
        family: z.literal(true).optional(),
        /** What has to be set before, such as "CMAKE_ARGS=-DGGML_CUDA=on". */
        variable: z.string().optional(),
      }),
    )
    .optional(),
  /** Packages that it brings in their newest release, as its metadata bound them from below alone. */
  pulls_in: z.array(name).optional(),
  /** It compiles kernels while it runs (by Triton), for which a C compiler has to be there. */
  compiles_kernels: z.literal(true).optional(),
  /** When it compiles GPU code, for which it needs nvcc. */
  compiling: z.array(release.extend({ when: z.string() })).optional(),
  /** Packages that write the same folder, so that the one installed last is what is imported. */
  one_folder: z.strictObject({ names: z.array(name), folder: z.string() }).optional(),
  /** The family of CUDA that it is for by its name, such as "12". */
  family: z.string().optional(),
  /** The lowest compute and the highest compute capability, and the kind of GPU, that its code runs on. */
  gpus: z
    .array(
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
    )
    .optional(),
  /** CUDA's libraries that it looks for with the loader, wherever torch has its own; without `cudnn` no cuDNN. */
  libraries: z.array(release.extend({ cudnn: z.string().optional(), cuda: z.string(), other: z.string() })).optional(),
  /** Other packages that it does not go together with, though nothing keeps them from being installed together. */
  clashes: z
    .array(
      release.extend({
        with: name,
        than: specifier,
        severity: z.enum(['warning', 'information']),
        /** Goes on after "numpy 2.0.1 is", or after "transformers 4.52.0" where it is a verb. */
        effect: z.string(),
        want: z.string(),
      }),
    )
    .optional(),
  /** Faults of single releases that people meet on machines where all fits. */
  faults: z
    .array(
      release.extend({
        tag: z.string().optional(),
        capability: z.string().optional(),
        fault: z.string(),
        fix: z.string(),
        variable: z.string().optional(),
        value: z.string().optional(),
      }),
    )
    .optional(),
});

export type GpuPackage = z.infer<typeof gpuPackageSchema>;
