import { type GpuPackages, gpuPackages } from '../../published/gpuPackages.ts';
import { cudaOfTag, tagOfCuda } from '../../published/releases/torchReleases.ts';
import { compareVersions, majorOf, minorOf } from '../../published/versions.ts';
import { isOf } from '../../stack/builds/installedPackages.ts';
import { knownValue, type Package, type StackFacts } from '../../stack/facts/facts.ts';
import { anyOf, listOf } from '../../stack/facts/gpuName.ts';
import { usableGpus } from '../../stack/facts/usableGpus.ts';
import type { Judge, Judgement } from '../diagnosis.ts';
import { installing, setting } from '../remedies/installing.ts';
import type { Remedy } from '../remedy.ts';

type CodeRow = GpuPackages['code'][number];

/** Packages that were built without code for GPUs, or with code for other versions of CUDA than torch's. */
export const packageWithoutGpuCode: Judge = {
  id: 'package-without-gpu-code',
  judge(facts) {
    const torch = knownValue(facts.frameworks.torch);
    // Beside a torch for the CPU that is what has to be said.
    if (!usableGpus(facts)?.length || (torch && torch.target !== 'cuda')) return [];
    return gpuPackages().code.flatMap((row) => {
      const found = knownValue(facts.packages)?.find((each) => isOf(each, row));
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
    finding: `${name} ${version} was built without code for GPUs: ${row.effect}.`,
    why: [
      { fact: 'no file with its GPU code is there', source: folder },
      { fact: `${anyOf(usableGpus(facts) ?? [])} could run it`, source: facts.gpus.source },
    ],
    remedies: building(facts, found, row),
  };
}

/** The Python that all of the files were compiled for ("3.12" of "_C.cpython-312-x86_64-linux-gnu.so"), where that is not this one. */
function otherPython(facts: StackFacts, files: readonly string[]): string | undefined {
  const python = knownValue(facts.interpreter)?.version?.match(/^\d+\.\d+/)?.[0];
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
    finding: `${name} ${version} was compiled for Python ${other}, and this is Python ${python}, which does not find its code: ${row.effect}.`,
    why: [
      { fact: `${gpuCode?.files[0]}`, source: gpuCode?.folder ?? '' },
      { fact: `Python ${python}`, source: facts.interpreter.source },
    ],
    remedies: building(facts, found, row),
  };
}

/** Where there is one file for each version of CUDA and none for torch's. */
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
  const instead: Remedy[] =
    nearest === undefined || row.override === undefined
      ? []
      : [
          {
            title: `Have it take its library for CUDA ${nearest}, which is of the same family`,
            command: setting(facts, row.override, tagOfCuda(nearest).slice(2)),
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
      remedies: [...installing(facts, `Install a newer ${name}`, name), ...instead],
    },
  ];
}

/** A build with code for the torch at hand. */
function building(facts: StackFacts, { name, version }: Package, row: CodeRow): Remedy[] {
  const torch = knownValue(facts.frameworks.torch);
  const filled = (row.options ?? '')
    .replaceAll('{release}', torch?.version.match(/^\d+\.\d+/)?.[0] ?? '')
    .replaceAll('{tag}', torch?.cuda ? tagOfCuda(torch.cuda) : '');
  const title =
    filled === ''
      ? 'Write its wheel anew'
      : filled.startsWith('-f ')
        ? 'Install the wheel for the torch at hand'
        : 'With the CUDA toolkit installed, compile it here';
  const install = installing(facts, title, `${name}==${version.split('+')[0]} ${filled}`.trim(), { anew: true });
  const [variable, value] = row.variable?.split(/=(.*)/s) ?? [];
  if (variable === undefined || value === undefined) return install;
  return [
    { title: 'Ask for code for GPUs', command: setting(facts, variable, value) },
    ...install.slice(0, 1).map((each) => ({ ...each, continues: true as const })),
  ];
}
