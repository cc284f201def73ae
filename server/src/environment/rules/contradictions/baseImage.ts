import { knownPackage, packagesWith } from '../../../published/knownPackages.ts';
import { onnxruntimeReleases } from '../../../published/releases/onnxruntimeReleases.ts';
import { tensorflowReleaseOf } from '../../../published/releases/tensorflowReleases.ts';
import { cudaOfTag, torchReleaseOf } from '../../../published/releases/torchReleases.ts';
import { message, quoted } from '../../../rules/engine/message.ts';
import type { Requirement } from '../../environmentFile.ts';
import { isOtherCuda, knownImage } from '../../image.ts';
import { torchBuildOf } from '../../torchBuild.ts';
import { quotedName, requiredHere, requirementsNamed } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

/** Reports a base image whose CUDA or framework version differs from the one that the installed packages need. */
export const baseImage: Contradiction = (installation, report, file) => {
  const { image } = installation;
  const known = image && knownImage(image.text);
  if (!image || !known) return;
  const related = [{ span: image.span, message: 'The image is chosen here.' }];
  const torch = requirementsNamed(installation, 'torch').find(({ manager }) => manager === 'pip');
  if (known.maker === 'nvidia-pytorch') {
    // If a package is uninstalled first, the replacement is intended.
    const replaced = ['torch', 'torchvision']
      .filter((name) => !image.uninstalled?.includes(name))
      .flatMap((name) => requirementsNamed(installation, name))
      .find(isPinned);
    if (replaced)
      report({
        span: replaced.span,
        level: 'flag',
        message: message`pip replaces the torch that NVIDIA built for this image with ${quotedName(replaced)}.`,
        related,
      });
  }
  if (
    known.maker === 'pytorch' &&
    torch?.pin &&
    known.version &&
    isPinned(torch) &&
    !image.uninstalled?.includes('torch') &&
    !sameRelease(torch.pin.text, known.version)
  )
    report({
      span: torch.span,
      level: 'flag',
      message: message`pip replaces the image's torch ${known.version} with ${quotedName(torch)}: use an image with that version, or one without torch.`,
      related,
    });
  if (known.maker === 'cuda' && known.cuda !== undefined) {
    const compiled = torch && cudaOfTorch(torch);
    const compiles = image.compiles || image.compilesFor !== undefined;
    if (torch && compiled && known.flavour === 'devel' && compiles && isOtherCuda(compiled, known.cuda))
      report({
        span: torch.span,
        level: 'flag',
        message: message`Compiling extensions fails: ${quotedName(torch)} is for CUDA ${compiled}, but the image's compiler is for CUDA ${known.cuda}.`,
        related,
      });
    for (const loading of packagesWith('system_cuda').flatMap(({ name }) => requirementsNamed(installation, name))) {
      const cuda = systemCudaOf(loading);
      if (cuda === undefined || !isOtherCuda(cuda, known.cuda)) continue;
      // Other packages may provide these libraries.
      if (installation.requirements.some(({ name }) => name.startsWith('nvidia-'))) continue;
      if (torch && loading.name === 'onnxruntime-gpu' && (compiled === undefined || !isOtherCuda(cuda, compiled)))
        continue;
      report({
        span: loading.span,
        level: 'flag',
        message: message`${quotedName(loading)} finds no GPU: it loads the libraries of CUDA ${cuda}, but the image has CUDA ${known.cuda}.`,
        related,
      });
    }
    const isNeedless = known.flavour !== 'base' && !installation.isPartial && !compiles;
    if (torch && isNeedless && file.kind === 'dockerfile' && installation.requirements.every(usesOwnCuda))
      report({
        span: image.span,
        level: 'hint',
        message: "The image's CUDA libraries are not needed: torch wheels include their own.",
        related: [requiredHere(torch)],
      });
  }
};

/** Reports driver packages in an image: a container uses the driver of its host. */
export const driverInImage: Contradiction = ({ systemPackages = [] }, report) => {
  const driver = systemPackages.find(({ text }) =>
    /^(?:nvidia-driver-\d+|cuda-drivers|nvidia-utils-\d+|nvidia-headless-\d+|libnvidia-compute-\d+)/.test(text),
  );
  if (driver)
    report({
      span: driver.span,
      level: 'flag',
      message: message`${quoted(`\`${driver.text}\``)} breaks GPU access unless it matches the host: containers use the host's driver.`,
    });
};

function isPinned({ manager, specifier, url }: Requirement): boolean {
  return manager === 'pip' && url === undefined && /^==\d/.test(specifier ?? '');
}

function sameRelease(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

function cudaOfTorch(torch: Requirement): string | undefined {
  const build = torchBuildOf(torch)?.tag;
  if (build !== undefined) return build.startsWith('cu') ? cudaOfTag(build) : undefined;
  const pypi = torch.sources.length === 0 && torch.pin ? torchReleaseOf(torch.pin.text)?.pypi : undefined;
  return pypi === undefined ? undefined : cudaOfTag(pypi);
}

/** Returns the CUDA version that a package loads from the system; undefined if wheels provide it. */
function systemCudaOf({ name, pin, extras, manager, sources, url }: Requirement): string | undefined {
  if (manager !== 'pip' || extras.length > 0) return undefined;
  // The name of such a package has its CUDA.
  const ofName = knownPackage(name)?.family;
  if (ofName !== undefined || pin === undefined) return ofName;
  if (name !== 'onnxruntime-gpu') return tensorflowReleaseOf(pin.text)?.cuda;
  // Builds for another CUDA version are on a separate index.
  if (sources.length > 0 || url !== undefined) return undefined;
  return onnxruntimeReleases().find(({ onnxruntime }) => pin.text.startsWith(`${onnxruntime}.`))?.cuda;
}

/** Widely used packages that do not compute on a GPU. */
const WITHOUT_GPU =
  /^(?:matplotlib|tqdm|einops|fastapi|uvicorn|flask|requests|pyyaml|sentencepiece|wandb|pip|setuptools|wheel)$/;

/** True for packages that do not use CUDA, or that use torch's. Unknown packages may load the image's CUDA. */
export function usesOwnCuda({ name, manager }: Requirement): boolean {
  return manager === 'pip' && (knownPackage(name)?.no_system_cuda === true || WITHOUT_GPU.test(name));
}
