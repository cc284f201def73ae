/** Plans for tools that write what they install into the project's own file: Poetry, PDM and Pipenv. */
import { namesIn, type PackageIndex, PROJECT_TOOLS, type ProjectTool } from '../../commands/projectTools.ts';
import { quoted } from '../../commands/shellWords.ts';
import type { Draft, Installation } from '../environmentPlan.ts';
import { commented, pipArguments, pythonReason, reasonsOf, trying, withoutWheels } from './lines.ts';

export const poetryCommands = (draft: Draft): string[] => commands(draft, PROJECT_TOOLS.poetry, false);
export const pipenvCommands = (draft: Draft): string[] => commands(draft, PROJECT_TOOLS.pipenv, false);
export const pdmCommands = (draft: Draft, isWindows: boolean): string[] =>
  commands(draft, PROJECT_TOOLS.pdm, isWindows);

function commands(draft: Draft, tool: ProjectTool, isWindows: boolean): string[] {
  const { python, installations } = draft;
  return [
    ...commented(pythonReason(draft)),
    tool.python(python?.version ?? ''),
    ...withoutWheels(draft),
    ...installations.flatMap((each) => installing(each, tool, isWindows)),
    ...trying(draft, `${tool.run} gpu-doctor stack --smoke`),
  ];
}

function installing(installation: Installation, tool: ProjectTool, isWindows: boolean): string[] {
  const { index, page, requirements, reasons, isIsolated } = installation;
  // These tools know no pages of wheels, and build each package by itself.
  if (page !== null || !isIsolated)
    return [
      ...commented(reasonsOf(installation)),
      ...commented(['The lock file does not hold it: install it again after each sync.']),
      `${tool.run} python -m pip install ${pipArguments(installation)}`,
    ];
  const source: PackageIndex | undefined =
    index === null ? undefined : { name: `pytorch-${index.match(/[^/]+$/)?.[0]}`, url: index };
  const packages = requirements.map(quoted).join(' ');
  const known = source && tool.source(source, namesIn(packages), isWindows);
  // The lock file keeps what came from an index of its own.
  return [...commented(reasons), ...(known ? [known] : []), tool.add(packages, source)];
}
