import { type CommandTarget, commandTargetOf, UNKNOWN_TARGET } from '../commands/commandTarget.ts';
import type { Build } from '../fit/build.ts';
import { torchesNamedIn } from '../pasted/torchNamed.ts';
import { cudaOfTag, torchReleaseOf } from '../published/releases/torchReleases.ts';
import { onChip } from '../stack/facts/usableGpus.ts';
import { checkIn } from './checks.ts';
import type { Situation } from './conditions/condition.ts';
import { driverIn } from './conditions/driverIn.ts';
import { newestTensorflow } from './parts/newestTensorflow.ts';

/**
 * The place where the commands of an explanation run: from the facts of the machine, and from evidence in the text
 * about the failing program.
 */
export function commandTargetIn(situation: Situation): CommandTarget {
  const { facts, text } = situation;
  const known = facts ? commandTargetOf(facts) : UNKNOWN_TARGET;
  const os = known.os ?? systemIn(situation);
  const python = pythonIn(text) ?? known.python;
  const driver = facts && onChip(facts) ? undefined : driverIn(situation);
  const system = known.gpu.driver === undefined && os === 'windows' ? 'windows' : known.gpu.system;
  const torch = torchIn(text);
  const tensorflow = newestTensorflow(text, python);
  return {
    ...known,
    os,
    isCmd: os === 'windows' && isCmd(text),
    isWsl: os !== 'windows' && WSL.test(text) ? true : known.isWsl,
    python,
    gpu: { ...known.gpu, driver, system },
    installed: { torch, ...known.installed },
    newest: { ...(tensorflow && { tensorflow }), ...(torch && { torch: torch.version }), ...known.newest },
  };
}

function systemIn(situation: Situation): CommandTarget['os'] {
  const holds = (name: string) => checkIn(name, situation)?.holds === true;
  if (holds('on-windows')) return 'windows';
  if (holds('on-mac')) return 'macos';
  return holds('on-linux') ? 'linux' : undefined;
}

/** The prompt of cmd.exe; PowerShell's starts with PS. */
function isCmd(text: string): boolean {
  return /^(?:\([\w.-]+\) )?[A-Za-z]:\\[^>\n]{0,120}>/m.test(text) && !/^(?:\([\w.-]+\) )?PS [A-Za-z]:\\/m.test(text);
}

/** Evidence of a system inside WSL. */
const WSL = /\bmicrosoft-standard|-Microsoft\b|\/usr\/lib\/wsl\/|\/mnt\/[a-z]\/(?:Users|Program)/;

const PYTHON_FOLDER = /[\\/]python(3\.\d{1,2})[\\/](?:site|dist)-packages\b/g;

/** From the folders of frames; undefined if they belong to several environments. */
function pythonIn(text: string): string | undefined {
  const [found, ...others] = new Set([...text.matchAll(PYTHON_FOLDER)].map(([, version]) => version));
  return others.length === 0 ? found : undefined;
}

/** The only build that the text names, such as "torch==2.10.0.dev20250929+rocm7.0". */
const TORCH_BUILD = /\btorch(?:==| {1,20})(\d+\.\d+(?:\.\d+)?)[\w.]{0,20}\+(cpu|cu\d{2,3}|rocm\d[\d.]*\d)/g;

function torchIn(text: string): Build | undefined {
  const built = [...text.matchAll(TORCH_BUILD)].map(([, version = '', tag]) => ({ version, tag }));
  const named = built.length > 0 ? built : torchesNamedIn(text);
  const [first, ...others] = named;
  if (first === undefined || others.some(({ version, tag }) => version !== first.version || tag !== first.tag))
    return undefined;
  const { version, tag = '' } = first;
  const target = tag === 'cpu' ? 'cpu' : tag.startsWith('cu') ? 'cuda' : tag.startsWith('rocm') ? 'rocm' : null;
  return {
    name: 'torch',
    title: `torch ${version}`,
    version,
    target,
    cuda: target === 'cuda' ? cudaOfTag(tag) : null,
    rocm: target === 'rocm' ? tag.slice(4) : null,
    code: torchReleaseOf(version)?.builds.get(tag)?.architectures,
    cudnn: null,
  };
}
