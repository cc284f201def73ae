import { releasesForTorch } from '../../diagnosis/remedies/pins.ts';
import { torchesNamedIn } from '../../pasted/torchNamed.ts';
import { isTorchCompanion, lastCompanion, TORCH_COMPANIONS } from '../../published/releases/torchCompanions.ts';
import { torchHas, torchReleaseOf, torchStillHas } from '../../published/releases/torchReleases.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';

type Parts = Readonly<Record<string, string>>;

/**
 * Messages from pip, uv and Poetry that a release pins one torch release: "xformers 0.0.26.post1 depends on
 * torch==2.3.0".
 */
const PIN =
  /(?<![\w.-])([\w.-]{2,40})(?: \(?|==)(\d[\w.+]{0,30})\)? (?:depends on|requires) torch(?:==| \(?=*)(\d[\w.]{0,20}\w)/g;

/** The author's own requirement. */
const ASKED = /(?:The user requested|you require|project depends on|depend on) torch(?:[=~]=| \(?)(\d[\w.+]{0,20}\w)/;
const HAVE = /you(?:'ll)? have torch (\d[\w.+]{0,30}\w)/;

/** Packages that pin a torch release. */
const BRINGING = /\b(?:xformers|vllm)\b/i;

/**
 * How to make packages that pin different torch releases compatible: `keptTorch` is the torch release that the author
 * requested (or that was installed before another package replaced it), `keptTag` is its build, and `fitting` lists the
 * matching releases of `fittingName`. Empty if unknown.
 */
export function torchPinParts(text: string): Parts {
  const pins = [...text.matchAll(PIN)].map(([, name = '', version = '', torch = '']) => ({ name, version, torch }));
  if (pins.length === 0) return {};
  const tag = pins.flatMap(({ version }) => version.match(/\+(cu\d+)$/)?.[1] ?? [])[0];
  const asked = ASKED.exec(text)?.[1]?.split('+')[0];
  const bringing = BRINGING.exec(text)?.[0]?.toLowerCase();
  const torches = new Set(pins.map(({ torch }) => torch));
  const isBrought = bringing !== undefined && torches.size === 1 && !pins.some(({ name }) => name === bringing);
  const kept = asked ?? (isBrought ? pins[0]?.torch : HAVE.exec(text)?.[1]?.split('+')[0]);
  const pin = pins.find(({ torch }) => torch !== kept);
  const name = asked === undefined && isBrought ? bringing : pin?.name;
  // Diagnoses compare installed packages with the installed torch.
  if (kept === undefined || name === undefined || (asked === undefined && isTorchCompanion(name))) return {};
  const fitting = fittingReleases(name, kept);
  const hasTag = tag !== undefined && torchReleaseOf(kept)?.builds.has(tag);
  return {
    ...(asked !== undefined && pin && { package: pin.name, wanted: `torch==${pin.torch}`, found: `torch ${asked}` }),
    ...(fitting !== undefined && { keptTorch: kept, fittingName: name, fitting: `${name}${fitting}` }),
    ...(fitting !== undefined && hasTag && { keptTag: tag }),
  };
}

/**
 * Releases paired with the installed torch, or with the only one in a text: `pairTorch` with `pairVision` and
 * `pairAudio`, and `pairTag`, its build, if known, and `pairCuda` for conda.
 */
export function torchPairParts(text: string, facts: StackFacts | undefined): Parts {
  const installed = facts && knownValue(facts.frameworks.torch);
  const [, version, tag] = installed?.version.match(/^(\d+\.\d+\.\d+)(?:\+(cu\d+))?$/) ?? [];
  const named = torchesNamedIn(text);
  const torches = new Set(installed ? [version] : named.map((each) => each.version));
  const [torch] = torches;
  const [vision, audio] = TORCH_COMPANIONS.map((name) => lastCompanion(torch ?? '', name));
  if (torches.size !== 1 || torch === undefined || vision === undefined || audio === undefined) return {};
  const pairTag = tag ?? named.find((each) => each.tag !== undefined)?.tag;
  return {
    pairTorch: torch,
    pairVision: vision,
    pairAudio: audio,
    ...(pairTag !== undefined && { pairTag }),
    ...condaParts(torch, text),
  };
}

/** For PyTorch's own channel: earlier releases had `pytorch-cuda`; since then CUDA is a separate package. */
function condaParts(torch: string, text: string): Parts {
  if (!torchHas('pytorch_cuda', torch)) return {};
  const cuda = /\bpytorch-cuda ?=+ ?(\d+\.\d)|\bpy3\.\d+_cuda(\d+\.\d)_/.exec(text);
  const named = cuda?.[1] ?? cuda?.[2];
  return named === undefined || !torchStillHas('conda_channel', torch) ? {} : { pairCuda: named };
}

function fittingReleases(name: string, torch: string): string | undefined {
  if (!isTorchCompanion(name)) return releasesForTorch(name, torch);
  const version = lastCompanion(torch, name);
  return version && `==${version}`;
}
