import { cudaOfTag } from '../../../published/releases/torchReleases.ts';
import { compareVersions } from '../../../published/versions.ts';
import { message, quoted } from '../../../rules/engine/message.ts';
import type { EnvironmentFile, Installation, Requirement } from '../../environmentFile.ts';
import type { Missing } from './missing.ts';

const FAMILY = ['torch', 'torchvision', 'torchaudio'];

/** The first build with an index of its own; older ones are on one page. */
const FIRST_INDEX = '11.3';

/**
 * A build such as `+cu118`, which PyPI has none of, where nothing names PyTorch's index. An environment of conda's says all that
 * pip is told; for other files a command may name the index, so that it is only worth knowing. In an image, variables may.
 */
export function missingIndex(
  requirement: Requirement,
  { requirements }: Installation,
  { kind }: EnvironmentFile,
): Missing | undefined {
  if (!lacksIndex(requirement) || kind === 'dockerfile' || kind === 'devcontainer') return undefined;
  // Of several, one says it.
  if (requirements.find(lacksIndex) !== requirement) return undefined;
  const tag = requirement.local?.text ?? '';
  const isOld = tag.startsWith('cu') && compareVersions(cudaOfTag(tag), FIRST_INDEX) < 0;
  const page = `https://download.pytorch.org/whl/${isOld ? 'torch_stable.html' : tag}`;
  const option = `${isOld ? '--find-links' : '--extra-index-url'} ${page}`;
  return {
    message: message`pip finds no build ${quoted(`\`+${tag}\``)} on PyPI: add \`${option}\`.`,
    severity: kind === 'conda' ? 'warning' : 'information',
    ...(kind === 'requirements' && { before: { title: `Add \`${option}\``, text: `${option}\n` } }),
  };
}

function lacksIndex({ name, manager, local, sources, url, pin }: Requirement): boolean {
  if (!FAMILY.includes(name) || manager !== 'pip' || url !== undefined || pin === undefined) return false;
  return sources.length === 0 && /^(?:cu\d{2,3}|cpu|rocm[\d.]+|xpu)$/.test(local?.text ?? '');
}
