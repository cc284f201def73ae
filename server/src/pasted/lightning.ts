import { normalized } from '../published/packageName.ts';
import {
  cudaVersion,
  gpuNamed,
  type ListedPackage,
  leadingVersion,
  type ReportReader,
  reportAt,
  torchSays,
  yesOrNo,
} from './report.ts';
import { systemOf } from './system.ts';

/** The list of PyTorch Lightning's `collect_env_details.py`: headings with stars, entries with dashes. */
export const readLightning: ReportReader = (text) => {
  const found = /^[ \t>]*[*-] CUDA:[ \t]*\n[ \t>]+[*-][ \t]+GPU:/m.exec(text);
  if (found === null) return undefined;
  const body = reportAt(text, found.index);
  const entry = (name: string) =>
    body.match(new RegExp(`^[ \\t>]+[*-][ \\t]+${name}:[ \\t]+(\\S.*?)[ \\t]*$`, 'm'))?.[1];
  const list = body.match(/GPU:[^\n]*\n([\s\S]*?)^[ \t>]+[*-][ \t]+available:/m)?.[1] ?? '';
  const gpus = [...list.matchAll(/^[ \t>]+[*-][ \t]+(\S[^\n]*?)[ \t]*$/gm)].map(([, name = ''], index) =>
    gpuNamed(name, index),
  );
  const torch = leadingVersion(entry('torch') ?? entry('pyTorch_version'));
  const cuda = cudaVersion(entry('version'));
  const python = leadingVersion(body.match(/^[ \t>]+[*-][ \t]+python:[ \t]+(\S+)/m)?.[1]);
  const available = yesOrNo(entry('available'));
  const packages = [...body.matchAll(/^[ \t>]+[*-][ \t]+([a-z][\w-]*):[ \t]+(\d+\.\d[\w.+]*)[ \t]*$/gm)].flatMap(
    ([, name = '', version = '']): ListedPackage[] =>
      ['version', 'python', 'torch'].includes(name) ? [] : [{ name: normalized(name), version }],
  );
  return {
    program: "Lightning's collect_env_details",
    at: found.index,
    ...systemOf(entry('OS'), undefined),
    ...(python && { python }),
    ...(gpus.length > 0 && { gpus }),
    packages,
    ...(torch && {
      builds: { torch: { version: torch, ...(cuda ? { cuda } : entry('version') === 'None' ? { cuda: null } : {}) } },
    }),
    ...torchSays(available, torch, gpus),
  };
};
