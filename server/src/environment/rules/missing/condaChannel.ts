import { message } from '../../../rules/engine/message.ts';
import type { Installation, Requirement } from '../../environmentFile.ts';
import { requiredHere, requirementsNamed } from '../requirements.ts';
import type { Missing } from './missing.ts';

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
