import type {
  Fact,
  FrameworkRuntime,
  Gpu,
  Interpreter,
  Known,
  NvidiaLibrary,
  OtherAccelerator,
  Package,
  StackFacts,
  Unknown,
  UnknownCause,
} from '../facts/facts.ts';
import { forEachFramework, forEachRuntime, nothingYet } from '../facts/nothingYet.ts';
import { wheelVersion } from '../readers/libraries.ts';
import { isCondaPackageOfStack, isNvidiaWheel, isRelatedPackage } from '../readers/packages.ts';
import { compareVersions } from '../releases/cudaDriver.ts';
import { companionOf, jaxOf, kerasOf, onnxruntimeOf, type ToldEnvironment, tensorflowOf, torchOf } from './builds.ts';
import { namedGpu } from './namedGpu.ts';
import { type Report, WRITTEN } from './report.ts';
import { reportsIn } from './reports.ts';
import { jaxLacksCuda, signsIn, tensorflowLooksForCuda } from './signs.ts';
import { withoutTemplate } from './template.ts';
import { readVariables } from './variables.ts';

/**
 * The machine that a pasted text tells of in the output of programs: `collect_env`, `nvidia-smi`, `pip list` and so on.
 * What the text does not tell is unknown. Undefined for a text without any such output. Lines have to be clean: without
 * the marks of quotations, colours and boxes.
 */
export function factsOfText(text: string): StackFacts | undefined {
  const short = withoutTemplate(text.replace(TOO_LONG, ''));
  const reports = reportsIn(short);
  return reports.length === 0 ? undefined : factsOf(reports, short);
}

/** No report has lines as long as this. */
const TOO_LONG = /(?<=^.{1200}).+$/gm;

const NEVER = '1970-01-01T00:00:00.000Z';

function untold(): Unknown {
  return { source: 'the text', readAt: NEVER, cause: 'notAsked', unknown: 'the text does not tell' };
}

function told<T>(value: T, report: Report): Known<T> {
  return { value, source: sourceOf(report), readAt: NEVER };
}

function sourceOf(report: Report | undefined): string {
  return `${report?.program}, in the text`;
}

/** What the first of the reports says that tells it. */
function first<T>(reports: readonly Report[], tell: (report: Report) => T | undefined): Known<T> | undefined {
  for (const report of reports) {
    const value = tell(report);
    if (value !== undefined) return told(value, report);
  }
  return undefined;
}

function factsOf(reports: readonly Report[], text: string): StackFacts {
  const shown = [...reports, ...[readVariables(text) ?? []].flat(), signsIn(text)];
  const isShown = shown.some(({ gpus, noGpus, board }) => gpus ?? noGpus ?? board);
  const telling = isShown ? shown : [...shown, { program: WRITTEN.words, at: text.length, ...namedGpu(text) }];
  const all = telling.map(ofNvidia);
  const { version, frameworks: _, loadedCudnn: __, runtime: ___, ...rest } = nothingYet();
  const nothing = Object.fromEntries(Object.keys(rest).map((name) => [name, untold()])) as typeof rest;
  const os = first(all, (report) => report.os);
  const environment = environmentOf(all, os?.value, jaxLacksCuda(text));
  const frameworks = frameworksOf(all, environment, tensorflowLooksForCuda(text));
  return {
    ...nothing,
    version,
    os: os ?? untold(),
    wsl: first(all, ({ wsl }) => wsl) ?? untold(),
    container: first(all, ({ container }) => container) ?? untold(),
    board: boardOf(all) ?? untold(),
    variables: variablesOf(all) ?? untold(),
    gpus: gpusOf(all),
    otherAccelerators: first(telling, ofAmd) ?? untold(),
    driver: first(all, ({ driver }) => driver) ?? untold(),
    driverCuda: first(all, ({ driverCuda }) => driverCuda) ?? notTold(first(all, ({ noDriverCuda }) => noDriverCuda)),
    toolkits: first(all, ({ toolkit }) => toolkit && [{ ...toolkit, namedBy: 'the text' }]) ?? untold(),
    interpreter: interpreterOf(all) ?? untold(),
    frameworks,
    ...packagesOf(all, environment),
    loadedCudnn: loadedCudnnOf(
      frameworks,
      environment,
      first(all, ({ cudnn }) => cudnn),
    ),
    runtime: runtimeOf(all),
  };
}

