import { satisfies } from '../../published/specifier.ts';
import { type FrameworkBuild, knownValue, type Package, type StackFacts } from '../facts/facts.ts';

/** All installed packages that the catalogue may name. */
export function installedPackages({ packages, frameworks }: StackFacts): (Package | FrameworkBuild)[] {
  const { torch, torchvision, torchaudio, tensorflow, keras, jax, onnxruntime } = frameworks;
  const builds = [torch, torchvision, torchaudio, tensorflow, keras, jax, onnxruntime];
  return [
    ...(knownValue(packages) ?? []),
    ...builds.flatMap((fact) => knownValue<Package | FrameworkBuild | null>(fact) ?? []),
  ];
}

/** True if a package is the one named in a row; TensorFlow was published under several names. */
export function isOf({ name, version }: Package, row: { name: string; versions: string }): boolean {
  return name.replace(/^tensorflow-(gpu|cpu|intel)$/, 'tensorflow') === row.name && satisfies(version, row.versions);
}
