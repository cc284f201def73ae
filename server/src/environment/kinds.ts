import type { EnvironmentKind } from './environmentFile.ts';

/** The kinds of files, by name; `.pre-commit-hooks.yaml` repeats these patterns. */
const NAMES: readonly (readonly [RegExp, EnvironmentKind])[] = [
  [/^pyproject\.toml$/, 'pyproject'],
  [/^pixi\.toml$/, 'pixi'],
  [/^Pipfile$/i, 'pipfile'],
  [/^setup\.cfg$/, 'setupCfg'],
  [/^(?:.+[-_.])?(?:requirements?|reqs?|constraints?)(?:[-_.].*)?\.txt$/i, 'requirements'],
  [/^(?:.+[-_.])?(?:requirements?|constraints?)(?:[-_.].*)?\.in$/i, 'requirementsIn'],
  [/^(?:.+[-_.])?(?:environment|conda|env)(?:[-_.].*)?\.ya?ml$/i, 'conda'],
  [/^(?:.+\.)?(?:Docker|Container)file(?:[._-].+)?$/i, 'dockerfile'],
  [/^(?:docker-)?compose(?:[._-].+)?\.ya?ml$/i, 'compose'],
  [/^\.?devcontainer\.json$/, 'devcontainer'],
  [/.\.(?:sh|bash|sbatch|slurm)$/i, 'shell'],
  [/^(?:.+)?\.gitlab-ci\.ya?ml$/i, 'gitlabCi'],
  [/^(?:Singularity|Apptainer)(?:\..+)?$|.\.def$/, 'apptainer'],
];

/** Returns the kind of environment file at a path; undefined for other files. */
export function environmentKind(path: string): EnvironmentKind | undefined {
  if (/(?:^|[\\/])\.github[\\/]workflows[\\/][^\\/]+\.ya?ml$/.test(path)) return 'workflow';
  const [, folder = '', name = ''] = /(?:^|[\\/])(?:([^\\/]*)[\\/])?([^\\/]*)$/.exec(path) ?? [];
  // `requirements/gpu.txt` is also a requirements file.
  if (/^requirements?$/.test(folder) && /\.(?:txt|in)$/.test(name))
    return name.endsWith('.txt') ? 'requirements' : 'requirementsIn';
  return NAMES.find(([pattern]) => pattern.test(name))?.[1];
}

const WORDS = 'torch tensorflow cuda nvidia keras jax cupy onnxruntime faiss gpu vllm xformers flash'.split(' ');

/** False for a file in which no environment rule can find anything. */
export function namesGpuPackages(bytes: Buffer): boolean {
  return WORDS.some((word) => bytes.includes(word));
}
