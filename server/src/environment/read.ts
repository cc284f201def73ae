import { type EnvironmentFile, type EnvironmentKind, installationOf } from './environmentFile.ts';
import { imagesOfList } from './imagesOfList.ts';
import { readCompose } from './readers/compose.ts';
import { readConda } from './readers/conda.ts';
import { readDevcontainer } from './readers/devcontainer.ts';
import { readDockerfile } from './readers/dockerfile.ts';
import { readGitlabCi } from './readers/gitlabCi.ts';
import { type Includes, includesOf, type ReadBeside } from './readers/includes.ts';
import { redirectedIn } from './readers/misread.ts';
import { readPipfile } from './readers/pipfile.ts';
import { readPixi } from './readers/pixi.ts';
import { readPyproject } from './readers/pyproject.ts';
import { torchBuildsIn } from './readers/repositoryBuilds.ts';
import { readRequirementsFile } from './readers/requirementsFile.ts';
import { readApptainer, readNotebookCommands, readScript } from './readers/script.ts';
import { readSetupCfg, readSetupPy } from './readers/setuptools.ts';
import { readWorkflow } from './readers/workflow.ts';

const READERS: Record<EnvironmentKind, (text: string, includes: Includes) => EnvironmentFile> = {
  requirements: readRequirementsFile,
  requirementsIn: readRequirementsFile,
  pyproject: readPyproject,
  pipfile: readPipfile,
  conda: readConda,
  pixi: readPixi,
  setupCfg: readSetupCfg,
  setupPy: readSetupPy,
  dockerfile: readDockerfile,
  compose: readCompose,
  devcontainer: readDevcontainer,
  shell: readScript,
  workflow: readWorkflow,
  gitlabCi: readGitlabCi,
  apptainer: readApptainer,
  notebook: readNotebookCommands,
};

/**
 * Reads a file of that kind, with the requirement lists that it includes and, if its path is given, with the images that
 * it is installed into. Never throws: problems are in the result's `errors`.
 */
export function readEnvironment(
  kind: EnvironmentKind,
  text: string,
  read?: ReadBeside,
  path?: string,
): EnvironmentFile {
  const includes = includesOf(text, read);
  const file = READERS[kind](text, includes);
  const misread = redirectedIn(kind, text);
  const torchBuilds = torchBuildsIn(kind, text);
  const [first = installationOf([]), ...others] = file.installations;
  const images = kind === 'requirements' && path && read ? imagesOfList(path, includes, read) : {};
  const found = { misread: [...(first.misread ?? []), ...misread], torchBuilds, ...images };
  const installations = [{ ...first, ...found }, ...others];
  return { ...file, kind, installations, ...(includes.files.length > 0 && { included: includes.files }) };
}
