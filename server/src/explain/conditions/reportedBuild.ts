import type { Build } from '../../fit/build.ts';
import { knownValue } from '../../stack/facts/facts.ts';
import type { Situation } from './condition.ts';

/** torch's notation for the GPU's compute capability and for those in a build: "sm_86", "(7.5) - (12.0)" or rows. */
const LISTED =
  /CUDA capability sm_(\d+)a? is not compatible(?:[\s\S]{0,200}?supports CUDA capabilities((?: (?:sm|compute)_\d+)+))?/;
const RANGED =
  /which is of (?:cuda capability|compute capability \(CC\)) (\d+\.\d)[\s\S]{0,400}?(?:[Mm]inimum (?:and Maximum )?cuda capability[^(\d]{0,80}(\(?\d+\.\d\)?(?: - \(\d+\.\d\))?)|built for[^\n]*((?:\s*- \d+\.\d which supports[^\n]*)+))/;
const TOO_OLD = /which is of cuda capability (\d+\.\d)\.?\s*PyTorch no longer supports this GPU/;

/** The runtime that TensorFlow reports as opened; before CUDA 11 its name also contains the minor version. */
const OPENED = /[Ss]uccessfully opened (?:dynamic|CUDA) library (?:libcudart\.so\.|cudart64_)(\d{1,2})\.?(\d)/;

/** TensorFlow's notation in its log. */
const CAPABILITY = /compute ?capability: ?(\d{1,2}\.\d)/i;

/** All builds of torch have code for Turing and newer GPUs that existed then. */
const NEVER_DROPPED = 75;

interface ReportedBuild {
  readonly build: Pick<Build, 'cuda' | 'code' | 'lowest' | 'highest'>;
  readonly capability: string;
  readonly evidence: string;
}

/** The code of a build, and the GPU that it does not fit, as a program prints them. */
export function reportedBuild(situation: Situation): ReportedBuild | undefined {
  return reportedByTorch(situation.text) ?? reportedByTensorflow(situation);
}

function reportedByTorch(text: string): ReportedBuild | undefined {
  const [, listed, list] = LISTED.exec(text) ?? [];
  const [, ranged, range, rows = ''] = RANGED.exec(text) ?? [];
  const old = TOO_OLD.exec(text)?.[1];
  const capability = ranged ?? old ?? (listed && `${listed.slice(0, -1)}.${listed.slice(-1)}`);
  if (capability === undefined) return undefined;
  const own = `according to the message, the GPU is of compute capability ${capability}`;
  const built = [...(list ?? '').matchAll(/_(\d+)/g), ...(range ?? rows).matchAll(/(\d+\.\d)(?= which|\)|$)/g)].map(
    ([, each = '']) => Number(each.replace('.', '')),
  );
  if (built.length > 0) {
    const code = built.map((each) => `sm_${each}`);
    const evidence = `${own}, and the build has code from sm_${Math.min(...built)} to sm_${Math.max(...built)}`;
    return { build: { cuda: null, code }, capability, evidence };
  }
  const isOld = old !== undefined || ranged !== undefined;
  if (isOld)
    return { build: { cuda: null, lowest: `${capability}1` }, capability, evidence: `${own}, which the build lacks` };
  if (Number(listed) < NEVER_DROPPED) return undefined;
  return {
    build: { cuda: null, highest: `${(NEVER_DROPPED - 1) / 10}` },
    capability,
    evidence: `${own}, which no newer build has dropped`,
  };
}

/** A library from before CUDA 11, opened or requested, for a newer GPU. */
function reportedByTensorflow({ text, facts, parts: { libraryCuda } }: Situation): ReportedBuild | undefined {
  const gpus = (facts && knownValue(facts.gpus)) ?? [];
  const capability = CAPABILITY.exec(text)?.[1] ?? gpus.flatMap((gpu) => gpu.computeCapability ?? [])[0];
  const [, major, minor] = OPENED.exec(text) ?? [];
  const cuda = libraryCuda ?? (major && `${major}.${minor}`);
  if (capability === undefined || cuda === undefined) return undefined;
  const evidence = `the program uses CUDA ${cuda} for a GPU of compute capability ${capability}`;
  return { build: { cuda }, capability, evidence };
}
