import { condaRow, pinnedRow } from './packageRows.ts';
import {
  cudaVersion,
  gpuNamed,
  labelled,
  leadingVersion,
  type Report,
  type ReportReader,
  reportAt,
  torchSays,
  yesOrNo,
} from './report.ts';
import { systemOf } from './system.ts';

/** Its first lines, in torch from 1.0 on, vLLM and other copies. People also paste only the last part of the report. */
const BEGINNING =
  /^[ \t>*`-]*(?:PyTorch version|CUDA used to build PyTorch|Is debug build|Python platform|CUDA runtime version|Versions of relevant libraries)\s*:/im;

/** Values of these labels have several lines. */
const GPUS =
  /^[ \t]*GPU models and configuration\s*:[ \t]*([\s\S]*?)^[ \t]*(?:Nvidia driver version|cuDNN version|CPU:|Versions|$)/im;

/** `python -m torch.utils.collect_env`, and the variants of vLLM, xFormers and others. */
export const readCollectEnv: ReportReader = (text) => {
  const at = text.search(BEGINNING);
  if (
    at < 0 ||
    !/^[ \t>*-]*(?:(?:CUDA used to build PyTorch|Is CUDA available|Nvidia driver version)\s*:|\[pip\d?\] \S+==)/im.test(
      text,
    )
  )
    return undefined;
  // Newer versions start with the system.
  const heading = text.slice(0, at).search(/^[ \t]*(?:Collecting environment information|=+\s+System Info)/m);
  const body = reportAt(text, heading < 0 ? at : heading);
  const torch = leadingVersion(labelled(body, 'PyTorch version'));
  const cuda = labelled(body, 'CUDA used to build PyTorch');
  const rocm = leadingVersion(labelled(body, 'ROCM used to build PyTorch'));
  const python = leadingVersion(labelled(body, 'Python version'));
  const driver = labelled(body, 'Nvidia driver version')?.match(/^\d{3}\.[\d.]+/)?.[0];
  const toolkit = labelled(body, 'CUDA runtime version')?.match(/^\d+\.\d+(?:\.\d+)?/)?.[0];
  const gpus = gpusIn(body);
  const vllm = leadingVersion(labelled(body, 'vLLM Version'));
  const packages = [
    ...[...body.matchAll(/^[ \t]*\[pip\d?\] (.*)$/gm)].flatMap(([, row = '']) => pinnedRow(row) ?? []),
    ...(vllm ? [{ name: 'vllm', version: vllm }] : []),
  ];
  const rows = [...body.matchAll(/^[ \t]*\[conda\] (.*)$/gm)].flatMap(([, row = '']) => condaRow(row) ?? []);
  const conda = rows.filter(({ channel }) => channel !== 'pypi');
  // Printed in every such field if torch sees no CUDA and neither nvcc nor nvidia-smi reports a version.
  const noDriver = cudaVersion(cuda) !== undefined && /^[ \t>*-]*Nvidia driver version\s*:\s*No CUDA\s*$/im.test(body);
  const cpuOnly = /^[ \t>*-]*CUDA used to build PyTorch\s*:\s*(?:None|Could not collect)\s*$/im.test(body);
  return {
    program: 'collect_env',
    at,
    ...systemOf(labelled(body, 'OS'), labelled(body, 'Python platform')),
    ...(python && { python }),
    ...(gpus.length > 0 && { gpus }),
    ...(noDriver && { noGpus: { cause: 'absent' as const, reason: 'nvidia-smi reports no driver' } }),
    ...(driver && { driver }),
    ...(toolkit && { toolkit: { version: toolkit, root: 'nvcc on PATH' } }),
    ...(packages.length > 0 && { packages }),
    ...(conda.length > 0 && { conda: { prefix: null, packages: conda } }),
    ...variablesIn(body),
    ...(torch && {
      builds: {
        torch: {
          version: torch,
          rocm: rocm ?? null,
          ...(rocm ? { cuda: null } : cpuOnly ? { cuda: null } : cudaVersion(cuda) && { cuda: cudaVersion(cuda) }),
        },
      },
    }),
    ...torchSays(yesOrNo(labelled(body, 'Is CUDA available')), torch, gpus),
  };
};

function gpusIn(body: string) {
  const list = GPUS.exec(body)?.[1] ?? '';
  const rows = [...list.matchAll(/(?:^|\n)[ \t]*(?:GPU \d+\s*[:：]\s*)?([^\n]+)/g)].map(([, name = '']) => name.trim());
  return rows
    .filter(
      (name) => /[A-Za-z]{2}|\d{3}/.test(name) && !/^(?:No CUDA|Could not collect|N\/A|MIG \S+ +Device)/i.test(name),
    )
    .map((name, index) => gpuNamed(name.replace(/ \(UUID:.*$/, ''), index));
}

/** Fields of newer versions. */
function variablesIn(body: string): Pick<Report, 'variables'> {
  const loading = labelled(body, 'CUDA_MODULE_LOADING set to');
  const lines = body.matchAll(/^(CUDA_\w+|LD_LIBRARY_PATH|NCCL_\w+|PYTORCH_\w+|VLLM_\w+)=(.*)$/gm);
  const found = Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
  const all = { ...(loading && { CUDA_MODULE_LOADING: loading }), ...found };
  return Object.keys(found).length > 0 ? { variables: all } : {};
}
