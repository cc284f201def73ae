import { satisfies } from '../../published/specifier.ts';
import {
  type FrameworkBuild,
  knownValue,
  type MetadataRequirement,
  type Package,
  type StackFacts,
} from '../facts/facts.ts';

/** All installed packages that the catalogue may name. */
export function installedPackages({ packages, frameworks }: StackFacts): (Package | FrameworkBuild)[] {
  const { torch, torchvision, torchaudio, tensorflow, keras, jax, onnxruntime } = frameworks;
  const builds = [torch, torchvision, torchaudio, tensorflow, keras, jax, onnxruntime];
  return [
    ...(knownValue(packages) ?? []),
    ...builds.flatMap((fact) => knownValue<Package | FrameworkBuild | null>(fact) ?? []),
  ];
}

/** The requirements in the metadata of an installed distribution. */
export function requirementsOf({ distributions }: StackFacts, name: string): readonly MetadataRequirement[] {
  return knownValue(distributions)?.find((each) => each.name === name)?.requires ?? [];
}

/** The name under which rows are about a package: TensorFlow was published under several names. */
export function nameInRows(name: string): string {
  return name.replace(/^tensorflow-(gpu|cpu|intel)$/, 'tensorflow');
}

/** True if a package is the one named in a row. */
export function isPackageOfRow({ name, version }: Package, row: { name: string; versions: string }): boolean {
  return nameInRows(name) === row.name && satisfies(version, row.versions);
}
