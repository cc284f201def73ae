import { type Fact, isUnknown, knownValue, type StackFacts } from '../stack/facts/facts.ts';

/** Facts that distinguish machines and environments, with their weight: a driver version counts more than a system. */
const MARKS: readonly { readonly weight: number; of(facts: StackFacts): string | undefined }[] = [
  { weight: 0, of: ({ os }) => knownValue(os)?.family },
  { weight: 3, of: ({ os }) => knownValue(os)?.kernel || undefined },
  { weight: 2, of: ({ driver }) => knownValue(driver) },
  { weight: 2, of: gpuNames },
  { weight: 1, of: ({ interpreter }) => minor(knownValue(interpreter)?.version ?? undefined) },
  { weight: 2, of: ({ frameworks }) => versionOf(frameworks.torch) },
  { weight: 2, of: ({ frameworks }) => versionOf(frameworks.tensorflow) },
  { weight: 2, of: ({ frameworks }) => versionOf(frameworks.jax) },
];

const ENOUGH = 4;

/**
 * True if a text describes this machine: no fact differs, and enough facts match; or the text only contains a system
 * and a Python, like the user's own session.
 */
export function isSameMachine(reported: StackFacts, here: StackFacts): boolean {
  const both = MARKS.flatMap(({ weight, of }) => {
    const one = of(reported);
    return one === undefined ? [] : [{ weight, isAlike: one === of(here) }];
  });
  const sum = both.reduce((all, { weight }) => all + weight, 0);
  return both.every(({ isAlike }) => isAlike) && (sum >= ENOUGH || (sum <= 1 && isSparse(reported)));
}

/** Neither a driver nor any package is reported. */
function isSparse({ toolkits, packages, condaPackages, gpus }: StackFacts): boolean {
  return [toolkits, packages, condaPackages, gpus].every((fact) => isUnknown(fact) && fact.cause === 'notAsked');
}

function versionOf(fact: Fact<{ version: string } | null>): string | undefined {
  const build = knownValue(fact);
  return build === null ? 'none' : build?.version.split('+')[0];
}

function gpuNames({ gpus }: StackFacts): string | undefined {
  return knownValue(gpus)
    ?.map(({ name }) => name)
    .join(', ');
}

/** "3.11" for "3.11.7"; undefined without two numbers at the start. */
export function minor(version: string | undefined): string | undefined {
  return version?.match(/^\d+\.\d+/)?.[0];
}
