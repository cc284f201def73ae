import type { EnvironmentKind } from './environmentFile.ts';

/** The ends of the paths of each kind, as regular expressions; the pre-commit hooks have the same ones. */
const PATTERNS: readonly (readonly [EnvironmentKind, string])[] = [
  ['workflow', '\\.github/workflows/[^/]+\\.ya?ml'],
  ['requirements', 'requirements?/[^/]*\\.txt'],
  ['requirementsIn', 'requirements?/[^/]*\\.in'],
  ['pyproject', 'pyproject\\.toml'],
  ['pixi', 'pixi\\.toml'],
  ['pipfile', 'pipfile'],
  ['setupCfg', 'setup\\.cfg'],
  ['requirements', '([^/]+[-_.])?(requirements?|reqs?|constraints?)([-_.][^/]*)?\\.txt'],
  ['requirementsIn', '([^/]+[-_.])?(requirements?|constraints?)([-_.][^/]*)?\\.in'],
  ['conda', '([^/]+[-_.])?(environment|conda|env)([-_.][^/]*)?\\.ya?ml'],
  ['dockerfile', '([^/]+\\.)?(docker|container)file([._-][^/]+)?'],
  ['compose', '(docker-)?compose([._-][^/]+)?\\.ya?ml'],
  ['devcontainer', '\\.?devcontainer\\.json'],
  ['shell', '[^/]+\\.(sh|bash|sbatch|slurm)'],
  ['gitlabCi', '[^/]*\\.gitlab-ci\\.ya?ml'],
  ['apptainer', '(singularity|apptainer)(\\.[^/]+)?|[^/]+\\.def'],
];

const KINDS = PATTERNS.map(([kind, text]) => ({
  kind,
  pattern: new RegExp(`^(?:${text})$`, 'i'),
  folders: text.replaceAll('[^/]', '').split('/').length - 1,
}));

/** The patterns of each kind of environment file, to be shown. */
export function patternsByKind(): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    PATTERNS.map(([kind]) => [kind, PATTERNS.flatMap(([other, text]) => (other === kind ? text : []))]),
  );
}

/** Returns the kind of environment file at a path; undefined for other files. */
export function environmentKind(path: string): EnvironmentKind | undefined {
  const names = path.split(/[\\/]/);
  const ends = [1, 2, 3].map((length) => names.slice(-length).join('/'));
  return KINDS.find(({ pattern, folders }) => pattern.test(ends[folders] ?? ''))?.kind;
}

/** Returns the kind of a file that a person names, by its extension if its name is unusual. */
export function kindOfNamed(path: string): EnvironmentKind | undefined {
  const own = environmentKind(path);
  if (own !== undefined) return own;
  if (/\.(?:txt|in)$/i.test(path)) return 'requirements';
  return /\.ya?ml$/i.test(path) ? 'conda' : undefined;
}

const WORDS = 'torch tensorflow cuda nvidia keras jax cupy onnxruntime faiss gpu vllm xformers flash'.split(' ');

/** False for a file in which no environment rule can find anything. */
export function namesGpuPackages(bytes: Buffer): boolean {
  return WORDS.some((word) => bytes.includes(word));
}
