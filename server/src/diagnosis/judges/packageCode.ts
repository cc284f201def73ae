import type { Action } from '../../commands/action.ts';
import { type GpuPackages, gpuPackages } from '../../published/gpuPackages.ts';
import { cudaOfTag, tagOfCuda } from '../../published/releases/torchReleases.ts';
import { compareVersions, majorOf, minorOf } from '../../published/versions.ts';
import { isPackageOfRow } from '../../stack/builds/installedPackages.ts';
import { knownValue, type Package, type StackFacts } from '../../stack/facts/facts.ts';
import { anyOf, listOf } from '../../stack/facts/gpuName.ts';
import { pythonMinor } from '../../stack/facts/installed.ts';
import { usableGpus } from '../../stack/facts/usableGpus.ts';
import type { Judge, Judgement } from '../diagnosis.ts';

type CodeRow = GpuPackages['code'][number];

/** Packages that were built without GPU code, or with code for CUDA versions other than torch's. */
export const packageWithoutGpuCode: Judge = {
  id: 'package-without-gpu-code',
  judge(facts) {
    const torch = knownValue(facts.frameworks.torch);
    // Beside a CPU build of torch, that build is reported instead.
    if (!usableGpus(facts)?.length || (torch && torch.target !== 'cuda')) return [];
    return gpuPackages().code.flatMap((row) => {
      const found = knownValue(facts.packages)?.find((each) => isPackageOfRow(each, row));
      if (found?.gpuCode === undefined) return [];
      const { files, folder } = found.gpuCode;
      if (files.length === 0) return [without(facts, found, row, folder)];
      const other = otherPython(facts, files);
      if (other !== undefined) return [forOtherPython(facts, found, other, row)];
      return torch?.cuda ? forOtherCuda(facts, found, row, torch.cuda) : [];
    });
  },
};

function without(facts: StackFacts, found: Package, row: CodeRow, folder: string): Judgement {
  const { name, version } = found;
  return {
    severity: 'warning',
    finding: `${name} ${version} was built without GPU code: ${row.effect}.`,
    why: [
      { fact: 'no file has its GPU code', source: folder },
      { fact: `${anyOf(usableGpus(facts) ?? [])} could run it`, source: facts.gpus.source },
    ],
    remedies: () => building(facts, found, row),
  };
}

/**
 * The Python that all of the files were compiled for ("3.12" of "_C.cpython-312-x86_64-linux-gnu.so"), if it is not
 * this one.
 */
function otherPython(facts: StackFacts, files: readonly string[]): string | undefined {
  const python = pythonMinor(facts);
  const pythons = files
    .map((file) => file.match(/\.(?:cpython-|cp)(\d)(\d+)\D/))
    .map((match) => match && `${match[1]}.${match[2]}`);
  const [first] = pythons;
  return python !== undefined && first && !pythons.some((each) => each === null || each === python) ? first : undefined;
}

function forOtherPython(facts: StackFacts, found: Package, other: string, row: CodeRow): Judgement {
  const { name, version, gpuCode } = found;
  const python = knownValue(facts.interpreter)?.version;
  return {
    severity: 'warning',
    finding: `${name} ${version} was compiled for Python ${other}, but this is Python ${python}, which does not find its code: ${row.effect}.`,
    why: [
      { fact: `${gpuCode?.files[0]}`, source: gpuCode?.folder ?? '' },
      { fact: `Python ${python}`, source: facts.interpreter.source },
    ],
    remedies: () => building(facts, found, row),
  };
}

/** For packages with one file for each CUDA version, none of which is torch's. */
function forOtherCuda(facts: StackFacts, found: Package, row: CodeRow, cuda: string): Judgement[] {
  const { name, version, gpuCode } = found;
  const versions = (gpuCode?.files ?? [])
    .flatMap((file) => file.match(row.file)?.[1] ?? [])
    .map((digits) => cudaOfTag(`cu${digits}`))
    .filter((each, at, all) => all.indexOf(each) === at)
    .sort(compareVersions);
  const wanted = minorOf(cuda);
  const isFit = (each: string) => each === wanted || (row.family && majorOf(each) === majorOf(cuda));
  if (versions.length === 0 || versions.some(isFit)) return [];
  const nearest = versions.filter((each) => majorOf(each) === majorOf(cuda)).at(-1);
  const instead: Action[] =
    nearest === undefined || row.override === undefined
      ? []
      : [
          {
            do: 'set',
            title: `Make it load its library for CUDA ${nearest}, which is compatible`,
            variable: row.override,
            value: tagOfCuda(nearest).slice(2),
          },
        ];
  return [
    {
      severity: 'warning',
      finding: `${name} ${version} has no code for CUDA ${cuda}, which torch is built for: ${row.effect}.`,
      why: [
        { fact: `it has code for CUDA ${listOf(versions)}`, source: gpuCode?.folder ?? '' },
        { fact: `torch is built for CUDA ${cuda}`, source: facts.frameworks.torch.source },
      ],
      remedies: () => [{ do: 'install', title: `Install a newer ${name}`, requirements: [name] }, ...instead],
    },
  ];
}

/** Installs a build with code for the installed torch. */
function building(facts: StackFacts, { name, version }: Package, row: CodeRow): Action[] {
  const torch = knownValue(facts.frameworks.torch);
  const filled = (row.options ?? '')
    .replaceAll('{release}', torch?.version.match(/^\d+\.\d+/)?.[0] ?? '')
    .replaceAll('{tag}', torch?.cuda ? tagOfCuda(torch.cuda) : '');
  const title =
    filled === ''
      ? 'Reinstall its wheel'
      : filled.startsWith('-f ')
        ? 'Install the wheel for the installed torch'
        : 'With the CUDA toolkit installed, compile it here';
  const install = {
    do: 'install',
    title,
    requirements: [`${name}==${version.split('+')[0]}`],
    options: filled.split(' ').filter((word) => word !== ''),
    reinstalls: true,
  } as const;
  const [variable, value] = row.variable?.split(/=(.*)/s) ?? [];
  if (variable === undefined || value === undefined) return [install];
  return [
    { do: 'set', title: 'Request code for GPUs', variable, value },
    { ...install, continues: true },
  ];
}
