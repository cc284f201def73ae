/** Environment reports of programs that print a label and a value on each line. */
import { normalized } from '../published/packageName.ts';
import {
  cudaVersion,
  gpuNamed,
  type ListedPackage,
  labelled,
  leadingVersion,
  type Report,
  type ReportReader,
  reportAt,
  torchSays,
  yesOrNo,
} from './report.ts';
import { systemOf } from './system.ts';

type Field = 'torch' | 'cuda' | 'python' | 'os' | 'platform' | 'driver' | 'toolkit' | 'home' | 'available';

/** Returns the value of a label. */
type Value = (label: string) => string | undefined;

interface LabelledReport {
  readonly program: string;
  readonly start: RegExp;
  /** Matches what precedes a label, and what separates it from its value, if that is not a colon. */
  readonly between?: readonly [before: string, after: string];
  readonly labels: Partial<Readonly<Record<Field, string>>>;
  readonly packages?: Readonly<Record<string, string>>;
  /** Finds GPUs and packages, which have no label of their own. */
  readonly others?: (body: string, value: Value) => Pick<Report, 'gpus' | 'packages'>;
  /** True if torch reports its own version, with the build tag, without which the report says nothing. */
  readonly isItsOwn?: true;
}

const REPORTS: readonly LabelledReport[] = [
  {
    program: "Lightning's collect_env_details",
    start: /^[ \t>]*[*-] CUDA:[ \t]*\n[ \t>]+[*-][ \t]+GPU:/m,
    between: ['[ \\t>]+[*-][ \\t]+', ':[ \\t]+'],
    labels: { torch: '(?:torch|pyTorch_version)', cuda: 'version', python: 'python', os: 'OS', available: 'available' },
    others: (body) => ({
      gpus: [
        ...(body.match(/GPU:[^\n]*\n([\s\S]*?)^[ \t>]+[*-][ \t]+available:/m)?.[1] ?? '').matchAll(
          /^[ \t>]+[*-][ \t]+(\S[^\n]*?)[ \t]*$/gm,
        ),
      ].map(([, name = ''], index) => gpuNamed(name, index)),
      packages: [...body.matchAll(/^[ \t>]+[*-][ \t]+([a-z][\w-]*):[ \t]+(\d+\.\d[\w.+]*)[ \t]*$/gm)]
        .filter(([, name = '']) => !['version', 'python', 'torch'].includes(name))
        .map(([, name = '', version = '']) => ({ name: normalized(name), version })),
    }),
  },
  {
    // MMCV's and MMEngine's, and SGLang's, which has the same form.
    program: 'the environment of OpenMMLab',
    start: /^[ \t>]*(?:sys\.platform: \S|Python: \d[^\n]*\n[ \t>]*CUDA available: )/m,
    labels: {
      torch: 'PyTorch',
      python: 'Python',
      platform: 'sys\\.platform',
      driver: 'CUDA Driver Version',
      toolkit: 'NVCC',
      home: 'CUDA_HOME',
      available: 'CUDA available',
    },
    packages: { torchvision: 'TorchVision' },
    others: (body, value) => ({ gpus: numberedGpus(body), packages: mmcv(body, value) }),
    isItsOwn: true,
  },
  {
    program: 'detectron2.utils.collect_env',
    start: /^[ \t>]*(?:sys\.platform|detectron2)[ ]{2,}\S/m,
    between: ['[ \\t>]*', '[ ]{2,}'],
    labels: {
      torch: 'PyTorch',
      python: 'Python',
      platform: 'sys\\.platform',
      driver: 'Driver version',
      toolkit: '(?:nvcc|NVCC|CUDA compiler)',
      home: 'CUDA_HOME',
      available: '(?:GPU|CUDA) available',
    },
    packages: { torchvision: 'torchvision' },
    others: (body, value) => ({
      gpus: numberedGpus(body),
      packages: compiled('detectron2', value('detectron2'), value('CUDA compiler')?.match(/CUDA (\d+\.\d+)/)?.[1]),
    }),
    isItsOwn: true,
  },
  {
    program: 'ds_report',
    start: /^[ \t>]*(?:torch version|deepspeed info) \.{3,}/m,
    between: ['[ \\t>]*', '[ ]\\.{3,}[ ]*'],
    labels: {
      torch: 'torch version',
      cuda: 'torch cuda version',
      python: 'torch install path',
      toolkit: 'nvcc version',
    },
    packages: { deepspeed: 'deepspeed info' },
  },
  {
    // From 0.45 on; older versions print messages only.
    program: 'bitsandbytes',
    start: /^[ \t>=]*bitsandbytes v\d\S*[ =]*$/m,
    labels: { torch: 'PyTorch', cuda: 'CUDA', python: 'Python', platform: 'Platform' },
    others: (body) => ({ packages: compiled('bitsandbytes', /bitsandbytes v(\S+)/.exec(body)?.[1], undefined) }),
  },
  {
    program: 'xformers.info',
    start: /^[ \t>]*xFormers \d\S*\s*$(?=[\s\S]{0,4000}^[ \t>]*(?:pytorch|build)\.\w+:)/m,
    labels: { torch: 'pytorch\\.version' },
    others: (body, value) => {
      const [name, capability] = [value('gpu\\.name'), leadingVersion(value('gpu\\.compute_capability'))];
      const torch = leadingVersion(value('build\\.torch_version'));
      const version = /xFormers (\S+)/.exec(body)?.[1];
      return {
        gpus: name ? [{ ...gpuNamed(name, 0), ...(capability && { computeCapability: capability }) }] : [],
        packages: compiled('xformers', version, cudaVersion(value('build\\.cuda_version')), torch),
      };
    },
  },
  {
    // The installed and required versions are in rows like "✅ torch  2.1.0>=1.8.0".
    program: 'yolo checks',
    start: /^[ \t]*OS {2,}\S[^\n]*\n[ \t]*Environment {2,}/m,
    between: ['[ \\t]*(?:✅ )?', ' +(?:✅ )?'],
    labels: { torch: 'torch', cuda: 'CUDA', python: 'Python', platform: 'OS' },
    others: (body, value) => ({
      gpus: [value('GPU')?.match(/^(?!None)([^,]+)/)?.[1] ?? []].flat().map(gpuNamed),
      packages: [...body.matchAll(/^[ \t]*(?:✅ )?(?!torch )([a-z][\w-]*) +(?:✅ )?(\d[\w.+]*)(?:[<>=!]|$)/gm)].map(
        ([, name = '', version = '']) => ({ name: normalized(name), version }),
      ),
    }),
  },
  {
    program: 'jax.print_environment_info()',
    start: /^[ \t>]*jax: +\d\S*\n[ \t>]*jaxlib: +\d/m,
    labels: { python: 'python', platform: 'platform' },
    packages: { jax: 'jax', jaxlib: 'jaxlib', numpy: 'numpy' },
  },
];

