/** Base images and what is installed in them. */

import { cudaBeside } from '../../../fit/cudaFamily.ts';
import { imageFor } from '../../../fit/image.ts';
import { torchAbi } from '../../../fit/torchAbi.ts';
import { type ExtensionTag, extensionTag } from '../../../published/extensionTag.ts';
import { gpuPackages } from '../../../published/gpuPackages.ts';
import { knownImage } from '../../../published/images.ts';
import { knownPackage, packagesWith } from '../../../published/knownPackages.ts';
import { onnxruntimeReleases } from '../../../published/releases/onnxruntimeReleases.ts';
import { tensorflowReleaseOf } from '../../../published/releases/tensorflowReleases.ts';
import { isTorchCompanion, torchFamilyReleases } from '../../../published/releases/torchCompanions.ts';
import { cudaOfTag, torchReleaseOf } from '../../../published/releases/torchReleases.ts';
import { message, type Quotation, quoted } from '../../../rules/engine/message.ts';
import { readable } from '../../address.ts';
import type { Installation, LocatedSpan, Requirement } from '../../environmentFile.ts';
import { isOpenAbove } from '../../ranges.ts';
import { describeTag, torchBuildOf } from '../../torchBuild.ts';
import { admits } from '../../versions.ts';
import { isBuilt, sourcesOf } from '../builtPackages.ts';
import { nameAndVersion, quotedName, requiredHere, requirementsNamed } from '../requirements.ts';
import { impliedTorch } from '../torchPinners.ts';
import type { Contradiction } from './contradiction.ts';

