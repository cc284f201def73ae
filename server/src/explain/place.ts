import { type InstalledBuild, type Place, placeOf } from '../commands/place.ts';
import { namedGpu } from '../pasted/namedGpu.ts';
import { torchesNamedIn } from '../pasted/torchNamed.ts';
import type { Situation } from './conditions/condition.ts';
import { conditions } from './conditions/conditions.ts';
import { driverIn } from './conditions/driverIn.ts';
import { newestTensorflow } from './parts/newestTensorflow.ts';

/**
 * The place where the commands of an explanation run: from the facts of the machine, and from evidence in the text
 * about the failing program.
 */
export function placeIn(situation: Situation): Place {
  const { facts, text } = situation;
  const known: Place = facts ? placeOf(facts) : { capabilities: [], installed: {}, newest: {} };
  const os = known.os ?? systemIn(situation);
  const python = pythonIn(text) ?? known.python;
  const driver = driverIn(situation);
  const capabilities = known.capabilities.length > 0 ? known.capabilities : capabilitiesIn(text);
  const torch = torchIn(text);
  const tensorflow = newestTensorflow(text, python);
  return {
    ...known,
    ...(os && { os }),
    ...(os === 'windows' && isCmd(text) && { isCmd: true }),
    ...(!known.isWsl && os !== 'windows' && WSL.test(text) && { isWsl: true }),
    ...(python && { python }),
    ...(driver && { driver, driverSystem: known.driverSystem ?? (os === 'windows' ? 'windows' : 'linux') }),
    capabilities,
    installed: { ...(torch && { torch }), ...known.installed },
    newest: { ...(tensorflow && { tensorflow }), ...(torch && { torch: torch.version }), ...known.newest },
  };
}

function systemIn(situation: Situation): Place['os'] {
  const holds = (name: string) => conditions[name]?.(situation)?.holds === true;
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

function capabilitiesIn(text: string): readonly string[] {
  return (namedGpu(text).gpus ?? []).flatMap(({ computeCapability }) => computeCapability ?? []);
}

/** The only build that the text names, such as "torch==2.10.0.dev20250929+rocm7.0". */
const TORCH_BUILD = /\btorch(?:==| {1,20})(\d+\.\d+(?:\.\d+)?)[\w.]{0,20}\+(cpu|cu\d{2,3}|rocm\d[\d.]*\d)/g;

function torchIn(text: string): InstalledBuild | undefined {
  const built = [...text.matchAll(TORCH_BUILD)].map(([, version = '', tag]) => ({ version, tag }));
  const named = built.length > 0 ? built : torchesNamedIn(text);
  const [first, ...others] = named;
  if (first === undefined || others.some(({ version, tag }) => version !== first.version || tag !== first.tag))
    return undefined;
  const { version, tag } = first;
  const target = tag === 'cpu' ? 'cpu' : tag?.startsWith('cu') ? 'cuda' : tag?.startsWith('rocm') ? 'rocm' : null;
  return {
    version,
    target,
    cuda: target === 'cuda' ? `${tag?.slice(2, -1)}.${tag?.slice(-1)}` : null,
    rocm: target === 'rocm' ? (tag?.slice(4) ?? null) : null,
  };
}
