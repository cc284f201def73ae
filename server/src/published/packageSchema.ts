/** The schema of a package's file. Its type is derived from it, and a test validates all files. */
import * as z from 'zod';

const name = z.string().regex(/^[a-z0-9-]+$/);
/** A specifier of PEP 440. */
const specifier = z.string().regex(/^(==|>=|<=|<|>|~=)/);
const release = z.strictObject({ versions: specifier });

/** A package with native GPU code, or one that checks for it. */
export const gpuPackageSchema = z.strictObject({
  /** The month of the last comparison with its sources. */
  as_of: z.string().regex(/^20\d\d-\d\d$/),
  /** A framework, of whose build there are facts of their own. */
  framework: z.literal(true).optional(),
  /** The modules that Python imports of it. */
  imports: z.array(z.string().regex(/^\w+$/)).min(1).optional(),
  /** Its compiled modules, as errors name them; `*` stands for any end. */
  native: z
    .array(z.string().regex(/^\w+\*?$/))
    .min(1)
    .optional(),
  /** Its name where pip's own spelling of it differs from that of package indexes. */
  spelled: z.string().optional(),
  /** The extra with which it is built. */
  extra: name.optional(),
  /** True if `pip install` with its name suffices, so that an explanation can recommend it for a missing module. */
  by_name: z.literal(true).optional(),
  /** Other names under which projects require it. */
  also_called: z.array(name).optional(),
  /** Other packages that install the same modules and can replace it. */
  same_modules: z.array(name).optional(),
  /** The framework that it computes with, which a plan for it needs as well. */
  needs: z.enum(['torch', 'tensorflow', 'jax']).optional(),
  /** Packages that its modules import, though a plan for it does not need them. */
  uses: z.array(z.enum(['torch', 'keras'])).optional(),
  /** The framework that it is released with, by a version of its own. */
  released_with: z.literal('torch').optional(),
  /** True if it has a build for each of torch's, with the same local tags and on the same indexes. */
  builds_of_torch: z.literal(true).optional(),
  /** The name with which torch tags tensors on the kind of device that it adds. */
  torch_device: z.string().optional(),
  /** Packages under whose names the same releases are published for one kind of device. */
  editions: z.array(name).min(1).optional(),
  /** Packages that bring the same files, so that only one of them can be requested. */
  overwrites: z.array(name).min(1).optional(),
  /** The names under which conda has it, the plain one first; `*` stands for any end. */
  conda: z
    .array(z.string().regex(/^[a-z0-9-]+\*?$/))
    .min(1)
    .optional(),
  /** The names under which conda has its parts. */
  conda_parts: z.array(name).min(1).optional(),
  /** The frameworks that it can compute with. */
  backends: z.array(name).min(1).optional(),
  /** True if releases of it look for the CUDA of the system. */
  system_cuda: z.literal(true).optional(),
  /** True if it uses no CUDA, or that of torch, whatever the system has. */
  no_system_cuda: z.literal(true).optional(),
  /** True for a framework whose CUDA changes from release to release. */
  cuda_by_release: z.literal(true).optional(),
  /** True if it has a wheel for each Python, so that a release is for the Pythons of its time. */
  wheel_per_python: z.literal(true).optional(),
  /** True if builds of frameworks bring it, or replace it by what they bring. */
  comes_with_builds: z.literal(true).optional(),
  /** True for packages that programs import in any case, so that the import says nothing about the program. */
  foundation: z.literal(true).optional(),
  /** Folders and modules that do nothing but use GPUs, as the paths of their files begin. */
  gpu_files: z.array(z.string()).min(1).optional(),
  /** True if its builds share NVIDIA's wheels with those of other packages. */
  shares_cuda: z.literal(true).optional(),
  /** True if it belongs to the facts of a machine; packages with any of the rows below do in any case. */
  related: z.literal(true).optional(),
  /** True if requirements of other packages on it are read, because only one build suits the GPU. */
  constrained: z.literal(true).optional(),
  /** True if it computes on GPUs, or uses a package that does: a plan for a project that imports it includes it. */
  computes: z.literal(true).optional(),
  /** True if it pins one torch exactly, which is reinstalled with it. */
  brings_torch: z.literal(true).optional(),
  /** True if it installs or loads CUDA libraries from wheels; this includes variants whose names begin with its name. */
  brings_cuda: z.literal(true).optional(),
  /** Its place among the packages that decide over the others in a plan, 1 for the first. */
  decides: z.int().positive().optional(),
  /** The systems that it has wheels for, where these are not all. */
  systems: z
    .array(z.enum(['linux', 'windows', 'macos']))
    .min(1)
    .optional(),
  /** Repositories of container images that serve models with it. */
  images: z.array(z.string()).min(1).optional(),
  /** How it is installed, where what PyPI has under its name is something else. */
  installation: z.url().optional(),
  /** Where pip builds it from, where it is not on PyPI. */
  repository: z.string().startsWith('git+https://').optional(),
  /** A page of wheels for builds of torch; {torch} and {tag} stand for those of the build. */
  page: z
    .strictObject({
      url: z.url(),
      /** Its description after "mmcv 2.2, from". */
      of: z.string(),
      /** The newest torch that it has wheels for. */
      newest: z.string().optional(),
      /** The one build that it is for: of the package, of Python and of torch. */
      versions: specifier.optional(),
      python: z.tuple([z.string(), z.string()]).optional(),
      torch: specifier.optional(),
      tag: z.string().optional(),
    })
    .optional(),
  /** Pages of its wheels below its own address, by the torch that they are for: the first row that fits counts. */
  wheel_pages: z
    .array(
      z.strictObject({
        torch: specifier,
        /** Builds of torch that it has a folder for; all of them where none are named. */
        tags: z.array(z.string()).min(1).optional(),
        /** The page; {torch} and {tag} stand for the build. */
        page: z.string(),
        /** The name that is installed, where that is not the name of the package. */
        installed: z.string().optional(),
      }),
    )
    .optional(),
  /** True if its installation compiles GPU code, which requires a compiler in a container image. */
  compiles: z.literal(true).optional(),
  /** The framework that a text is about which names it. */
  sign_of: z.enum(['torch', 'ctranslate2', 'cupy']).optional(),
  /** Which messages about releases that do not fit are known of its modules: about names, about arguments, or all. */
  release_messages: z.enum(['all', 'names', 'arguments']).optional(),
  /** The parts that `npm run tables` writes: the table of its wheels, and the rows of `torch`. */
  tables: z
    .array(z.enum(['wheels', 'torch']))
    .min(1)
    .optional(),
  /**
   * Releases that are compiled against, or pin, one torch. Where metadata name it, that counts. Wheels that go with several
   * are for the CUDA of one family.
   */
  torch: z
    .array(
      release.extend({
        needs: specifier,
        cuda: z.string().optional(),
        /** True where metadata do not say so: `npm run tables` keeps the row. */
        by_hand: z.literal(true).optional(),
      }),
    )
    .optional(),
  /** The newest torch for which wheels of a release were published. A newer one may have been compiled here. */
  wheels: z.array(release.extend({ newest: z.string(), next: z.string().optional() })).optional(),
  /** True if its version can name its torch and CUDA: "+pt21cu118", "+cu121torch2.3cxx11abiFALSE". */
  extension: z.literal(true).optional(),
  /** Releases that refuse another minor version of the CUDA that torch is built for, not only another major one. */
  minor_cuda: specifier.optional(),
  /** The file that says what it was compiled for, and where in it; each expression's group is the version. */
  built_for: z
    .strictObject({
      /** Below the folder of packages. */
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
        /** True if the file for another CUDA of the same major version suffices. */
        family: z.literal(true).optional(),
        /** A variable to set first, such as "CMAKE_ARGS=-DGGML_CUDA=on". */
        variable: z.string().optional(),
      }),
    )
    .optional(),
  /** Packages that come with its builds, whose versions a plan bounds. */
  bounds: z.array(name).min(1).optional(),
  /** Packages that it brings in their newest release, as its metadata bound them from below alone. */
  pulls_in: z.array(name).optional(),
  /** It compiles kernels while it runs (by Triton), for which a C compiler has to be there. */
  compiles_kernels: z.literal(true).optional(),
  /** When it compiles GPU code, for which it needs nvcc. */
  compiling: z.array(release.extend({ when: z.string() })).optional(),
  /** Releases that PyPI has as sources alone, whose build imports another package; with `nvcc` where it compiles GPU code. */
  sources: z.array(release.extend({ imports: name, nvcc: z.literal(true).optional() })).optional(),
  /** Packages that write the same folder, so that the one installed last is what is imported. */
  one_folder: z.strictObject({ names: z.array(name), folder: z.string() }).optional(),
  /** The family of CUDA that it is for by its name, such as "12". */
  family: z.string().optional(),
  /** The CUDA and the cuDNN of the system that it is tested with, where it looks for them. */
  on_system: z.strictObject({ cuda: z.string(), cudnn: z.string() }).optional(),
  /** The lowest compute and the highest compute capability, and the kind of GPU, that its code runs on. */
  gpus: z
    .array(
      release.extend({
        capability: z.string().optional(),
        highest: z.string().optional(),
        only: z.literal('cuda').optional(),
        /** Where it is no more than worth knowing. */
        severity: z.literal('information').optional(),
        /** The part that does not run, unless it is the whole package. */
        part: z.string().optional(),
        /** The alternative on GPUs where it does not run. */
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
        /** Releases of the other one whose metadata keep these versions away. */
        kept_away: z.array(specifier).optional(),
        /** No newer releases will come, so that one without a bound is among these, too. */
        ended: z.literal(true).optional(),
        /** The oldest Python that these versions are for. */
        since_python: z.string().optional(),
        /** Goes on after "numpy 2.0.1 is", or after "transformers 4.52.0" where it is a verb. */
        effect: z.string(),
        /** A short sentence without its full stop, which "with numpy 2.0.1 and torch 2.1.0" follows. */
        fails: z.string(),
        want: z.string(),
      }),
    )
    .optional(),
  /** Attributes that its modules got, by name, with the release that brought each: a module of an older file lacks it. */
  attributes: z.record(z.string(), z.string()).optional(),
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
