import type { Installation, Requirement } from '../environmentFile.ts';
import { knownImage } from '../image.ts';
import { mayMeet } from '../markers.ts';
import { isBuilt } from './builtPackages.ts';
import type { EnvironmentRule } from './environmentRule.ts';
import { named, wanted } from './requirements.ts';

/** GPU607: packages that PyPI has as sources alone, and whose build imports torch. */
export const buildIsolation: EnvironmentRule = {
  code: 'GPU607',
  name: 'build-needs-torch',
  summary: 'A package is built from sources that import torch before torch is there.',
  reports: '`flash-attn`, `torch-scatter` and others whose build imports torch, where torch is not there yet',
  severity: 'warning',
  check(installation, report) {
    if (installation.buildImportsTorch !== undefined)
      report({
        span: installation.buildImportsTorch,
        level: 'flag',
        severity: 'information',
        message:
          'pip runs this script in an isolated build, which does not have torch: declare it in `[build-system]` of pyproject.toml, or install with `--no-build-isolation`.',
      });
    for (const requirement of installation.requirements.filter(isBuilt)) {
      const { name, isIsolated, span, command } = requirement;
      const torch = bringsTorch(installation) ? undefined : torchBeside(requirement, installation);
      // A tool that is told to build it in the environment installs it after the others.
      if (isIsolated === false && (torch === undefined || command === undefined)) continue;
      const why = torch === undefined ? 'which an isolated build does not have' : 'which is only installed with it';
      report({
        span,
        level: torch === undefined ? 'hint' : 'flag',
        message: `${wanted(requirement)} is built from sources that import torch, ${why}: install torch first, then \`pip install --no-build-isolation ${name}\`.`,
        related: torch ? [{ span: torch.span, message: `${wanted(torch)} is requested here` }] : [],
      });
    }
  },
};

/** True for an image that has torch already. */
function bringsTorch({ image }: Installation): boolean {
  return image !== undefined && /pytorch$/.test(knownImage(image.text)?.maker ?? '');
}

/** The torch that the same command or list asks for, so that it comes after the build. */
function torchBeside({ command, marker }: Requirement, installation: Installation): Requirement | undefined {
  return named(installation, 'torch').find(
    (torch) => torch.manager === 'pip' && torch.command === command && mayMeet(torch.marker, marker),
  );
}