/** How frameworks call the GPUs of AMD, which torch lists as it does NVIDIA's. */
const AMD = /^(?:AMD|ATI)\b|\bRadeon\b|\bInstinct\b|\bgfx\d/i;

/** A report without the GPUs of AMD. */
function ofNvidia(report: Report): Report {
  const { gpus, ...others } = report;
  const own = gpus?.filter(({ name }) => !AMD.test(name));
  return gpus === undefined || own?.length === gpus.length ? report : { ...others, ...(own?.length && { gpus: own }) };
}

function ofAmd({ gpus, program }: Report): OtherAccelerator[] | undefined {
  const devices = (gpus ?? [])
    .filter(({ name }) => AMD.test(name))
    .map(({ name, memoryTotal }) => ({ name, architecture: name.match(/gfx\w+/)?.[0] ?? null, memoryTotal }));
  return devices.length === 0 ? undefined : [{ vendor: 'amd', api: 'rocm', sign: program, version: null, devices }];
}

/** Unknown for the reason that a report gives, if one does. */
function notTold(none: Known<{ cause: UnknownCause; reason: string }> | undefined): Unknown {
  return none ? { ...untold(), source: none.source, cause: none.value.cause, unknown: none.value.reason } : untold();
}

/** Tables cut long names; another report may have the whole one, and the table the memory. */
function gpusOf(reports: readonly Report[]): Fact<Gpu[]> {
  // Where a program says why it sees none, a GPU that somebody only writes of is not one that can be used.
  const isRefused = reports.some(({ noGpus }) => noGpus);
  const telling = reports.filter(({ gpus, isWritten }) => gpus !== undefined && !(isRefused && isWritten));
  const whole = telling.find(({ gpus }) => gpus?.every(({ name }) => !name.endsWith('...'))) ?? telling[0];
  if (whole?.gpus === undefined) {
    return notTold(first(reports, ({ noGpus }) => noGpus));
  }
  const others = telling.filter((each) => each !== whole && each.gpus?.length === whole.gpus?.length);
  const gpus = whole.gpus.map((gpu, at) => others.reduce((known, { gpus: more }) => filledIn(known, more?.[at]), gpu));
  return told(gpus, whole);
}

function filledIn(gpu: Gpu, other: Gpu | undefined): Gpu {
  if (other === undefined) return gpu;
  const absent = Object.entries(other).filter(
    ([key, value]) => value !== null && (gpu[key as keyof Gpu] ?? null) === null,
  );
  return { ...gpu, ...Object.fromEntries(absent) };
}

/** Who has another GPU only speaks of a board. */
function boardOf(reports: readonly Report[]): StackFacts['board'] | undefined {
  const gpus = gpusOf(reports);
  const isOther = 'value' in gpus && gpus.value.some(({ name }) => !/Orin|Xavier|Tegra|Thor|nvgpu/.test(name));
  return isOther ? undefined : first(reports, ({ board }) => board);
}

/** Reports that list every GPU of a machine; others tell of those that are visible, or of one. */
const LISTS_ALL = /^(?:nvidia-smi|collect_env)/;

/** Which GPUs a variable leaves is not known where it counts further than the GPUs that are told of. */
function variablesOf(reports: readonly Report[]): StackFacts['variables'] | undefined {
  const fact = first(reports, ({ variables }) => variables && { ...variables });
  const gpus = gpusOf(reports);
  const isCounted = 'value' in gpus && !LISTS_ALL.test(gpus.source);
  const highest = Math.max(-1, ...(fact?.value.CUDA_VISIBLE_DEVICES?.match(/\d+/g) ?? []).map(Number));
  if (fact === undefined || !isCounted || highest < gpus.value.length) return fact;
  const { CUDA_VISIBLE_DEVICES: _, ...others } = fact.value;
  return Object.keys(others).length > 0 ? { ...fact, value: others } : undefined;
}

