import { tensorflowHas, tensorflowStillHas } from '../../published/releases/tensorflowReleases.ts';
import { firstTorchWith, lastTorchWith, torchStillHas } from '../../published/releases/torchReleases.ts';
import { liesWithin } from '../../published/specifier.ts';
import { compareVersions } from '../../published/versions.ts';
import type { Fix } from '../../rules/edits/fix.ts';
import { message, quoted } from '../../rules/engine/message.ts';
import { type DeadExtra, type DeadName, deadNames } from '../catalogue/catalogue.ts';
import type { Installation, Requirement } from '../environmentFile.ts';
import { admits } from '../versions.ts';
import type { EnvironmentRule } from './environmentRule.ts';
import { requiredHere, requirementsNamed } from './requirements.ts';

/** GPU603: misleading or retired package names. */
export const deadPackage: EnvironmentRule = {
  code: 'GPU603',
  name: 'dead-package',
  summary: 'A required package has a misleading or retired name.',
  reports: 'misleading or retired package names: `tensorflow-gpu`, `pytorch`, `cudatoolkit`',
  severity: 'warning',
  check(installation, report) {
    for (const requirement of installation.requirements) {
      const row = deadNames().names.find((each) => matchesName(each, requirement));
      if (row) {
        report({
          span: requirement.nameSpan,
          level: row.quiet ? 'hint' : 'flag',
          message: `\`${row.name}\` ${row.why}${insteadOf(row.instead)}.`,
          fixes: () => renaming(requirement, row),
        });
      }
      for (const extra of requirement.extras) {
        const dead = deadNames().extras.find((each) => matchesExtra(each, requirement, extra.text));
        if (dead === undefined) continue;
        report({
          span: extra.span,
          level: 'flag',
          message: message`${quoted(`\`${extra.text}\``)} ${dead.why}${insteadOf(dead.instead)}.`,
          fixes: () =>
            dead.instead === undefined
              ? []
              : [
                  {
                    title: `Replace with \`${dead.instead}\``,
                    tier: 'suggestion',
                    edits: [{ span: extra.span, newText: dead.instead }],
                  },
                ],
        });
      }
    }
    for (const judge of [sameAsTensorflow, toolkitOfConda]) judge(installation, report);
  },
};

type Judge = (installation: Installation, report: Parameters<EnvironmentRule['check']>[1]) => void;

function matchesName(row: DeadName, { name, manager, specifier, url }: Requirement): boolean {
  if (row.name !== name || row.manager !== manager || url !== undefined || specifier === undefined) return false;
  return row.when === undefined || admitsOrExceeds(specifier, row.when);
}

function matchesExtra({ name, extra, when }: DeadExtra, requirement: Requirement, text: string): boolean {
  if (requirement.name !== name || !new RegExp(extra).test(text)) return false;
  return when === undefined || (requirement.specifier !== undefined && admitsOrExceeds(requirement.specifier, when));
}

/** True if a specifier allows a version, or allows only newer ones. */
function admitsOrExceeds(specifier: string, version: string): boolean {
  const floors = [...specifier.matchAll(/(?:[=~>]=|>)\s*(\d+(?:\.\d+)*)/g)];
  return admits(specifier, version) || floors.some(([, floor = '']) => compareVersions(floor, version) > 0);
}

function insteadOf(other: string | undefined): string {
  return other === undefined ? '' : `; use \`${other}\``;
}

/**
 * Returns the fix that replaces the name. A version number belongs to the old name, so the fix is safe only if there is
 * none.
 */
function renaming({ nameSpan, specifier, extras }: Requirement, { instead, same }: DeadName): Fix[] {
  if (instead === undefined || extras.length > 0 || (specifier !== '' && !same)) return [];
  const tier = same && specifier === '' ? 'safe' : 'suggestion';
  return [{ title: `Replace with \`${instead}\``, tier, edits: [{ span: nameSpan, newText: instead }] }];
}

/** For some releases, tensorflow-gpu is the same package as tensorflow. */
const sameAsTensorflow: Judge = (installation, report) => {
  for (const { pin, nameSpan, manager } of requirementsNamed(installation, 'tensorflow-gpu')) {
    if (manager !== 'pip' || pin === undefined) continue;
    if (!tensorflowHas('same_as_gpu_package', pin.text) || !tensorflowStillHas('gpu_package', pin.text)) continue;
    report({
      span: nameSpan,
      level: 'hint',
      message: message`\`tensorflow-gpu\` is discontinued; \`tensorflow\` ${quoted(pin.text)} is the same package.`,
      fixes: () => [
        { title: 'Replace with `tensorflow`', tier: 'suggestion', edits: [{ span: nameSpan, newText: 'tensorflow' }] },
      ],
    });
  }
};

/**
 * Reports `cudatoolkit` with a PyTorch that uses `pytorch-cuda`, and `pytorch-cuda` with a PyTorch that its channel
 * does not have.
 */
const toolkitOfConda: Judge = (installation, report) => {
  const channels = installation.channels.map(({ text }) => text.split('/').at(-1));
  const [torch] = requirementsNamed(installation, 'pytorch').filter(({ manager }) => manager === 'conda');
  const [toolkit] = requirementsNamed(installation, 'cudatoolkit').filter(({ manager }) => manager === 'conda');
  const [cuda] = requirementsNamed(installation, 'pytorch-cuda').filter(({ manager }) => manager === 'conda');
  if (toolkit && cuda) {
    report({
      span: toolkit.span,
      level: 'flag',
      message: 'PyTorch no longer uses `cudatoolkit`: `pytorch-cuda` provides its CUDA.',
      related: [requiredHere(cuda)],
    });
    return;
  }
  if (!torch) return;
  const isOfChannel = torch.channel === 'pytorch' || (torch.channel === undefined && channels[0] === 'pytorch');
  const isNewer = liesWithin(torch.specifier, `>=${firstTorchWith('pytorch_cuda')}`);
  if (toolkit && isOfChannel && !channels.includes('conda-forge') && isNewer) {
    report({
      span: toolkit.span,
      level: 'flag',
      message: `conda finds a CPU build, or none: since PyTorch ${firstTorchWith('pytorch_cuda')}, channel \`pytorch\` uses \`pytorch-cuda\`, not \`cudatoolkit\`.`,
      related: [requiredHere(torch)],
    });
  }
  if (cuda && torch.pin && !torchStillHas('conda_channel', torch.pin.text))
    report({
      span: cuda.span,
      level: 'flag',
      message: `\`pytorch-cuda\` was discontinued after PyTorch ${lastTorchWith('conda_channel')}: use \`pytorch-gpu\` and \`cuda-version\` from conda-forge.`,
      related: [requiredHere(torch)],
    });
};
