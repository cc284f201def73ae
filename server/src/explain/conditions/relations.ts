import { RELATION_DIAGNOSES } from '../../diagnosis/relationDiagnoses.ts';
import { companionRelease } from '../../fit/companions.ts';
import { driverFor } from '../../fit/driver.ts';
import { codeFor, isNative } from '../../fit/gpuCode.ts';
import { installedBuild } from '../../fit/installed.ts';
import { numpyAbi } from '../../fit/numpyAbi.ts';
import { driverSystem } from '../../fit/target.ts';
import { torchAbi } from '../../fit/torchAbi.ts';
import { cudaOfTag, torchReleaseOf } from '../../published/releases/torchReleases.ts';
import { gpuCodeOf } from '../../stack/builds/gpuCode.ts';
import { installedPackages } from '../../stack/builds/installedPackages.ts';
import { type FrameworkBuild, knownValue, type Package, type StackFacts } from '../../stack/facts/facts.ts';
import { nameGpus } from '../../stack/facts/gpuName.ts';
import { builtForCuda } from '../../stack/facts/installed.ts';
import { visibleGpus } from '../../stack/facts/usableGpus.ts';
import { type Condition, concernsFramework, type ShownFact, type Situation, shown } from './condition.ts';
import { diagnosed } from './diagnosed.ts';
import { reportedBuild } from './reportedBuild.ts';
import { torchesOfWheels, torchHere } from './torchOfWheels.ts';

/** True if a relation fails here: a diagnosis reports it, or the relation's answer to other facts does. */
function fails(name: string, ask: Condition = () => undefined): Condition {
  return (situation) => {
    const found = diagnosed(RELATION_DIAGNOSES[name] ?? [], situation);
    if (found?.holds) return found;
    // Where no GPU is seen, the text comes from another machine.
    const isOther = OF_GPUS.has(name) && situation.facts && !knownValue(situation.facts.gpus)?.length;
    return ask(situation) ?? (isOther ? undefined : found);
  };
}

/** Relations between builds and GPUs or their driver. */
const OF_GPUS: ReadonlySet<string> = new Set(['driver', 'gpu-code-newer', 'gpu-code-older', 'gpu-code', 'cudnn']);

/** Asks for each framework that the error may belong to, and that is built for CUDA. */
const driverFails: Condition = (situation) => {
  const { facts } = situation;
  const driver = facts && knownValue(facts.driver);
  if (facts === undefined || driver === undefined) return undefined;
  const builds = builtForCuda(facts).filter(({ framework }) => concernsFramework(framework, situation));
  const cudas = builds.flatMap(({ title, build: { cuda } }) => (cuda === null ? [] : [{ title, cuda }]));
  const isComplete = builds.length > 0 && cudas.length === builds.length;
  const asked = isComplete ? cudas : publishedCudas(situation);
  // If a text does not mention the system, the driver must be new enough for both.
  const systems = driverSystem(facts) ?? (['linux', 'windows'] as const);
  const answers = asked.flatMap(({ title, cuda }) =>
    [systems].flat().map((system) => ({ title, found: driverFor(cuda, { driver, system }) })),
  );
  const [first] = answers;
  if (first === undefined || answers.some(({ found }) => found.fit === 'unknown')) return undefined;
  // Only one of the published builds is installed, and which one is unknown.
  const failing = answers.filter(({ found }) => found.fit === 'fails');
  if (!isComplete && failing.length < answers.length) return undefined;
  const { title, found } = failing[0] ?? first;
  const lowest = found.fit === 'unknown' ? '' : found.lowest;
  return shown(
    failing.length > 0,
    `${title} needs driver ${lowest} or newer, and this is ${driver} (${facts.driver.source})`,
  );
};

/** The CUDA versions of the builds of a reported torch, whose version does not include its own. */
function publishedCudas(situation: Situation): { title: string; cuda: string }[] {
  const torch = situation.facts && knownValue(situation.facts.frameworks.torch);
  if (!torch || torch.cuda || torch.target === 'rocm' || !concernsFramework('torch', situation)) return [];
  const title = `each build of torch ${torch.version} for CUDA`;
  const tags = [...(torchReleaseOf(torch.version)?.builds.keys() ?? [])].filter((tag) => tag.startsWith('cu'));
  return tags.map((tag) => ({ title, cuda: cudaOfTag(tag) }));
}

