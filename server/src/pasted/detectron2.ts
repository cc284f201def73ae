import { cudaVersion, gpuNamed, leadingVersion, type ReportReader, reportAt, torchSays, yesOrNo } from './report.ts';
import { systemOf } from './system.ts';

/** `python -m detectron2.utils.collect_env`: a table of names and values, separated by two spaces. */
export const readDetectron2: ReportReader = (text) => {
  const at = text.search(/^[ \t>]*(?:sys\.platform|detectron2)[ ]{2,}\S/m);
  if (at < 0) return undefined;
  const body = reportAt(text, at);
  const cell = (name: string) => body.match(new RegExp(`^[ \\t>]*${name}[ ]{2,}(\\S.*?)[ \\t]*$`, 'm'))?.[1];
  const torch = leadingVersion(cell('PyTorch'));
  if (torch === undefined) return undefined;
  const python = leadingVersion(cell('Python'));
  const driver = cell('Driver version')?.match(/^\d{3}\.[\d.]+/)?.[0];
  const driverCuda = cell('Driver version')?.match(/CUDA (\d+\.\d+)/)?.[1];
  const compilation = cell('CUDA compiler');
  const nvcc = [cell('(?:nvcc|NVCC)'), compilation].find((each) => /release \d|cuda_\d/.test(each ?? ''));
  const toolkit = nvcc?.match(/(?:release |cuda_)(\d+\.\d+)/)?.[1];
  const torchvision = leadingVersion(cell('torchvision'));
  const detectron2 = leadingVersion(cell('detectron2'));
  const compiler = compilation?.match(/CUDA (\d+\.\d+)/)?.[1];
  const cuda = cudaVersion(body.match(/^[ \t>*-]*CUDA Runtime (\d+\.\d+)/m)?.[1]);
  const rows = [...body.matchAll(/^[ \t>]*GPU (\d+(?:,\d+)*)[ ]{2,}(\S[^\n]*?)[ \t]*$/gm)];
  const gpus = rows
    .flatMap(([, numbers = '', name = '']) => numbers.split(',').map(() => name))
    .map((name, index) => {
      const [, plain = name, arch] = name.match(/^(.*?) \(arch=(\d+\.\d)\)$/) ?? [];
      return { ...gpuNamed(plain, index), ...(arch && { computeCapability: arch }) };
    });
  return {
    program: 'detectron2.utils.collect_env',
    at,
    ...systemOf(undefined, cell('sys\\.platform')),
    ...(python && { python }),
    ...(gpus.length > 0 && { gpus }),
    ...(driver && { driver }),
    ...(driverCuda && { driverCuda }),
    ...(toolkit && { toolkit: { version: toolkit, root: cell('CUDA_HOME') ?? 'nvcc on PATH' } }),
    packages: [
      ...(torchvision ? [{ name: 'torchvision', version: torchvision }] : []),
      ...(detectron2
        ? [{ name: 'detectron2', version: detectron2, ...(compiler && { builtFor: { torch: null, cuda: compiler } }) }]
        : []),
    ],
    builds: { torch: { version: torch, isItsOwn: true, ...(cuda && { cuda }) } },
    ...torchSays(yesOrNo(cell('(?:GPU|CUDA) available')), torch, gpus),
  };
};
