/** Builds, indexes and libraries of packages that are installed together. */

import { cudaBeside } from '../../../fit/cudaFamily.ts';
import { gpuPackages } from '../../../published/gpuPackages.ts';
import { bringsCuda, hasBuildsOfTorch, knownPackage } from '../../../published/knownPackages.ts';
import { nvidiaWheelsOf } from '../../../published/releases/nvidiaWheels.ts';
import { TORCH_COMPANIONS } from '../../../published/releases/torchCompanions.ts';
import { cudaOfTag, torchReleaseOf } from '../../../published/releases/torchReleases.ts';
import { torchWheelsOf } from '../../../published/releases/torchWheels.ts';
import { message, type Quotation, quoted } from '../../../rules/engine/message.ts';
import type { Requirement } from '../../environmentFile.ts';
import { mayMeet, systemsOf } from '../../markers.ts';
import { describeTag, passedOver, taggedSources, tagOfIndex, torchBuildOf } from '../../torchBuild.ts';
import { admits } from '../../versions.ts';
import { firstOfEach, quotedName, requiredHere, requirementsNamed, tagFix } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

/** Reports a local tag for which the only index has no builds, and an index that ends before the required release. */
export const indexAndTag: Contradiction = ({ requirements, python }, report, { kind }) => {
  for (const requirement of requirements) {
    if (!hasBuildsOfTorch(requirement.name) || requirement.manager !== 'pip') continue;
    const tagged = taggedSources(requirement.sources);
    const [source] = tagged;
    if (source === undefined) continue;
    const own = requirement.local && torchBuildOf(requirement);
    if (own && requirement.local && !tagged.some(({ tag }) => tag === own.tag) && onlyKnown(requirement)) {
      report({
        span: requirement.span,
        level: 'flag',
        message: message`The index has no build ${quoted(`\`+${requirement.local.text}\``)}, only builds ${describeTag(source.tag)}.`,
        related: [{ span: source.span, message: 'The index is chosen here.' }],
        fixes: () => tagFix(requirement, source.tag),
      });
      continue;
    }
    const passed = own === undefined && tagged.length === 1 ? passedOver(requirement, source, python) : undefined;
    // Tools that read project files do not look for the newest version on every index.
    if (passed === undefined || requirement.marker !== '' || kind === 'pyproject') continue;
    const pypi = torchReleaseOf(passed.newest)?.pypi;
    report({
      span: requirement.span,
      level: 'flag',
      severity: 'information',
      message: `pip installs torch ${passed.newest}${pypi ? ` for CUDA ${cudaOfTag(pypi)}` : ''} from PyPI: the index for CUDA ${cudaOfTag(source.tag)} ends at torch ${passed.last}.`,
      related: [{ span: source.span, message: 'The index is chosen here.' }],
    });
  }
};

/** True if no other index may have the build; a private index may. */
function onlyKnown({ sources }: Requirement): boolean {
  return sources.every(({ url }) => tagOfIndex(url) !== undefined || /pypi|\/simple\/?$/.test(url));
}

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

/** Reports torchvision or torchaudio in a build that differs from torch's. */
export const familyBuilds: Contradiction = (installation, report, file) => {
  for (const torch of requirementsNamed(installation, 'torch')) {
    const build = torchBuildOf(torch);
    if (build === undefined || torch.manager !== 'pip') continue;
    for (const name of TORCH_COMPANIONS) {
      for (const other of requirementsNamed(installation, name)) {
        if (other.manager !== 'pip' || !mayMeet(torch.marker, other.marker)) continue;
        const own = torchBuildOf(other);
        if (own !== undefined ? own.tag === build.tag : !comesFromPypi(other, torch, file.kind)) continue;
        const its = own === undefined ? 'from PyPI' : describeTag(own.tag);
        report({
          span: other.span,
          level: 'flag',
          message: message`${quotedName(other)} does not load with this torch: it is installed ${its}, but torch ${describeTag(build.tag)}.`,
          related: [{ span: build.span, message: `torch is installed ${describeTag(build.tag)} here.` }],
          fixes: () => (torch.local ? tagFix(other, torch.local.text) : []),
        });
      }
    }
  }
};

/** True if a project file names a source for torch but none for the other package. */
function comesFromPypi(other: Requirement, torch: Requirement, kind: string): boolean {
  const isChosen = torch.sources.some(({ kind: each }) => each === 'index') && torch.local === undefined;
  return kind === 'pyproject' && isChosen && other.sources.length === 0 && other.url === undefined && !other.local;
}

/** Reports CUDA libraries whose major version differs from torch's, or that accompany a CPU build of torch. */
export const besideCuda: Contradiction = (installation, report) => {
  const libraries = installation.requirements.filter(({ name }) => LIBRARY.test(name));
  const [first] = libraries;
  if (first === undefined || installation.requirements.some(usesLibraries)) return;
  for (const torch of requirementsNamed(installation, 'torch')) {
    if (torch.manager !== 'pip' || !mayMeet(torch.marker, first.marker)) continue;
    const build = buildOf(torch);
    if (build === undefined || (build !== 'cpu' && !build.startsWith('cu'))) continue;
    const wrong = libraries.filter(
      ({ name }) => build === 'cpu' || cudaBeside(cudaOfTag(build), LIBRARY.exec(name)?.[1]).fit === 'fails',
    );
    const [library] = wrong;
    if (library === undefined) continue;
    const isOne = wrong.length === 1;
    const provide = isOne
      ? 'provides'
      : wrong.length === 2
        ? 'and a similar package provide'
        : `and ${wrong.length - 1} similar packages provide`;
    const text =
      build === 'cpu'
        ? message`${quotedName(library)} ${provide} CUDA libraries, but torch is a CPU build.`
        : message`${quotedName(library)} ${provide} CUDA ${LIBRARY.exec(library.name)?.[1] ?? ''}, but ${quotedName(torch)} is for CUDA ${cudaOfTag(build)}.`;
    report({
      span: library.span,
      level: 'flag',
      message: text,
      related: [{ span: torchBuildOf(torch)?.span ?? torch.span, message: 'The torch build is chosen here.' }],
    });
  }
};

const LIBRARY =
  /^nvidia-(?:cublas|cuda-runtime|cuda-nvrtc|cuda-cupti|cudnn|cufft|curand|cusolver|cusparse|nccl|nvtx)-cu(\d\d)$/;

/** Returns "cpu", or the tag of torch's wheels on Linux. */
function buildOf(torch: Requirement): string | undefined {
  const build = torchBuildOf(torch)?.tag;
  if (build !== undefined || torch.sources.length > 0 || torch.pin === undefined) return build;
  return torchReleaseOf(torch.pin.text)?.pypi;
}

/** True for other packages that load CUDA libraries from wheels. */
function usesLibraries({ name, extras }: Requirement): boolean {
  return bringsCuda(name) || extras.some(({ text }) => text.includes('cuda'));
}

/**
 * Reports two requirements that need different versions of the same NVIDIA or Triton wheel, which no installer can
 * satisfy.
 */
export const pinnedWheels: Contradiction = (installation, report) => {
  // Successive commands may replace torch's own wheel with a newer one, as some images do on purpose.
  if (installation.image !== undefined) return;
  const needing = firstOfEach(installation.requirements).flatMap((requirement) => {
    const wheels = wheelsOf(requirement);
    return wheels === undefined ? [] : [{ requirement, wheels }];
  });
  const wanted = new Set(needing.flatMap(({ wheels }) => Object.keys(wheels)));
  const pinned = installation.requirements.filter(({ name, pin }) => wanted.has(name) && pin !== undefined);
  for (const [at, framework] of needing.entries()) {
    for (const { requirement, wheels } of needing.slice(0, at)) {
      if (!mayMeet(requirement.marker, framework.requirement.marker)) continue;
      const clash = Object.entries(framework.wheels).find(([name, specifier]) => excludes(specifier, wheels[name]));
      if (clash === undefined) continue;
      const [name, specifier] = clash;
      report({
        span: framework.requirement.span,
        level: 'flag',
        message: message`Installing fails: ${withExtras(framework.requirement)} needs ${name} ${versionIn(specifier)}, but ${withExtras(requirement)} needs ${versionIn(wheels[name] ?? '')}.`,
        related: [requiredHere(requirement)],
      });
    }
    for (const wheel of pinned) {
      const required = framework.wheels[wheel.name];
      if (required === undefined || wheel.pin === undefined || !excludes(`==${wheel.pin.text}`, required)) continue;
      if (wheel.manager !== 'pip' || !mayMeet(framework.requirement.marker, wheel.marker)) continue;
      // Frameworks require these wheels only on Linux.
      if (systemsOf(wheel.marker)?.some((system) => system === 'linux' || system === 'linux-arm') === false) continue;
      report({
        span: wheel.span,
        level: 'flag',
        message: message`Installing fails: ${withExtras(framework.requirement)} needs ${wheel.name} ${versionIn(required)}, not ${quoted(wheel.pin.text)}.`,
        related: [requiredHere(framework.requirement)],
      });
    }
  }
};

/** Returns the wheels that a pinned framework from PyPI requires; for other indexes they are unknown. */
function wheelsOf(requirement: Requirement): Readonly<Record<string, string>> | undefined {
  const { name, pin, manager, sources, extras, url } = requirement;
  if (manager !== 'pip' || pin === undefined || url !== undefined) return undefined;
  const build = name === 'torch' ? torchBuildOf(requirement)?.tag : undefined;
  if (build === undefined ? sources.length > 0 : build !== torchReleaseOf(pin.text)?.pypi) return undefined;
  const triton = name === 'torch' ? torchWheelsOf(pin.text)?.triton : undefined;
  const wheels = nvidiaWheelsOf(
    name,
    pin.text,
    extras.map(({ text }) => text),
  );
  return triton ? { ...wheels, triton: `==${triton}` } : wheels;
}

/** True if an exact version and another specifier exclude each other; two ranges are not compared. */
function excludes(one: string, other: string | undefined): boolean {
  if (other === undefined) return false;
  if (one.startsWith('==')) return !admits(other, one.slice(2));
  return other.startsWith('==') && !admits(one, other.slice(2));
}

function withExtras(requirement: Requirement): Quotation {
  const { extras, name } = requirement;
  const written = extras.length === 0 ? name : `${name}[${extras.map(({ text }) => text).join(',')}]`;
  return quotedName({ ...requirement, name: written });
}

function versionIn(specifier: string): string {
  return specifier.startsWith('==') ? specifier.slice(2) : `\`${specifier}\``;
}
