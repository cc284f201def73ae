import { knownImage } from '../../published/images.ts';
import { message } from '../../rules/engine/message.ts';
import type { Installation, Requirement } from '../environmentFile.ts';
import { mayMeet } from '../markers.ts';
import { isBuilt } from './builtPackages.ts';
import type { EnvironmentRule } from './environmentRule.ts';
import { missingRelease } from './missing/release.ts';
import { quotedName, requiredHere, requirementsNamed } from './requirements.ts';

/** GPU607: packages that PyPI offers only as source code and whose build imports torch. */
export const buildIsolation: EnvironmentRule = {
  code: 'GPU607',
  name: 'build-needs-torch',
  summary: 'A package whose build imports torch is built before torch is installed.',
  reports: 'packages such as `flash-attn`, whose build imports torch, before torch is installed',
  severity: 'warning',
  check(installation, report, { kind }) {
    if (installation.buildImportsTorch !== undefined)
      report({
        span: installation.buildImportsTorch,
        level: 'flag',
        severity: 'information',
        message:
          "This script fails in pip's isolated build, which has no torch: require torch in `[build-system]` of pyproject.toml.",
      });
    for (const { span } of installation.torchBuilds ?? [])
      report({
        span,
        level: 'flag',
        // The command that installs a list may have the option.
        ...((kind === 'requirements' || kind === 'requirementsIn') && { severity: 'information' }),
        message:
          "This build imports torch, which pip's isolated build lacks: install torch first, then use `--no-build-isolation`.",
      });
    for (const requirement of installation.requirements.filter(isBuilt)) {
      // There is nothing to build.
      if (missingRelease(requirement) !== undefined) continue;
      const { isIsolated, span, command } = requirement;
      const torch = containsTorch(installation) ? undefined : torchBeside(requirement, installation);
      // A tool without build isolation installs this package after the others.
      if (isIsolated === false && (torch === undefined || command === undefined)) continue;
      report({
        span,
        level: torch === undefined ? 'hint' : 'flag',
        message:
          torch === undefined
            ? message`Building ${quotedName(requirement)} fails in pip's isolated build, which has no torch: use \`--no-build-isolation\`.`
            : message`Building ${quotedName(requirement)} fails without torch: install torch first, then use \`--no-build-isolation\`.`,
        related: torch ? [requiredHere(torch)] : [],
      });
    }
  },
};

/** True for an image that contains torch. */
function containsTorch({ image }: Installation): boolean {
  return image !== undefined && /pytorch$/.test(knownImage(image.text)?.maker ?? '');
}

/** Returns the torch requirement in the same command or list, which is installed after the build. */
function torchBeside({ command, marker }: Requirement, installation: Installation): Requirement | undefined {
  return requirementsNamed(installation, 'torch').find(
    (torch) => torch.manager === 'pip' && torch.command === command && mayMeet(torch.marker, marker),
  );
}
