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

/** The environment report of MMCV and MMEngine, and SGLang's, which has the same form. */
export const readOpenMmlab: ReportReader = (pasted) => {
  const text = asLines(pasted);
  const at = text.search(/^[ \t>]*(?:sys\.platform: \S|Python: \d[^\n]*\n[ \t>]*CUDA available: )/m);
  if (at < 0) return undefined;
  const body = reportAt(text, at);
  const torch = leadingVersion(labelled(body, 'PyTorch'));
  if (torch === undefined) return undefined;
  const python = labelled(body, 'Python');
  const torchvision = leadingVersion(labelled(body, 'TorchVision'));
  const mmcv = leadingVersion(labelled(body, 'MMCV'));
  const nvcc = labelled(body, 'NVCC')?.match(/release (\d+\.\d+)(?:, V(\d+\.\d+\.\d+))?|cuda_(\d+\.\d+)/);
  const toolkit = nvcc?.[2] ?? nvcc?.[1] ?? nvcc?.[3];
  const compiler = cudaVersion(labelled(body, 'MMCV CUDA Compiler'));
  const hasNoGpuCode = /^[ \t>]*MMCV CUDA Compiler:\s*not available/im.test(body);
  const driver = labelled(body, 'CUDA Driver Version')?.match(/^\d{3}\.[\d.]+/)?.[0];
  const cuda = cudaVersion(body.match(/^[ \t>*-]*CUDA Runtime (\d+\.\d+)/m)?.[1]);
  const architectures = [
    ...new Set(body.match(/^[ \t>*-]*NVCC architecture flags:.*$/m)?.[0].match(/(?<=code=)(?:sm|compute)_\d+/g)),
  ];
  const gpus = gpusIn(body);
  const available = yesOrNo(labelled(body, 'CUDA available'));
  const packages: ListedPackage[] = [
    ...(torchvision ? [{ name: 'torchvision', version: torchvision }] : []),
    ...(mmcv
      ? [
          {
            // Before version 2, the package with operators had this name.
            name: Number(mmcv.split('.')[0]) < 2 ? 'mmcv-full' : 'mmcv',
            version: mmcv,
            ...(compiler && { builtFor: { torch: null, cuda: compiler } }),
            ...(hasNoGpuCode && { hasNoGpuCode }),
          },
        ]
      : []),
  ];
  return {
    program: 'the environment of OpenMMLab',
    at,
    ...systemOf(undefined, platformOf(labelled(body, 'sys\\.platform'), body)),
    ...(leadingVersion(python) && { python: leadingVersion(python) }),
    ...(gpus.length > 0 && { gpus }),
    ...(driver && { driver }),
    ...(toolkit && { toolkit: { version: toolkit, root: labelled(body, 'CUDA_HOME') ?? 'nvcc on PATH' } }),
    packages,
    builds: { torch: { version: torch, isItsOwn: true, ...(cuda && { cuda }) } },
    ...withCode(torchSays(available, torch, gpus), architectures),
  };
};

/** The dictionary of `collect_env()`, printed without formatting. */
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

/** The GPU architectures that torch reports for its build. */
function withCode({ runtime }: Pick<Report, 'runtime'>, architectures: string[]): Pick<Report, 'runtime'> {
  if (runtime?.torch === undefined || architectures.length === 0) return runtime ? { runtime } : {};
  return { runtime: { torch: { ...runtime.torch, architectures } } };
}

/** Without `sys.platform`, CUDA's folder identifies the system. */
function platformOf(platform: string | undefined, body: string): string | undefined {
  if (platform !== undefined) return platform;
  const folder = labelled(body, 'CUDA_HOME');
  return folder?.startsWith('/') ? 'linux' : folder?.includes(':\\') ? 'win32' : undefined;
}

/** "GPU 0: ...", "GPU 0,1,2,3: ...". */
function gpusIn(body: string) {
  const rows = [...body.matchAll(/^[ \t>]*GPU (\d+(?:,\d+)*): (\S[^\n]*)$/gm)].filter(
    ([, , name = '']) => !/Compute Capability/.test(name),
  );
  return rows
    .flatMap(([, numbers = '', name = '']) =>
      numbers.split(',').map((number) => ({ number: Number(number), name: name.trim() })),
    )
    .sort((left, right) => left.number - right.number)
    .map(({ name }, index) => gpuNamed(name, index));
}
