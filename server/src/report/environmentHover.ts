/** The contents of a required package or a base image, and whether it runs on this machine, in Markdown. */
import type { EnvironmentFile, LocatedSpan } from '../environment/environmentFile.ts';
import { cudaOfImage, cudaOfRequirement, type ProvidedCuda } from '../environment/providedCuda.ts';
import { driverFor } from '../fit/driver.ts';
import { codeFor } from '../fit/gpuCode.ts';
import { nvidiaTargetOf } from '../fit/target.ts';
import { lowestDriver } from '../published/releases/cudaDriver.ts';
import type { StackFacts } from '../stack/facts/facts.ts';
import { usableGpus } from '../stack/facts/usableGpus.ts';

/**
 * The hover at an offset in an environment file; undefined if there is no information. Without facts, it does not
 * depend on any machine.
 */
export function environmentMarkdown(
  file: EnvironmentFile,
  offset: number,
  facts: StackFacts | undefined,
): { readonly markdown: string; readonly span: LocatedSpan } | undefined {
  const isHere = ({ start, end }: LocatedSpan) => start <= offset && offset <= end;
  for (const installation of file.installations) {
    const { requirements, image } = installation;
    const requirement = requirements.find(({ span }) => isHere(span));
    const provided = requirement
      ? cudaOfRequirement(requirement, installation)
      : image && isHere(image.span)
        ? cudaOfImage(image.text)
        : undefined;
    const span = requirement?.span ?? image?.span;
    if (provided && span) return { markdown: markdownOf(provided, facts), span };
  }
  return undefined;
}

function markdownOf(provided: ProvidedCuda, facts: StackFacts | undefined): string {
  const { title, cuda, cudnn, architectures, lowest, highest, python, others, note, asOf } = provided;
  const rows: [name: string, value: string][] = [];
  if (cuda !== undefined) rows.push(['CUDA', `${cuda}${note ?? ''}`]);
  else if (note !== undefined) rows.push(['CUDA', note]);
  if (cudnn) rows.push(['cuDNN', cudnn]);
  if (architectures) rows.push(['GPU code', architectures.join(' ')]);
  if (lowest ?? highest) rows.push(['Compute capability', rangeOf(lowest, highest)]);
  const linux = cuda && lowestDriver(cuda, 'linux');
  const windows = cuda && lowestDriver(cuda, 'windows');
  if (linux) rows.push(['Lowest driver', windows ? `${linux} (Windows: ${windows})` : linux]);
  if (python) rows.push(['Python', `${python[0]} to ${python[1]}`]);
  if (others) rows.push(['Goes with', others]);
  const here = facts && runsHere(provided, facts);
  if (here) rows.push(['Here', here]);
  const table = ['| | |', '|:--|:--|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)];
  const date = asOf === undefined ? '' : `\n\n_According to published information as of ${asOf}._`;
  return `**${title}**\n\n${table.join('\n')}${date}`;
}

function rangeOf(lowest: string | undefined, highest: string | undefined): string {
  if (highest === undefined) return `${lowest} or newer`;
  return lowest === undefined ? `up to ${highest}` : `${lowest} to ${highest}`;
}

/** Returns whether it runs on this machine; undefined if too little is known about it, or if it uses no CUDA. */
function runsHere(
  { cuda, architectures, lowest, highest, needsGpu }: ProvidedCuda,
  facts: StackFacts,
): string | undefined {
  const gpus = usableGpus(facts);
  if ((cuda ?? lowest ?? highest) === undefined || gpus === undefined) return undefined;
  const [gpu] = gpus;
  if (gpu === undefined) return `no NVIDIA GPU can be used: it ${needsGpu ? 'does nothing' : 'runs on the CPU'}`;
  const target = nvidiaTargetOf(facts);
  const found = cuda === undefined ? undefined : driverFor(cuda, target);
  if (target.driver !== undefined && found?.fit === 'fails')
    return `does not run: the driver is ${target.driver}, and CUDA ${cuda} needs ${found.lowest}`;
  const { name, computeCapability } = gpu;
  if (computeCapability === null) return undefined;
  const what = `the ${name} (compute capability ${computeCapability})`;
  const code = codeFor({ cuda: cuda ?? null, code: architectures, lowest, highest }, computeCapability);
  if (code.fit === 'unknown') return (lowest ?? highest) === undefined ? undefined : `runs on ${what}`;
  if (code.fit === 'fails')
    return `does not run: it ${architectures === undefined ? 'does not support' : 'contains no code for'} ${what}`;
  return code.how === 'native' ? `runs on ${what}` : `runs on ${what} after the driver has compiled its code`;
}
