import { normalized } from '../published/packageName.ts';
import {
  gpuNamed,
  type ListedPackage,
  labelled,
  leadingVersion,
  type Report,
  type ReportReader,
  torchSays,
} from './report.ts';
import { systemOf } from './system.ts';

/** Lines such as "- `transformers` version: 4.46.0", "- PyTorch version (GPU?): 2.4.0+cu121 (True)". */
const ROW = /^[ \t>]*[-*•][ \t]+[`🤗\s]*([A-Za-z][\w -]*?)`? [Vv]ersions?(?: \([^)\n]*\))?: +(\d\S*)(.*)$/gmu;

/** Labels that are not package names. */
const NAMES: Readonly<Record<string, string>> = {
  pytorch: 'torch',
  'huggingface-hub': 'huggingface-hub',
  'deepspeed-mii': 'deepspeed-mii',
};

/**
 * `transformers env`, `accelerate env`, `diffusers-cli env` and the commands of TRL, PEFT, datasets and LLaMA-Factory.
 */
export const readHuggingFace: ReportReader = (text) => {
  const rows = [...text.matchAll(ROW)];
  const platform = labelled(text, 'Platform');
  const [first] = rows;
  if (first === undefined || platform === undefined || rows.length < 3) return undefined;
  const reported = rows.map(([, name = '', version = '', rest = '']) => ({
    name: nameOf(name),
    version,
    rest: rest.trim(),
  }));
  const torch = reported.find(({ name }) => name === 'torch');
  const tensorflow = reported.find(({ name }) => name === 'tensorflow');
  const packages = reported.filter(({ name }) => !['python', 'torch', 'tensorflow', 'cuda', 'flax'].includes(name));
  const python = reported.find(({ name }) => name === 'python')?.version;
  return {
    program: first[1]?.trim().toLowerCase() === 'accelerate' ? 'accelerate env' : `${nameOf(first[1] ?? '')} env`,
    at: first.index,
    ...systemOf(undefined, platform),
    ...(python && leadingVersion(python) && { python: leadingVersion(python) }),
    packages: packages.flatMap(({ name, version }): ListedPackage[] =>
      leadingVersion(version) === undefined ? [] : [{ name, version: leadingVersion(version) ?? '' }],
    ),
    builds: {
      ...(torch && { torch: { version: torch.version } }),
      ...(tensorflow && { tensorflow: { version: tensorflow.version } }),
    },
    ...gpusIn(text),
    ...torchSays(/^\(False\)/.test(torch?.rest ?? '') ? false : undefined, torch?.version, []),
  };
};

function nameOf(said: string): string {
  const name = normalized(said.trim().replaceAll(' ', '-'));
  return NAMES[name] ?? name;
}

/**
 * "GPU type: NVIDIA A100-SXM4-40GB", "Accelerator: NVIDIA GeForce RTX 3090, 24576 MiB", one GPU or several of a kind.
 */
function gpusIn(text: string): Pick<Report, 'gpus'> {
  const said = labelled(text, 'GPU type') ?? labelled(text, 'Accelerator') ?? labelled(text, 'accelerator\\(s\\)');
  if (said === undefined || !/NVIDIA|Tesla|GeForce|Quadro|RTX|GTX/.test(said)) return {};
  const names = said.split(/\n|, (?=NVIDIA|Tesla)/).map((each) => each.replace(/,? \d+ MiB.*$/, '').trim());
  const count = Number(labelled(text, 'GPU number') ?? names.length);
  const each = names.length > 1 || !(count > 1 && count <= 64) ? names : Array<string>(count).fill(names[0] ?? '');
  return { gpus: each.map(gpuNamed) };
}
