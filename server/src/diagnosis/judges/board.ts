import type { Action } from '../../commands/action.ts';
import { capabilityOfBoard, jetpackOf } from '../../published/releases/jetpacks.ts';
import { majorOf, minorOf } from '../../published/versions.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { builtForCuda } from '../../stack/facts/installed.ts';
import type { Judge } from '../diagnosis.ts';
import { installFittingTorch } from '../remedies/installTorch.ts';

/** Builds on a Jetson must be compiled for its JetPack: Arm server wheels contain no code for its GPU. */
export const buildForOtherBoard: Judge = {
  id: 'build-for-other-board',
  judge(facts) {
    const board = knownValue(facts.board);
    if (!board) return [];
    const name = board.model ?? 'this board';
    const jetpack = board.l4t === null ? undefined : jetpackOf(board.l4t);
    const capability = capabilityOfBoard(board.model ?? '') ?? knownValue(facts.gpus)?.[0]?.computeCapability;
    return builtForCuda(facts).flatMap(({ framework, build: { cuda, version }, title, source }) => {
      const other =
        jetpack &&
        cuda?.includes('.') &&
        minorOf(cuda) !== jetpack.cuda &&
        !runsOn(cuda, jetpack.cuda) &&
        !bringsOwn(facts, cuda);
      const isPublished = isPublishedForServers(facts, framework, version);
      // Thor runs server builds, which include their libraries.
      if (isPublished && capability === capabilityOfBoard('Thor')) return [];
      if (!other && !isPublished) return [];
      return [
        {
          severity: 'error' as const,
          finding: other
            ? `${title} is built for CUDA ${cuda}, and JetPack ${jetpack.jetpack} of ${name} has CUDA ${jetpack.cuda}: its libraries are not found.`
            : `${title} is a wheel for Arm servers without code for the GPU of ${name}${capability ? ` (${capability})` : ''}: "no kernel image is available".`,
          why: [
            { fact: `${title}${cuda === null ? '' : ` is built for CUDA ${cuda}`}`, source },
            {
              fact: `${name}${board.l4t === null ? '' : `, Linux for Tegra ${board.l4t}`}`,
              source: facts.board.source,
            },
          ],
          remedies: () => remediesFor(facts, framework, jetpack?.jetpack),
        },
      ];
    });
  },
};

/** Since CUDA 11, the libraries of one major version have the same names. */
function runsOn(cuda: string, board: string): boolean {
  return Number(majorOf(cuda)) >= 11 && majorOf(cuda) === majorOf(board);
}

/** A newer CUDA than the board's JetPack can be installed beside it, and containers include their own. */
function bringsOwn(facts: StackFacts, cuda: string): boolean {
  return (knownValue(facts.cudaRuntimes) ?? []).some(
    ({ version, origin }) => origin !== 'wheel' && majorOf(version) === majorOf(cuda),
  );
}

/** JAX's plug-ins are PyPI's, and a torch with an index tag is PyTorch's; NVIDIA's own builds have "nv" or no tag. */
function isPublishedForServers(facts: StackFacts, framework: string, version: string): boolean {
  if (framework === 'torch') return /^\d+\.\d+\.\d+(\.dev\d+)?\+cu\d+$/.test(version);
  const plugin = knownValue(facts.packages)?.some(({ name }) => /^jax-cuda\d+-plugin$/.test(name));
  return framework === 'jax' && Boolean(plugin);
}

function remediesFor(facts: StackFacts, framework: string, jetpack: string | undefined): Action[] {
  if (framework === 'torch') return installFittingTorch(facts);
  const which = jetpack === undefined ? '' : ` for JetPack ${jetpack}`;
  return [
    {
      do: 'advise',
      title: `Use one of NVIDIA's containers for Jetson${which} (https://github.com/dusty-nv/jetson-containers), which includes it`,
    },
    {
      do: 'advise',
      title: `Build ${framework === 'jax' ? 'jaxlib' : framework} on the board for its compute capability`,
    },
  ];
}