/** The GPU is newer or older than the code of a build in the output, or of the installed one. */
function codeFails(how: 'newer' | 'older'): Condition {
  const other = how === 'newer' ? 'older' : 'newer';
  return fails(`gpu-code-${how}`, (situation) => {
    const reported = reportedBuild(situation);
    const found = reported && codeFor(reported.build, reported.capability);
    if (reported && found?.fit === 'fails') return shown(found.how === how, reported.evidence);
    const opposite = diagnosed(RELATION_DIAGNOSES[`gpu-code-${other}`] ?? [], situation);
    return opposite?.holds ? shown(false, opposite.evidence) : situation.facts && hasCode(situation.facts);
  });
}

/** Known to be false if torch is the only framework that uses GPUs here, and has machine code for all that it sees. */
function hasCode(facts: StackFacts): ShownFact | undefined {
  const gpus = visibleGpus(facts).flatMap(({ computeCapability }) => computeCapability ?? []);
  const [torch, ...others] = builtForCuda(facts);
  const build = installedBuild(facts, 'torch');
  if (torch?.framework !== 'torch' || others.length > 0 || !build?.code || gpus.length === 0) return undefined;
  if (!gpus.every((capability) => isNative(build, capability))) return undefined;
  return shown(
    false,
    `${torch.title} holds code for ${nameGpus(visibleGpus(facts))} (${gpuCodeOf(facts, 'torch')?.source})`,
  );
}

/** Only the release is compared, and so nothing is confirmed. */
const companionsFail: Condition = ({ facts }) => {
  const [own, other] = [facts && knownValue(facts.frameworks.torch), facts && knownValue(facts.frameworks.torchvision)];
  if (!own || !other || companionRelease(own, 'torchvision', other).fit !== 'holds') return undefined;
  return shown(false, `torchvision ${other.version} matches torch ${own.version}`);
};

/** Asks for the torch in the names of wheels. */
const wheelsFail: Condition = ({ facts, text }) => {
  const torch = torchHere(text, facts);
  const [first, ...others] = torch === undefined ? [] : torchesOfWheels(text);
  if (torch === undefined || first === undefined) return undefined;
  if ([first, ...others].some((each) => torchAbi(each, `==${torch}.*`).fit === 'holds')) return undefined;
  return shown(true, `a wheel, or its page, is for torch ${first}, and the torch here is ${torch}`);
};

/** Asks for each installed package; that it was compiled for this NumPy is known of few. */
function numpyFails(madeFor: '1' | '2'): Condition {
  return ({ facts }) => {
    const packages = facts ? installedPackages(facts) : [];
    const numpy = packages.find(({ name }) => name === 'numpy');
    if (facts === undefined || numpy === undefined) return undefined;
    const isMade = (each: Package | FrameworkBuild) => {
      const found = numpyAbi(each, numpy);
      return found.fit === 'fails' && found.madeFor === madeFor;
    };
    const made = packages.find(isMade);
    if (made === undefined) return majorOf(numpy.version) === madeFor ? shown(false, '') : undefined;
    return shown(
      true,
      `${made.name} ${made.version} was compiled for NumPy ${madeFor}, and NumPy ${numpy.version} is installed (${facts.packages.source})`,
    );
  };
}

const majorOf = (version: string): string => version.split('.', 1)[0] ?? '';

/** Relations of `fit/`, which hold as a condition if the relation fails here. */
export const relationConditions = {
  /** The driver is too old for the CUDA of a build. */
  driver: fails('driver', driverFails),
  /** The GPU is newer than the code of a build. */
  'gpu-code-newer': codeFails('newer'),
  /** The GPU is older than the code of a build. */
  'gpu-code-older': codeFails('older'),
  /** A package beside the framework has no code for the GPU. */
  'gpu-code': fails('gpu-code'),
  /** torchvision or torchaudio is of another release or build than torch. */
  companions: fails('companions', companionsFail),
  /** The installed cuDNN has no code for the GPU. */
  cudnn: fails('cudnn'),
  /** The CUDA toolkit and the framework's CUDA share no libraries. */
  'cuda-family': fails('cuda-family'),
  /** An extension was compiled for another torch. */
  'torch-abi': fails('torch-abi', wheelsFail),
  /** A package was compiled for NumPy 1, and NumPy 2 is installed. */
  'numpy-abi-1': numpyFails('1'),
  /** A package was compiled for NumPy 2, and NumPy 1 is installed. */
  'numpy-abi-2': numpyFails('2'),
  /** Distributions overwrite each other's files. */
  'same-folder': fails('same-folder'),
} satisfies Record<string, Condition>;
