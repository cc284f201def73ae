/** The schema of a package's file. Its type is derived from the schema, and a test validates all files. */
import * as z from 'zod';

const name = z.string().regex(/^[a-z0-9-]+$/);
/** A PEP 440 specifier. */
const specifier = z.string().regex(/^(==|>=|<=|<|>|~=)/);
const release = z.strictObject({ versions: specifier });

/** A package with native GPU code, or one that checks for it. */
export const gpuPackageSchema = z.strictObject({
  /** The month of the last comparison with its sources. */
  as_of: z.string().regex(/^20\d\d-\d\d$/),
  /** A framework, for whose build there are separate facts. */
  framework: z.literal(true).optional(),
  /** The modules that Python imports from it. */
  imports: z.array(z.string().regex(/^\w+$/)).min(1).optional(),
  /** Its compiled modules, as named by error messages; `*` matches any ending. */
  native: z
    .array(z.string().regex(/^\w+\*?$/))
    .min(1)
    .optional(),
  /** Its name as pip prints it, if package indexes use another spelling. */
  spelled: z.string().optional(),
  /** The extra that its build needs. */
  extra: name.optional(),
  /**
   * True if `pip install` with its name is sufficient, so that an explanation can recommend it for a missing module.
   */
  by_name: z.literal(true).optional(),
  /** Other names by which projects require it. */
  also_called: z.array(name).optional(),
  /** Other packages that install the same modules and can replace it. */
  same_modules: z.array(name).optional(),
  /** The framework that it computes with, which a plan for it must include. */
  needs: z.enum(['torch', 'tensorflow', 'jax']).optional(),
  /** Packages that its modules import, but that a plan for it does not need. */
  uses: z.array(z.enum(['torch', 'keras'])).optional(),
  /** The framework that it is released with, under its own version number. */
  released_with: z.literal('torch').optional(),
  /** True if it has a build for each torch build, with the same local tags and on the same indexes. */
  builds_of_torch: z.literal(true).optional(),
  /** torch's tag for tensors on the kind of device that it adds. */
  torch_device: z.string().optional(),
  /** Packages with the same releases for one kind of device, under other names. */
  editions: z.array(name).min(1).optional(),
  /** conda's names of it, the plain one first; `*` matches any ending. */
  conda: z
    .array(z.string().regex(/^[a-z0-9-]+\*?$/))
    .min(1)
    .optional(),
  /** conda's names of its parts. */
  conda_parts: z.array(name).min(1).optional(),
  /** The frameworks that it can compute with. */
  backends: z.array(name).min(1).optional(),
  /** True if any of its releases search for the system's CUDA. */
  system_cuda: z.literal(true).optional(),
  /** True for a framework whose CUDA changes from release to release. */
  cuda_by_release: z.literal(true).optional(),
  /** True if it has a wheel for each Python, so a release only supports the Pythons of its time. */
  wheel_per_python: z.literal(true).optional(),
  /** True if builds of frameworks install it or replace it with their own. */
  comes_with_builds: z.literal(true).optional(),
  /** True for packages that programs import in any case, so the import says nothing about the program. */
  foundation: z.literal(true).optional(),
  /** Folders and modules that are only used for GPUs, as prefixes of the paths of their files. */
  gpu_files: z.array(z.string()).min(1).optional(),
  /** True if its builds share NVIDIA's wheels with those of other packages. */
  shares_cuda: z.literal(true).optional(),
  /** True if it belongs to the facts about a machine; packages with any of the rows below always do. */
  related: z.literal(true).optional(),
  /** True if it computes on GPUs, or uses a package that does: a plan for a project that imports it includes it. */
  computes: z.literal(true).optional(),
  /** True if it pins one torch exactly, and must be reinstalled with it. */
  brings_torch: z.literal(true).optional(),
  /** True if it installs or loads CUDA libraries from wheels; this includes variants whose names begin with its name. */
  brings_cuda: z.literal(true).optional(),
  /** Its rank among the packages that determine others in a plan, 1 for the first. */
  decides: z.int().positive().optional(),
  /** The systems for which it has wheels, if not all. */
  systems: z
    .array(z.enum(['linux', 'windows', 'macos']))
    .min(1)
    .optional(),
  /** Repositories of container images that use it to serve models. */
  images: z.array(z.string()).min(1).optional(),
  /** How to install it, if the package with its name on PyPI is something else. */
  installation: z.url().optional(),
  /** The source that pip builds it from, if it is not on PyPI. */
  repository: z.string().startsWith('git+https://').optional(),
  /** A page of wheels for torch builds; {torch} and {tag} stand for those of the build. */
  page: z
    .strictObject({
      url: z.url(),
      /** Its description after "mmcv 2.2, from". */
      of: z.string(),
      /** The newest torch for which it has wheels. */
      newest: z.string().optional(),
      /** Its only build: the versions of the package, of Python and of torch. */
      versions: specifier.optional(),
      python: z.tuple([z.string(), z.string()]).optional(),
      torch: specifier.optional(),
      tag: z.string().optional(),
    })
    .optional(),
  /** Pages of its wheels below its own URL, by the torch that they are for: the first matching row counts. */
  wheel_pages: z
    .array(
      z.strictObject({
        torch: specifier,
        /** Torch builds for which it has a folder; all of them if none are listed. */
        tags: z.array(z.string()).min(1).optional(),
        /** The page; {torch} and {tag} stand for the build. */
        page: z.string(),
        /** The name to install, if it is not the name of the package. */
        installed: z.string().optional(),
      }),
    )
    .optional(),
  /** True if its installation compiles GPU code, which requires a compiler in a container image. */
  compiles: z.literal(true).optional(),
  /** The framework that a text is about if it names this package. */
  sign_of: z.enum(['torch', 'ctranslate2', 'cupy']).optional(),
  /** The known kinds of messages about incompatible releases of its modules: about names, about arguments, or all. */
  release_messages: z.enum(['all', 'names', 'arguments']).optional(),
  /** The parts written by `npm run tables`: the table of its wheels, that of its requirements, and the rows of `torch`. */
  tables: z
    .array(z.enum(['wheels', 'requirements', 'torch']))
    .min(1)
    .optional(),
  /**
   * Releases that are compiled against one torch, or pin it. If their metadata names a torch, the metadata counts.
   * Wheels that are compatible with several are for one CUDA family.
   */
  torch: z
    .array(
      release.extend({
        needs: specifier,
        cuda: z.string().optional(),
        /** True if metadata does not contain it: `npm run tables` keeps the row. */
        by_hand: z.literal(true).optional(),
      }),
    )
    .optional(),
  /**
   * The newest torch for which wheels of a release were published. A wheel for a newer one may have been compiled here.
   */
  wheels: z.array(release.extend({ newest: z.string(), next: z.string().optional() })).optional(),
  /** True if its version can name its torch and CUDA: "+pt21cu118", "+cu121torch2.3cxx11abiFALSE". */
  extension: z.literal(true).optional(),
  /**
   * Releases that also reject another minor version of the CUDA version that torch is built for, not only another major
   * one.
   */
  minor_cuda: specifier.optional(),
  /**
   * The file that contains what it was compiled for, and the expressions that find it; each expression's group is the
   * version.
   */
  built_for: z
    .strictObject({
      /** Relative to the folder of packages. */
      file: z.string(),
      torch: z.string(),
      /** Required if the version of torch has no tag that shows the CUDA. */
      cuda: z.string().optional(),
      /** Text that the file contains if anything was compiled. */
      where: z.string().optional(),
      /** True if it also rejects another minor version of CUDA. */
      minor: z.literal(true).optional(),
    })
    .optional(),
  /** For packages that are released together with torch: the releases whose code loads with that torch. */
  follows_torch: z
    .array(release.extend({ torch: specifier, severity: z.enum(['warning', 'information']), effect: z.string() }))
    .refine((rows) => new Set(rows.map(({ severity }) => severity)).size === 1, 'all rows have the same severity')
    .optional(),
  /** Packages that can be built without GPU code, and the files that contain it. */
  code: z
    .array(
      release.extend({
        /** Relative to the folder of packages; empty for that folder itself. */
        folder: z.string(),
        /** A regular expression; its group is the CUDA version without a dot, if there is one file for each. */
        file: z.string(),
        /** Continues "llama-cpp-python 0.3.8 was built without code for GPUs: ". */
        effect: z.string(),
        /** pip options for finding or compiling a build with it; {torch}, {release} and {tag} stand for torch's. */
        options: z.string().optional(),
        /** The variable that selects the file for another CUDA version. */
        override: z.string().optional(),
        /** True if the file for another CUDA version with the same major version is sufficient. */
        family: z.literal(true).optional(),
        /** A variable to set first, such as "CMAKE_ARGS=-DGGML_CUDA=on". */
        variable: z.string().optional(),
      }),
    )
    .optional(),
  /** Packages that its builds install, whose versions a plan limits. */
  bounds: z.array(name).min(1).optional(),
  /** Packages that it installs in their newest release, because its metadata only has a lower bound. */
  pulls_in: z.array(name).optional(),
  /** Packages that its extras install, by extra. */
  extra_installs: z.record(name, name).optional(),
  /** It compiles kernels at run time (with Triton), which requires a C compiler. */
  compiles_kernels: z.literal(true).optional(),
  /** When it compiles GPU code, which requires nvcc. */
  compiling: z.array(release.extend({ when: z.string() })).optional(),
  /**
   * Releases that are only source distributions on PyPI and whose build imports another package; with `nvcc` if it
   * compiles GPU code.
   */
  sources: z.array(release.extend({ imports: name, nvcc: z.literal(true).optional() })).optional(),
  /** Packages that write to the same folder, so the imported one is the one installed last. */
  one_folder: z.strictObject({ names: z.array(name), folder: z.string() }).optional(),
  /** The CUDA family in its name, such as "12". */
  family: z.string().optional(),
  /** The CUDA and cuDNN versions of the system that it is tested with, if it searches for them. */
  on_system: z.strictObject({ cuda: z.string(), cudnn: z.string() }).optional(),
  /** The minimum and maximum compute capability, and the kind of GPU, for its code. */
  gpus: z
    .array(
      release.extend({
        capability: z.string().optional(),
        highest: z.string().optional(),
        only: z.literal('cuda').optional(),
        /** Set if it is only informative. */
        severity: z.literal('information').optional(),
        /** The part that does not run, unless it is the entire package. */
        part: z.string().optional(),
        /** The alternative for GPUs on which it does not run. */
        instead: z.string(),
      }),
    )
    .optional(),
  /**
   * The CUDA libraries that it finds with the loader, whatever folders torch has its own in; without `cudnn`, no cuDNN.
   */
  libraries: z.array(release.extend({ cudnn: z.string().optional(), cuda: z.string(), other: z.string() })).optional(),
  /** Other packages that it is incompatible with, though nothing prevents installing them together. */
  clashes: z
    .array(
      release.extend({
        with: name,
        than: specifier,
        severity: z.enum(['warning', 'information']),
        /** Releases of the other package whose metadata excludes these versions. */
        kept_away: z.array(specifier).optional(),
        /** There will be no newer releases, so a requirement without a bound also selects one of these. */
        ended: z.literal(true).optional(),
        /** The oldest Python for these versions. */
        since_python: z.string().optional(),
        /** Continues "numpy 2.0.1 with torch 2.1.0": it starts with a verb such as "is" or "does". */
        effect: z.string().regex(/^[a-z]+s /),
        /** A short sentence without its period, followed by "with numpy 2.0.1 and torch 2.1.0". */
        fails: z.string(),
        /** The requirement to install instead, on either package. A plan takes one on this package as its bound. */
        want: z.string(),
      }),
    )
    .optional(),
  /**
   * Attributes that were added to its modules, by name, each with the release that added it: a module from an older
   * file lacks it.
   */
  attributes: z.record(z.string(), z.string()).optional(),
  /** Bugs in single releases, on machines where everything else is compatible. */
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

/** Where a requirement on another package counts. */
type RequirementReader = 'check' | 'stack' | 'plan' | 'explain';

/**
 * The readers of each key with requirements on other packages. `test/published/packageRequirements.test.ts` makes up a
 * package for each key and asks all of them.
 *
 * - `torch` is the key for "this release needs that torch". Only packages that also have `gpus` must match the CUDA
 *   version of PyPI's torch.
 * - `follows_torch` is for packages that must follow torch, because torch is chosen first.
 * - `clashes` is for versions that fail together although their metadata accepts them.
 */
export const REQUIREMENT_READERS = {
  torch: ['check', 'stack', 'plan', 'explain'],
  follows_torch: ['check', 'stack', 'plan', 'explain'],
  clashes: ['check', 'stack', 'plan', 'explain'],
} as const satisfies Partial<Record<keyof GpuPackage, readonly RequirementReader[]>>;
