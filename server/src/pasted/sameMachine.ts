import { type Fact, isUnknown, knownValue, type StackFacts } from '../stack/facts/facts.ts';

/** What tells machines and environments apart, and how much it says that it is alike: of a driver's number more than of a system. */
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
 * Whether the machine that a text tells of is this very one: nothing of it differs, and enough is alike; or the text tells no
 * more than a system and a Python, as a session of one's own does.
 */
export function isSameMachine(told: StackFacts, here: StackFacts): boolean {
  const both = MARKS.flatMap(({ weight, of }) => {
    const one = of(told);
    return one === undefined ? [] : [{ weight, isAlike: one === of(here) }];
  });
  const sum = both.reduce((all, { weight }) => all + weight, 0);
  return both.every(({ isAlike }) => isAlike) && (sum >= ENOUGH || (sum <= 1 && tellsLittle(told)));
}

/** Neither a driver nor anything that is installed. */
function tellsLittle({ toolkits, packages, condaPackages, gpus }: StackFacts): boolean {
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

/** "3.11" of "3.11.7"; undefined for what does not begin with two numbers. */
export function minor(version: string | undefined): string | undefined {
  return version?.match(/^\d+\.\d+/)?.[0];
}
