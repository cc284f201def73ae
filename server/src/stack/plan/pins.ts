import { knownValue, type StackFacts } from '../facts/facts.ts';

/** What an installed package requires of another one. */
export interface Pin {
  /** The one that requires, such as "vllm". */
  name: string;
  version: string;
  /** Of PEP 440, such as "==2.1.2" or ">=2.0,<2.6". */
  specifier: string;
  source: string;
}

/** What moves along with torch, and requires it to the digit. */
const FAMILY = ['torchvision', 'torchaudio'];

/** What installed packages require of that package; those that are released with torch move along with it. */
export function pinsOn(facts: StackFacts, wanted: string): Pin[] {
  return (knownValue(facts.packages) ?? []).flatMap(({ name, version, folder, requires = [] }) =>
    FAMILY.includes(name)
      ? []
      : requires
          .filter((each) => each.name === wanted && each.specifier !== '')
          .map(({ specifier }) => ({ name, version, specifier, source: folder })),
  );
}
