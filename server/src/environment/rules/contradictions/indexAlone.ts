import { gpuPackages } from '../../../published/gpuPackages.ts';
import { hasBuildsOfTorch, knownPackage } from '../../../published/knownPackages.ts';
import { message } from '../../../rules/engine/message.ts';
import { quotedName } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

/** Reports packages that PyTorch's index does not have, if it replaces PyPI. */
export const indexAlone: Contradiction = ({ requirements }, report, { kind }) => {
  // Other tools and files name further indexes elsewhere.
  if (kind === 'pyproject' || kind === 'pipfile' || kind === 'pixi') return;
  const lacking = requirements.find((requirement) => {
    const { name, manager, url, sources, marker } = requirement;
    const [only] = sources;
    if (manager !== 'pip' || url !== undefined || marker !== '' || sources.length !== 1) return false;
    return (
      only?.kind === 'index' && !only.hasPypi && /download\.pytorch\.org\/whl/.test(only.url) && isNotOnIndex(name)
    );
  });
  const [index] = lacking?.sources ?? [];
  if (lacking === undefined || index === undefined) return;
  report({
    span: lacking.span,
    level: 'flag',
    message: message`PyTorch's index has no ${quotedName(lacking)}: \`--index-url\` replaces PyPI, so use \`--extra-index-url\`.`,
    related: [{ span: index.span, message: 'The index is chosen here.' }],
  });
};

/** True for a known package that PyTorch's index does not carry with its own. */
function isNotOnIndex(name: string): boolean {
  const file = knownPackage(name);
  if (file === undefined || hasBuildsOfTorch(name) || file.released_with === 'torch') return false;
  return !CARRIED.test(name) && !gpuPackages().extensions.includes(name);
}

/** Packages on the index besides torch and its companions: its dependencies, and projects of PyTorch. */
const CARRIED =
  /^(?:numpy|pillow|triton|pytorch-triton.*|xformers|torchao|torchcodec|torchdata|torchtext|torchtune|torchrec|fbgemm-gpu.*|vllm|flashinfer.*|xgrammar|nvidia-.*|cuda-.*|intel-.*|torch.*|executorch|monarch|safetensors|scipy|pandas|protobuf|h5py|joblib|lz4)$/;
