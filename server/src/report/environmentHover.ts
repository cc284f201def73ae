/** What a requirement or a base image brings, and whether that runs on the machine at hand, in Markdown. */
import type { EnvironmentFile, Requirement, Span } from '../environment/environmentFile.ts';
import { knownImage } from '../environment/image.ts';
import { torchBuildOf } from '../environment/torchBuild.ts';
import { admits } from '../environment/versions.ts';
import { knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { usableGpus } from '../stack/facts/usableGpus.ts';
import { compareVersions, lowestDriver } from '../stack/releases/cudaDriver.ts';
import { codeFits } from '../stack/releases/gpuCode.ts';
import { tensorflowReleases } from '../stack/releases/tensorflowReleases.ts';
import { torchFamilyReleases } from '../stack/releases/torchCompanions.ts';
import { cudaOfTag, torchReleases } from '../stack/releases/torchReleases.ts';

/** What something brings of CUDA. */
interface Brought {
  /** "torch 2.6.0". */
  readonly title: string;
  readonly cuda?: string;
  readonly cudnn?: string | null;
  readonly architectures?: readonly string[];
  readonly python?: readonly [oldest: string, newest: string];
  readonly others?: string;
  /** Goes on after the CUDA. */
  readonly note?: string;
}

/** The hover over an offset of an environment file; undefined where nothing is known. Without facts it is about no machine. */
export function environmentMarkdown(
  file: EnvironmentFile,
  offset: number,
  facts: StackFacts | undefined,
): { readonly markdown: string; readonly span: Span } | undefined {
  const isHere = ({ start, end }: Span) => start <= offset && offset <= end;
  for (const { requirements, image } of file.installations) {
    const requirement = requirements.find(({ span }) => isHere(span));
    const brought = requirement
      ? broughtBy(requirement)
      : image && isHere(image.span)
        ? inImage(image.text)
        : undefined;
    const span = requirement?.span ?? image?.span;
    if (brought && span) return { markdown: markdownOf(brought, facts), span };
  }
  return undefined;
}

function broughtBy(requirement: Requirement): Brought | undefined {
  const { name, manager } = requirement;
  if (name === 'torch' && manager === 'pip') return broughtByTorch(requirement);
  if (name === 'tensorflow' && manager === 'pip') return broughtByTensorflow(requirement);
  return undefined;
}

function broughtByTorch(requirement: Requirement): Brought | undefined {
  const release = torchReleases().findLast(({ versions }) =>
    versions.some((version) => admits(requirement.specifier, version)),
  );
  const version = release?.versions.findLast((each) => admits(requirement.specifier, each));
  if (release === undefined || version === undefined || requirement.specifier === undefined) return undefined;
  const family = torchFamilyReleases().find(({ torch }) => torch === version);
  const vision = family?.torchvision.at(-1);
  const audio = family?.torchaudio.at(-1);
  const others = [vision && `torchvision ${vision}`, audio && `torchaudio ${audio}`].filter(Boolean).join(', ');
  const common = { title: `torch ${version}`, python: release.python, ...(others !== '' && { others }) };
  const chosen = torchBuildOf(requirement)?.tag;
  if (chosen !== undefined && !chosen.startsWith('cu'))
    return { ...common, note: chosen === 'cpu' ? 'none: it runs on the CPU alone' : `none: it is for ${chosen}` };
  const tag = chosen ?? release.pypi;
  const build = release.builds.get(tag);
  const note = chosen === undefined ? ' (from PyPI, on Linux)' : '';
  return {
    ...common,
    cuda: cudaOfTag(tag),
    note,
    ...(build && { cudnn: build.cudnn, architectures: build.architectures }),
  };
}

function broughtByTensorflow({ specifier, extras }: Requirement): Brought | undefined {
  const release = tensorflowReleases().find(({ tensorflow }) => admits(specifier, `${tensorflow}.0`));
  if (release === undefined || !specifier) return undefined;
  const { tensorflow, cuda, cudnn, architectures, python } = release;
  const note = extras.some(({ text }) => text === 'and-cuda') ? ', in wheels of their own' : ', to be there already';
  return { title: `TensorFlow ${tensorflow}`, cuda, cudnn, architectures, python, note };
}

function inImage(name: string): Brought | undefined {
  const image = knownImage(name);
  if (image?.cuda === undefined) return undefined;
  const title = image.version === undefined ? 'This image' : `torch ${image.version} in this image`;
  return { title, cuda: image.cuda };
}

function markdownOf(brought: Brought, facts: StackFacts | undefined): string {
  const { title, cuda, cudnn, architectures, python, others, note } = brought;
  const rows: [name: string, value: string][] = [];
  if (cuda !== undefined) rows.push(['CUDA', `${cuda}${note ?? ''}`]);
  else if (note !== undefined) rows.push(['CUDA', note]);
  if (cudnn) rows.push(['cuDNN', cudnn]);
  if (architectures) rows.push(['GPU code', architectures.join(' ')]);
  const linux = cuda && lowestDriver(cuda, 'linux');
  const windows = cuda && lowestDriver(cuda, 'windows');
  if (linux) rows.push(['Lowest driver', windows ? `${linux} (Windows: ${windows})` : linux]);
  if (python) rows.push(['Python', `${python[0]} to ${python[1]}`]);
  if (others) rows.push(['Goes with', others]);
  const here = facts && runsHere(brought, facts);
  if (here) rows.push(['Here', here]);
  const table = ['| | |', '|:--|:--|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)];
  return `**${title}**\n\n${table.join('\n')}`;
}

/** Whether it runs on this machine; undefined where too little is known of it, and for what uses no CUDA. */
function runsHere({ cuda, architectures }: Brought, facts: StackFacts): string | undefined {
  const gpus = usableGpus(facts);
  if (cuda === undefined || gpus === undefined) return undefined;
  const [gpu] = gpus;
  if (gpu === undefined) return 'no NVIDIA GPU can be used: it runs on the CPU';
  const driver = knownValue(facts.driver);
  const lowest = lowestDriver(cuda, knownValue(facts.os)?.family === 'windows' ? 'windows' : 'linux');
  if (driver !== undefined && lowest !== undefined && compareVersions(driver, lowest) < 0)
    return `does not run: the driver is ${driver}, and CUDA ${cuda} needs ${lowest}`;
  if (architectures === undefined || gpu.computeCapability === null) return undefined;
  const fit = codeFits([...architectures], gpu.computeCapability);
  const what = `the ${gpu.name} (compute capability ${gpu.computeCapability})`;
  if (fit === 'none') return `does not run: it holds no code for ${what}`;
  return fit === 'native' ? `runs on ${what}` : `runs on ${what}, once the driver has compiled its code`;
}
