import type { Fix } from '../../rules/edits/fix.ts';
import type { Knowledge } from '../../rules/engine/contract.ts';
import type { EnvironmentFile, Installation, Requirement } from '../environmentFile.ts';
import type { EnvironmentRule } from './environmentRule.ts';
import { missingChannel, missingCondaCuda, missingCondaPython } from './missing/conda.ts';
import { endedPythons, missingHere, missingPython, withoutCommonPython } from './missing/python.ts';
import { missingBuild, missingExtra, missingIndex, missingRelease } from './missing/release.ts';
import { type Missing, missingSystem } from './missing/system.ts';
import { pinFix } from './requirements.ts';

/** GPU604: versions that are not published at all, or not for the required CUDA version, Python version or system. */
export const missingWheel: EnvironmentRule = {
  code: 'GPU604',
  name: 'missing-wheel',
  summary: 'No wheel matches the requested version, CUDA, Python and platform.',
  reports: 'a requirement without a wheel for its version, CUDA, Python or platform',
  severity: 'warning',
  check(installation, report, file, known) {
    for (const requirement of installation.requirements) {
      if (requirement.url !== undefined) continue;
      const missing =
        requirement.manager === 'conda'
          ? (missingChannel(requirement, installation) ??
            missingCondaCuda(requirement, installation) ??
            missingCondaPython(requirement, installation))
          : missingForPip(requirement, installation, file, known);
      if (missing === undefined) continue;
      const { message, level = 'flag', severity, related = [], version, before } = missing;
      const { span } = requirement;
      report({
        span,
        level,
        ...(severity && { severity }),
        message,
        related,
        fixes: () => (before ? [lineBefore(span.start, before)] : pinFix(requirement, version)),
      });
    }
  },
};

function missingForPip(
  requirement: Requirement,
  installation: Installation,
  file: EnvironmentFile,
  known: Knowledge | undefined,
): Missing | undefined {
  return (
    missingRelease(requirement) ??
    missingExtra(requirement, installation) ??
    missingBuild(requirement) ??
    missingIndex(requirement, installation, file) ??
    missingSystem(requirement, installation) ??
    missingPython(requirement, installation) ??
    missingHere(requirement, installation, file, known) ??
    withoutCommonPython(requirement, installation, file) ??
    endedPythons(requirement, installation, file)
  );
}

function lineBefore(start: number, { title, text }: { title: string; text: string }): Fix {
  return { title, tier: 'suggestion', edits: [{ span: { start, end: start }, newText: text }] };
}