/** Where packages are told of there is a Python, whose version may not be told. */
function interpreterOf(reports: readonly Report[]): Known<Interpreter> | undefined {
  const python = first(reports, (report) => report.python);
  const conda = first(reports, (report) => report.conda);
  const installed = first(reports, ({ builds, packages }) => builds?.torch ?? builds?.tensorflow ?? packages?.[0]);
  const from = python ?? conda ?? installed;
  if (from === undefined) return undefined;
  return {
    ...from,
    value: {
      path: 'python',
      version: python?.value ?? null,
      prefix: conda?.value.prefix ?? '',
      environment: conda === undefined ? 'other' : 'conda',
      architecture: null,
      chosenBy: from.source,
      sitePackages: [],
    },
  };
}

function environmentOf(reports: readonly Report[], os: ToldEnvironment['os'], withoutCuda: boolean): ToldEnvironment {
  const packages = new Map<string, Package>();
  for (const report of reports)
    for (const { name, version, builtFor, hasNoGpuCode } of report.packages ?? []) {
      const folder = sourceOf(report);
      if (!packages.has(name))
        packages.set(name, {
          name,
          version,
          folder,
          alsoInstalled: [],
          ...(builtFor && { builtFor: { ...builtFor, source: folder } }),
          ...(hasNoGpuCode && { gpuCode: { files: [], folder } }),
        });
    }
  const conda = reports.flatMap((report) => report.conda?.packages ?? []);
  const isConda = reports.some((report) => report.conda !== undefined);
  const hasPipRow = reports.some(
    ({ program, packages: listed }) => program === 'conda list' && listed?.some(({ name }) => name === 'torch'),
  );
  const cudaNamed = first(reports, (report) => report.cudaNamed)?.value;
  const mayBeConda = isConda && !hasPipRow && conda.some(({ name }) => name === 'pytorch');
  const torchCode = first(reports, ({ runtime }) => runtime?.torch?.architectures ?? undefined)?.value ?? null;
  return { os, packages, conda, mayBeConda, cudaNamed, torchCode, jaxLacksCuda: withoutCuda };
}

/** Whether a package would be listed, were it installed: a whole list holds all names up to its last one. */
function listedUpTo(reports: readonly Report[]): (name: string) => Report | undefined {
  return (name) => reports.find(({ isWhole, packages }) => isWhole && (packages?.at(-1)?.name ?? '') > name);
}

function frameworksOf(
  reports: readonly Report[],
  environment: ToldEnvironment,
  usesCuda: boolean,
): StackFacts['frameworks'] {
  const whole = listedUpTo(reports);
  const torch = first(reports, ({ builds }) => builds?.torch);
  const tensorflow = first(reports, ({ builds }) => builds?.tensorflow);
  const onnxruntime = first(reports, ({ builds }) => builds?.onnxruntime);
  const ofConda = reports.find((report) => report.conda);
  const fromOf = (name: string, fact: { source: string } | undefined) =>
    fact?.source ?? environment.packages.get(name)?.folder ?? sourceOf(ofConda);
  const fact = <T>(name: string, value: T | undefined, source: string): Fact<T | null> => {
    if (value !== undefined) return { value, source, readAt: NEVER };
    const list = whole(name);
    const isConda = environment.conda.length > 0;
    return list && !isConda ? told(null, list) : untold();
  };
  const from = {
    torch: fromOf('torch', torch),
    tensorflow: fromOf('tensorflow', tensorflow),
    onnxruntime: fromOf('onnxruntime', onnxruntime),
  };
  const source = (name: string) => fromOf(name, undefined);
  return {
    ...forEachFramework(untold()),
    torch: fact('torch', torchOf(torch?.value, environment, from.torch), from.torch),
    torchvision: fact(
      'torchvision',
      companionOf('torchvision', environment, source('torchvision')),
      source('torchvision'),
    ),
    torchaudio: fact('torchaudio', companionOf('torchaudio', environment, source('torchaudio')), source('torchaudio')),
    tensorflow: fact(
      'tensorflow-rocm',
      tensorflowOf(tensorflow?.value, environment, usesCuda, from.tensorflow),
      from.tensorflow,
    ),
    jax: fact(
      'jax',
      jaxOf(environment, (name) => whole(name) !== undefined, source('jax')),
      source('jax'),
    ),
    onnxruntime: fact(
      'onnxruntime-rocm',
      onnxruntimeOf(onnxruntime?.value, environment, from.onnxruntime),
      from.onnxruntime,
    ),
    keras: fact('keras', kerasOf(environment, source('keras')), source('keras')),
    tfKeras: fact('tf-keras', environment.packages.get('tf-keras'), source('tf-keras')),
  };
}