/** Reports a base image whose CUDA or framework version differs from the one that the installed packages need. */
export const baseImage: Contradiction = (installation, report) => {
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
  const own = imageFor(image.text, 'torch', torch?.pin?.text ?? '');
  if (torch?.pin && isPinned(torch) && !image.uninstalled?.includes('torch') && own.fit === 'fails')
    report({
      span: torch.span,
      level: 'flag',
      message: message`pip replaces the image's torch ${own.brings} with ${quotedName(torch)}: use an image with that version, or one without torch.`,
      related,
    });
  if (known.maker === 'cuda' && known.cuda !== undefined) {
    const compiled = torch && cudaOfTorch(torch);
    const compiles = image.compiles || image.compilesFor !== undefined;
    if (
      torch &&
      compiled &&
      known.flavour === 'devel' &&
      compiles &&
      imageFor(image.text, 'cuda', compiled).fit === 'fails'
    )
      report({
        span: torch.span,
        level: 'flag',
        message: message`Compiling extensions fails: ${quotedName(torch)} is for CUDA ${compiled}, but the image's compiler is for CUDA ${known.cuda}.`,
        related,
      });
    for (const loading of packagesWith('system_cuda').flatMap(({ name }) => requirementsNamed(installation, name))) {
      const cuda = systemCudaOf(loading);
      if (cuda === undefined || imageFor(image.text, 'cuda', cuda).fit !== 'fails') continue;
      // Other packages may provide these libraries.
      if (installation.requirements.some(({ name }) => name.startsWith('nvidia-'))) continue;
      if (torch && loading.name === 'onnxruntime-gpu' && cudaBeside(cuda, compiled).fit !== 'fails') continue;
      report({
        span: loading.span,
        level: 'flag',
        message: message`${quotedName(loading)} finds no GPU: it loads the libraries of CUDA ${cuda}, but the image has CUDA ${known.cuda}.`,
        related,
      });
    }
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

/** Reports a package that makes pip replace the base image's torch. */
export const replacedInImage: Contradiction = ({ image, requirements, ...rest }, report) => {
  const known = image && knownImage(image.text);
  if (image === undefined || known === undefined || !/pytorch$/.test(known.maker)) return;
  if (
    image.uninstalled?.includes('torch') ||
    requirementsNamed({ ...rest, requirements }, 'torch').some(({ pin }) => pin)
  )
    return;
  const found = requirements.flatMap((each) => {
    const needed = torchNeeded(each);
    return needed === undefined || imageFor(image.text, 'torch', needed).fit === 'holds' ? [] : [{ each, needed }];
  });
  const [first] = found;
  if (first === undefined) return;
  const own =
    known.version === undefined ? 'the torch that NVIDIA built for this image' : `the image's torch ${known.version}`;
  report({
    span: first.each.span,
    level: 'flag',
    message: message`pip replaces ${own} with torch ${first.needed}, which ${quotedName(first.each)} needs.`,
    related: [{ span: image.span, message: 'The image is chosen here.' }],
  });
};

/**
 * Returns the torch version that a package's metadata requires; for an unpinned package, the metadata of its newest
 * release.
 */
function torchNeeded(requirement: Requirement): string | undefined {
  const { name, manager, pin, specifier, isUpgrade } = requirement;
  if (manager !== 'pip' || requirement.marker !== '') return undefined;
  const implied = impliedTorch(requirement)?.pin?.text;
  if (implied !== undefined) return implied;
  const releases = torchFamilyReleases();
  // The image includes these packages, so only a pin or an upgrade replaces them.
  if (isTorchCompanion(name))
    return pin && releases.findLast((each) => each[name].some((version) => admits(specifier, version)))?.torch;
  const newest = releases.at(-1)?.torch;
  if (name === 'torch') return isUpgrade && isOpenAbove(requirement) ? newest : undefined;
  const last = gpuPackages().torch.findLast((row) => row.name === name);
  return last && isOpenAbove(requirement) ? /^==([\d.]+)$/.exec(last.needs)?.[1] : undefined;
}

/** Reports a CUDA compiler that is called but missing, and one that is installed but not needed. */
export const toolkit: Contradiction = (installation, report) => {
  const { image, isPartial, requirements } = installation;
  if (!image) return;
  const installed = toolkitIn(installation);
  const flavour = knownImage(image.text)?.flavour;
  const related = [{ span: image.span, message: 'The image is chosen here.' }];
  const called = image.nvcc ?? (image.compiles ? image.compilesFor : undefined);
  if ((flavour === 'runtime' || flavour === 'base') && installed === undefined && called !== undefined)
    report({
      span: called,
      // Files that are not read may install it, and compiled code may not be GPU code.
      level: image.nvcc && !isPartial ? 'flag' : 'hint',
      message: message`${image.nvcc ? 'This image has no `nvcc`' : 'CUDA extensions need `nvcc`, which this image lacks'}: ${withCompiler(image.text)} has it.`,
      related,
    });
  const compiled = requirements.find((each) => isBuilt(each) && sourcesOf(each)?.nvcc);
  if (compiled && called === undefined && installed === undefined && lacksCompiler(image.text))
    report({
      span: compiled.span,
      level: 'hint',
      message: message`Without a matching wheel, ${quotedName(compiled)} needs \`nvcc\`, which this image lacks: use an image with \`devel\` in its tag.`,
      related,
    });
};

/** Returns the image of the same release that includes CUDA's compiler. */
const withCompiler = (image: string): Quotation =>
  quoted(`\`${image.replace(/(?<=-)(?:runtime|base)(?=-|$)/, 'devel')}\``);

/** True for images that are known to lack CUDA's compiler. */
function lacksCompiler(name: string): boolean {
  const known = knownImage(name);
  if (known !== undefined) return known.flavour === 'runtime' || known.flavour === 'base';
  return /^(?:docker\.io\/)?(?:library\/)?(?:python|ubuntu|debian)(?::|$)/.test(name);
}

/** Returns the package that provides nvcc; a system package with its place. */
function toolkitIn({ systemPackages = [], requirements }: Installation) {
  const system = systemPackages.find(({ text }) =>
    /^(?:nvidia-cuda-toolkit|cuda(?:-\d+-\d+)?$|cuda-(?:toolkit|nvcc|compiler|minimal-build)\b)/.test(text),
  );
  if (system !== undefined) return { name: system.text, span: system.span };
  const other = requirements.find(({ name }) =>
    /^(?:nvidia-)?cuda-nvcc|^cuda-toolkit$|^cudatoolkit-dev$|^cuda$/.test(name),
  );
  return other && { name: other.name };
}

/**
 * Reports compiled extensions, and pages of such extensions, that are for a torch or CUDA version other than the
 * required one.
 */
export const extensionBuilds: Contradiction = (installation, report) => {
  const torches = requirementsNamed(installation, 'torch').filter(({ manager }) => manager === 'pip');
  const [torch] = torches;
  if (torch === undefined || torches.length > 1) return;
  const judge = (what: Quotation, span: LocatedSpan, madeFor: ExtensionTag) => {
    const clause = otherThan(torch, madeFor);
    if (clause === undefined) return;
    report({
      span,
      level: 'flag',
      message: message`${what} was compiled for ${quoted(clause)}.`,
      related: [requiredHere(torch)],
    });
  };
  for (const requirement of installation.requirements) {
    const { name, local, url, span } = requirement;
    const tag = local?.text ?? (url === undefined ? '' : readable(url));
    if (gpuPackages().extensions.includes(name)) judge(quotedName(requirement), span, extensionTag(tag));
  }
  for (const { url, span } of torch.sources) {
    if (/data\.pyg\.org|pytorch-geometric\.com/.test(url))
      judge(quoted('Everything on this page'), span, extensionTag(url));
  }
};

function otherThan(torch: Requirement, { torch: release, build: tag }: ExtensionTag): string | undefined {
  const isExact = torch.specifier?.startsWith('==');
  if (release !== undefined && isExact && torchAbi(release, torch.specifier ?? '').fit === 'fails')
    return `torch ${release}, not for ${nameAndVersion(torch)}`;
  const build = torchBuildOf(torch);
  if (tag === undefined || build === undefined || tag.length < 4 || tag === build.tag) return undefined;
  return `${tag === 'cpu' ? 'the CPU' : `CUDA ${cudaOfTag(tag)}`}, but torch is installed ${describeTag(build.tag)}`;
}
