/** Plans for tools that write their packages into the project's own file: Poetry, PDM and Pipenv. */
import { addToProject } from '../../commands/installers.ts';
import { PROJECT_TOOLS, type ProjectToolName } from '../../commands/projectTools.ts';
import type { Shell } from '../../commands/shells.ts';
import type { Draft, Installation } from '../environmentPlan.ts';
import {
  commented,
  exportLibraries,
  indexOf,
  pipArguments,
  pythonReason,
  reasonsOf,
  trying,
  withoutWheels,
} from './lines.ts';

/** The commands of a plan for one of those tools. */
export function projectCommands(draft: Draft, tool: ProjectToolName, shell: Shell): string[] {
  const { python, run } = PROJECT_TOOLS[tool];
  return [
    ...commented(pythonReason(draft)),
    python(draft.python?.version ?? ''),
    ...withoutWheels(draft),
    ...draft.installations.flatMap((each) => installing(each, tool, shell)),
    ...(draft.libraries.length === 0 ? [] : [`site=$(${run} python -c "import sys; print(sys.prefix)")`]),
    ...exportLibraries(draft, '$site'),
    ...trying(draft, `${run} gpu-doctor stack --smoke`),
  ];
}

function installing(installation: Installation, tool: ProjectToolName, shell: Shell): string[] {
  const { page, requirements, reasons, isIsolated } = installation;
  // These tools do not support pages of wheels, and build each package in isolation.
  if (page !== null || !isIsolated)
    return [
      ...commented(reasonsOf(installation)),
      ...commented(['The lock file does not contain it: install it again after each sync.']),
      `${PROJECT_TOOLS[tool].run} python -m pip install ${pipArguments(installation)}`,
    ];
  // The lock file keeps packages from another index.
  return [...commented(reasons), ...addToProject(tool, { requirements, index: indexOf(installation) }, shell)];
}