function packagesOf(
  reports: readonly Report[],
  { packages, conda }: ToldEnvironment,
): Pick<StackFacts, 'nvidiaWheels' | 'packages' | 'condaPackages'> {
  const ofPip = reports.find((report) => report.packages?.length);
  const ofConda = reports.find((report) => report.conda);
  const from = ofPip ?? ofConda;
  const condas = conda
    .filter(({ name }) => !packages.has(name))
    .map(({ name, version }): Package => ({ name, version, folder: sourceOf(ofConda), alsoInstalled: [] }));
  const all = [...packages.values(), ...condas];
  const isFramework = ({ name }: Package) => /^(?:torch|torchvision|torchaudio|keras|tf-keras|jax)$/.test(name);
  return {
    nvidiaWheels: ofPip
      ? told(
          all.filter(({ name }) => isNvidiaWheel(name)),
          ofPip,
        )
      : untold(),
    packages: from
      ? told(
          all.filter((each) => isRelatedPackage(each.name) && !isFramework(each)),
          from,
        )
      : untold(),
    condaPackages: ofConda
      ? told(
          conda.filter(({ name }) => isCondaPackageOfStack(name)),
          ofConda,
        )
      : untold(),
  };
}

/** Torch's wheels lead to NVIDIA's. */
function loadedCudnnOf(
  { torch, tensorflow }: StackFacts['frameworks'],
  { packages }: ToldEnvironment,
  said: Known<string> | undefined,
): StackFacts['loadedCudnn'] {
  const build = 'value' in torch ? torch.value : null;
  const family = build?.target === 'cuda' ? build.cuda?.split('.')[0] : undefined;
  const wheel = packages.get(`nvidia-cudnn-cu${family}`);
  const known = { ...forEachRuntime<Fact<NvidiaLibrary | null>>(() => untold()), ...ofTensorflow(tensorflow, said) };
  if (build === null || build.installer === 'conda' || wheel === undefined || Number(build.version.split('.')[0]) < 2)
    return known;
  const value: NvidiaLibrary = {
    version: wheelVersion(wheel.version),
    path: wheel.folder,
    origin: 'wheel',
    package: wheel.name,
  };
  return { ...known, torch: { value, source: wheel.folder, readAt: NEVER } };
}

/** Before 2.14 no wheels of NVIDIA's come with it, so that the cuDNN of the system is the one that it loads. */
function ofTensorflow(
  fact: StackFacts['frameworks']['tensorflow'],
  said: Known<string> | undefined,
): Partial<StackFacts['loadedCudnn']> {
  const build = 'value' in fact ? fact.value : null;
  if (!said || !build || compareVersions(build.version, '2.14') >= 0) return {};
  const value: NvidiaLibrary = { version: said.value, path: said.source, origin: 'system', package: null };
  return { tensorflow: { ...said, value } };
}

function runtimeOf(reports: readonly Report[]): StackFacts['runtime'] {
  return forEachRuntime<Fact<FrameworkRuntime | null>>((name) => {
    const said = reports.filter(({ runtime }) => runtime?.[name] !== undefined);
    const whole = said.find(({ runtime }) => runtime?.[name]?.available !== undefined);
    const merged = Object.assign({}, ...said.map(({ runtime }) => runtime?.[name])) as Partial<FrameworkRuntime>;
    if (whole === undefined || merged.available === undefined) return untold();
    const {
      version = '',
      available,
      devices = [],
      architectures = null,
      cuda = null,
      cudnn = null,
      failure = null,
    } = merged;
    return told(
      { version, available, devices, architectures, cuda, cudnn, cudnnPath: null, cudnnBuilt: null, failure },
      whole,
    );
  });
}
