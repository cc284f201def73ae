/** Plans as files. */

import { namesOf, pixiEntry } from '../../commands/installers.ts';
import type { Draft } from '../environmentPlan.ts';
import {
  CONDA_NAME,
  commented,
  condaChannels,
  condaPackages,
  createCondaEnvironment,
  installCommands,
  libraryPath,
  opening,
  pipArguments,
  pythonReason,
  reasonLines,
  systemCudaReason,
} from './lines.ts';

/** A `Dockerfile`. The base image has no CUDA if wheels include it. */
export function dockerfile(draft: Draft): string[] {
  const { python, systemCuda } = draft;
  return [
    ...commented(pythonReason(draft)),
    ...(systemCuda === null
      ? [
          '# The image has no CUDA: the wheels include it, and the driver comes from the host.',
          `FROM python:${python?.version}-slim`,
          ...compilerInSlim(draft),
        ]
      : [
          `# ${systemCudaReason(systemCuda)}`,
          'FROM condaforge/miniforge3:latest',
          "# Not into conda's base environment, because its Python must not be replaced.",
          `RUN ${createCondaEnvironment(draft, ' --yes')} && conda clean --all --yes`,
          systemCuda.cudnn === null
            ? '# Its programs come first, including nvcc.'
            : '# Its programs come first, and the loader finds its libraries.',
          systemCuda.cudnn === null
            ? `ENV PATH=${CONDA_PREFIX}/bin:$PATH CUDA_HOME=${CONDA_PREFIX}`
            : `ENV PATH=${CONDA_PREFIX}/bin:$PATH LD_LIBRARY_PATH=${CONDA_PREFIX}/lib`,
        ]),
    ...installCommands(draft, 'RUN python -m pip install --no-cache-dir'),
    ...(draft.libraries.length === 0
      ? []
      : [
          '# The loader finds the CUDA libraries there.',
          `ENV LD_LIBRARY_PATH=${libraryPath(draft, systemCuda === null ? '/usr/local' : CONDA_PREFIX)}${systemCuda === null ? '' : ':$LD_LIBRARY_PATH'}`,
        ]),
  ];
}

/** Debian's slim images have no compiler. */
function compilerInSlim({ compilesKernels }: Draft): string[] {
  if (compilesKernels === null) return [];
  return [
    `# ${compilesKernels} compiles Triton kernels at run time, which needs a C compiler.`,
    'RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*',
  ];
}

/** The path of the environment in conda images. */
const CONDA_PREFIX = `/opt/conda/envs/${CONDA_NAME}`;

/** Options for starting a container with the GPUs. */
export const RUN_WITH_GPUS =
  'Run it with `docker run --gpus all`, which requires the NVIDIA Container Toolkit on the host.';

/** A `devcontainer.json`, which may contain comments. */
export function devcontainer(draft: Draft): string[] {
  const { python, installations, systemCuda } = draft;
  const note = (reasons: readonly string[]) => commented(reasons, '  //');
  const called = systemCuda === null ? 'python' : `${CONDA_PREFIX}/bin/python`;
  const commands = [
    ...(systemCuda === null ? [] : [createCondaEnvironment(draft, ' --yes')]),
    // It runs before remoteEnv takes effect.
    ...installations.map(
      (each) =>
        `${systemCuda?.cudnn === null && !each.isIsolated ? `CUDA_HOME=${CONDA_PREFIX} PATH=${CONDA_PREFIX}/bin:$PATH ` : ''}${called} -m pip install ${pipArguments(each)}`,
    ),
  ];
  const image =
    systemCuda === null
      ? `mcr.microsoft.com/devcontainers/python:${python?.version}`
      : 'mcr.microsoft.com/devcontainers/miniconda:3';
  return [
    '{',
    ...note(opening(draft)),
    '  "name": "gpu",',
    ...note([
      ...pythonReason(draft),
      systemCuda === null
        ? 'The image has no CUDA: the wheels include it, and the driver comes from the host.'
        : systemCudaReason(systemCuda),
    ]),
    `  "image": ${JSON.stringify(image)},`,
    ...note(["Passes the host's GPUs, if any, to the container."]),
    '  "hostRequirements": { "gpu": "optional" },',
    ...(systemCuda === null && draft.libraries.length > 0
      ? [
          `  "remoteEnv": { "LD_LIBRARY_PATH": "${libraryPath(draft, '/usr/local')}:${libraryPath(draft, '/home/vscode/.local')}" },`,
        ]
      : []),
    ...(systemCuda === null
      ? []
      : [
          `  "remoteEnv": { "PATH": "${CONDA_PREFIX}/bin:\${containerEnv:PATH}", ${systemCuda.cudnn === null ? `"CUDA_HOME": "${CONDA_PREFIX}"` : `"LD_LIBRARY_PATH": "${CONDA_PREFIX}/lib"`} },`,
        ]),
    ...note(installations.flatMap(reasonLines)),
    // Single quotes need no escape in JSON, and the image's shell accepts both.
    `  "postCreateCommand": ${JSON.stringify(commands.join(' && ').replaceAll('"', "'"))}`,
    '}',
  ];
}

/**
 * A `pixi.toml`: Python comes from conda-forge, and CUDA if no wheel includes it; packages come from PyPI and other
 * indexes.
 */
export function pixi(draft: Draft, platform: string): string[] {
  const { python, installations, systemCuda } = draft;
  const pages = installations.flatMap(({ page }) => page ?? []);
  const open = installations
    .filter(({ isIsolated }) => !isIsolated)
    .flatMap(({ requirements }) => namesOf(requirements));
  return [
    '[workspace]',
    'name = "gpu"',
    `channels = ${JSON.stringify(condaChannels(systemCuda, draft.condaChannels))}`,
    `platforms = [${JSON.stringify(platform)}]`,
    '',
    '[dependencies]',
    ...commented(pythonReason(draft)),
    `python = "${python?.version}.*"`,
    ...(systemCuda === null ? [] : commented([systemCudaReason(systemCuda)])),
    ...condaPackages(draft).map(([name, version]) => `${name} = "${version}"`),
    '',
    '[pypi-dependencies]',
    ...installations.flatMap((each) => [
      ...commented(each.reasons),
      ...each.requirements.map((requirement) => pixiEntry(requirement, each.index)),
    ]),
    ...(pages.length + open.length > 0 ? ['', '[pypi-options]'] : []),
    ...(pages.length > 0
      ? [`find-links = [${[...new Set(pages)].map((url) => `{ url = ${JSON.stringify(url)} }`).join(', ')}]`]
      : []),
    ...(open.length > 0 ? [`no-build-isolation = ${JSON.stringify(open)}`] : []),
    ...(draft.libraries.length > 0
      ? ['', '[activation.env]', `LD_LIBRARY_PATH = ${JSON.stringify(libraryPath(draft, '$CONDA_PREFIX'))}`]
      : []),
  ];
}