/** The readers of these reports. */
export const LABELLED_READERS: readonly ReportReader[] = REPORTS.map(
  (report) => (text) => reportIn(asLines(text), report),
);

function reportIn(text: string, report: LabelledReport): Report | undefined {
  const { program, start, between, labels, packages = {}, others, isItsOwn } = report;
  const at = text.search(start);
  if (at < 0) return undefined;
  const body = reportAt(text, at);
  const value: Value = (label) =>
    between
      ? body.match(new RegExp(`^${between[0]}${label}${between[1]}(\\S.*?)[ \\t]*$`, 'm'))?.[1]
      : labelled(body, label);
  const of = (field: Field) => (labels[field] === undefined ? undefined : value(labels[field]));
  const torch = leadingVersion(of('torch'));
  if (isItsOwn && torch === undefined) return undefined;
  const python = leadingVersion(of('python')) ?? of('python')?.match(/python(\d\.\d+)/)?.[1];
  const driver = of('driver')?.match(/^\d{3}\.[\d.]+/)?.[0];
  const driverCuda = of('driver')?.match(/CUDA (\d+\.\d+)/)?.[1];
  const nvcc = of('toolkit')?.match(/(?:release |cuda_)(\d+\.\d+)(?:, V(\d+\.\d+\.\d+))?/);
  const toolkit = nvcc?.[2] ?? nvcc?.[1] ?? leadingVersion(of('toolkit'));
  const cuda =
    of('cuda') === 'None' ? null : cudaVersion(of('cuda') ?? /^[ \t>*-]*CUDA Runtime (\d+\.\d+)/m.exec(body)?.[1]);
  const architectures = new Set(body.match(/^[ \t>*-]*NVCC architecture flags:.*$/m)?.[0].match(/(?<=code=)\w+/g));
  const { gpus = [], packages: listed = [] } = others?.(body, value) ?? {};
  const { runtime } = torchSays(yesOrNo(of('available')), torch, gpus);
  const withCode = architectures.size > 0 ? { architectures: [...architectures] } : {};
  return {
    program,
    at,
    ...systemOf(of('os'), of('platform') ?? platformOf(of('home'))),
    ...(python && { python }),
    ...(gpus.length > 0 && { gpus }),
    ...(driver && { driver }),
    ...(driverCuda && { driverCuda }),
    ...(toolkit && { toolkit: { version: toolkit, root: of('home') ?? 'nvcc on PATH' } }),
    packages: [
      ...Object.entries(packages).flatMap(([name, label]) => compiled(name, value(label), undefined)),
      ...listed,
    ],
    ...(torch && {
      builds: { torch: { version: torch, ...(isItsOwn && { isItsOwn }), ...(cuda !== undefined && { cuda }) } },
    }),
    ...(runtime?.torch && { runtime: { torch: { ...runtime.torch, ...withCode } } }),
  };
}

