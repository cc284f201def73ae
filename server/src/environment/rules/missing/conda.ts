/** Packages that conda finds in no channel. */

import { wheelsFor } from '../../../fit/wheelTags.ts';
import { tensorflowHas, tensorflowReleaseOf } from '../../../published/releases/tensorflowReleases.ts';
import { cudaOfTag, torchHas, torchReleaseOf, torchStillHas } from '../../../published/releases/torchReleases.ts';
import { compareVersions } from '../../../published/versions.ts';
import { message, quoted } from '../../../rules/engine/message.ts';
import type { Installation, Requirement } from '../../environmentFile.ts';
import { minorsOf } from '../../versions.ts';
import { quotedName, requiredHere, requirementsNamed } from '../requirements.ts';
import type { Missing } from './system.ts';

/** Channels whose packages are known well enough to say what they lack. */
const KNOWN =
  /^(?:conda-forge|defaults|main|anaconda|nodefaults|nvidia|bioconda|huggingface|fastai|rapidsai|xformers)$/;

/**
 * Reports `pytorch-cuda` without its channel, and after conda-forge, whose PyTorch conda prefers and which does not use
 * it.
 */
export function missingChannel(requirement: Requirement, installation: Installation): Missing | undefined {
  const { name, channel } = requirement;
  const channels = installation.channels.map(({ text }) => text.split('/').at(-1) ?? '');
  if (name !== 'pytorch-cuda' || channel !== undefined || channels.length === 0) return undefined;
  const own = channels.indexOf('pytorch');
  if (own < 0)
    return channels.every((each) => KNOWN.test(each))
      ? { message: 'conda finds no `pytorch-cuda`: only the channel `pytorch` has it.' }
      : undefined;
  const forge = channels.indexOf('conda-forge');
  const torch = requirementsNamed(installation, 'pytorch').find(({ manager }) => manager === 'conda');
  if (forge < 0 || forge > own || torch === undefined || torch.channel !== undefined) return undefined;
  return {
    message: message`conda prefers conda-forge's PyTorch, which does not use \`pytorch-cuda\`: list the channel \`pytorch\` first.`,
    severity: 'information',
    related: [requiredHere(torch)],
  };
}

/** Reports a CUDA version for which the channel `pytorch` has no build: since `pytorch-cuda`, it has those of the wheels. */
export function missingCondaCuda({ name, pin }: Requirement, installation: Installation): Missing | undefined {
  const torch = requirementsNamed(installation, 'pytorch').find(({ manager }) => manager === 'conda');
  const release = torch?.pin && torchReleaseOf(torch.pin.text);
  if (name !== 'pytorch-cuda' || pin === undefined || torch === undefined || release === undefined) return undefined;
  if (!torchHas('pytorch_cuda', release.torch) || !torchStillHas('conda_channel', release.torch)) return undefined;
  const cudas = [...release.builds.keys()].map(cudaOfTag).sort(compareVersions);
  if (cudas.some((cuda) => `${pin.text}.`.startsWith(`${cuda}.`) || `${cuda}.`.startsWith(`${pin.text}.`)))
    return undefined;
  return {
    message: message`conda has no ${quotedName(torch)} for CUDA ${quoted(pin.text)}, only for CUDA ${cudas.join(', ')}.`,
    related: [requiredHere(torch)],
  };
}

/**
 * Reports a Python version for which conda has no builds of a framework. The range is that of the framework's wheels;
 * conda-forge supports one more Python version.
 */
export function missingCondaPython(requirement: Requirement, { python, channels }: Installation): Missing | undefined {
  const range = pythonsOf(requirement);
  const minors = python && minorsOf(python.specifier);
  if (range === undefined || python === undefined || minors === undefined || minors.length === 0) return undefined;
  const [oldest, newest] = range.map((each) => Number(each.split('.')[1])) as [number, number];
  const isOwn = (requirement.channel ?? channels[0]?.text) === 'pytorch';
  const last = newest + (isOwn && !channels.some(({ text }) => text === 'conda-forge') ? 0 : 1);
  if (wheelsFor([[oldest, last]], minors, false).fit !== 'fails') return undefined;
  const [first = 0] = minors;
  return {
    message: message`conda has no ${quotedName(requirement)} for Python 3.${first}, only for Python ${range.join(' to ')}.`,
    related: [{ span: python.span, message: 'Python is chosen here.' }],
  };
}

function pythonsOf({ name, pin, manager }: Requirement): readonly [oldest: string, newest: string] | undefined {
  if (manager !== 'conda' || pin === undefined) return undefined;
  if (/^pytorch(?:-gpu|-cpu)?$/.test(name)) return torchReleaseOf(pin.text)?.python;
  if (!/^tensorflow(?:-gpu|-cpu)?$/.test(name)) return undefined;
  // Earlier conda builds are unknown.
  return tensorflowHas('version_2', pin.text) ? tensorflowReleaseOf(pin.text)?.python : undefined;
}
