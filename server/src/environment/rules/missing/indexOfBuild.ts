import { hasBuildsOfTorch } from '../../../published/knownPackages.ts';
import { hasIndex } from '../../../published/releases/torchReleases.ts';
import { message, quoted } from '../../../rules/engine/message.ts';
import type { EnvironmentFile, Installation, Requirement } from '../../environmentFile.ts';
import type { Missing } from './missing.ts';

/**
 * Reports a build such as `+cu118` without PyTorch's index, since PyPI does not have such builds. A conda environment
 * file contains all of pip's options; for other files, the command may name the index, so the finding is informational.
 * In an image, variables may name the index.
 */
export function missingIndex(
  requirement: Requirement,
  { requirements }: Installation,
  { kind }: EnvironmentFile,
): Missing | undefined {
  if (!lacksIndex(requirement) || kind === 'dockerfile' || kind === 'devcontainer') return undefined;
  // Only the first one is reported.
  if (requirements.find(lacksIndex) !== requirement) return undefined;
  const tag = requirement.local?.text ?? '';
  const isOld = !hasIndex(tag);
  const page = `https://download.pytorch.org/whl/${isOld ? 'torch_stable.html' : tag}`;
  const option = `${isOld ? '--find-links' : '--extra-index-url'} ${page}`;
  return {
    message: message`${quoted(`\`+${tag}\``)} builds are not on PyPI: add \`${option}\`.`,
    severity: kind === 'conda' ? 'warning' : 'information',
    ...(kind === 'requirements' && { before: { title: `Add \`${option}\``, text: `${option}\n` } }),
  };
}

function lacksIndex({ name, manager, local, sources, url, pin }: Requirement): boolean {
  if (!hasBuildsOfTorch(name) || manager !== 'pip' || url !== undefined || pin === undefined) return false;
  return sources.length === 0 && /^(?:cu\d{2,3}|cpu|rocm[\d.]+|xpu)$/.test(local?.text ?? '');
}