/** OpenMMLab's dictionary as `collect_env()` returns it. */
function asLines(text: string): string {
  if (!text.includes("[('sys.platform', ")) return text;
  return text.replace(/OrderedDict\(\[\((.*)\)\]\)/, (_, rows: string) =>
    rows
      .split(/\), \(/)
      .map((row) => row.replace(/^'([^']*)', '?(.*?)'?$/, '$1: $2'))
      .join('\n')
      .replaceAll('\\n', '\n'),
  );
}

/** Without another sign, CUDA's folder identifies the system. */
function platformOf(folder: string | undefined): string | undefined {
  return folder?.startsWith('/') ? 'linux' : folder?.includes(':\\') ? 'win32' : undefined;
}

/** A package with the torch and the CUDA that it was compiled for, as far as they are known. */
function compiled(name: string, value: string | undefined, cuda: string | undefined, torch?: string): ListedPackage[] {
  const version = leadingVersion(value);
  if (version === undefined) return [];
  return [{ name, version, ...((cuda ?? torch) && { builtFor: { torch: torch ?? null, cuda: cuda ?? null } }) }];
}

/** Before version 2, the package with operators was called mmcv-full. */
function mmcv(body: string, value: Value): ListedPackage[] {
  const name = /^[ \t>]*MMCV: *[01]\./m.test(body) ? 'mmcv-full' : 'mmcv';
  const hasNoGpuCode = /^[ \t>]*MMCV CUDA Compiler:\s*not available/im.test(body);
  const found = compiled(name, value('MMCV'), cudaVersion(value('MMCV CUDA Compiler')));
  return hasNoGpuCode ? found.map((each) => ({ ...each, hasNoGpuCode })) : found;
}

/** "GPU 0: ...", "GPU 0,1,2,3: ...", "GPU 0    Tesla V100 (arch=7.0)". */
function numberedGpus(body: string) {
  return [...body.matchAll(/^[ \t>]*GPU (\d+(?:,\d+)*)(?:: | {2,})(\S[^\n]*?)[ \t]*$/gm)]
    .filter(([, , name = '']) => !/Compute Capability/.test(name))
    .flatMap(([, numbers = '', name = '']) => numbers.split(',').map((number) => ({ number: Number(number), name })))
    .sort((left, right) => left.number - right.number)
    .map(({ name }, index) => {
      const [, plain = name, arch] = name.match(/^(.*?) \(arch=(\d+\.\d)\)$/) ?? [];
      return { ...gpuNamed(plain, index), ...(arch && { computeCapability: arch }) };
    });
}
