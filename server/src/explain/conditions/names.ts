import { compare } from '@renovatebot/pep440';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { historyOf, type NameHistory } from '../../stack/releases/packageNames.ts';
import { type Condition, type Shown, type Situation, shown } from './condition.ts';

type Parts = Situation['parts'];

/** Of the name that a message asks a package for. */
function historyIn({ package: root, module = root, name }: Parts): NameHistory | undefined {
  return module === undefined || name === undefined ? undefined : historyOf(module, name);
}

/** The package that a message asks for a name, and its releases, for what sentences are filled with. */
export function historyParts(parts: Parts): Readonly<Record<string, string>> {
  const { came, left } = historyIn(parts) ?? {};
  const [root] = (parts.package ?? parts.module ?? '').split('.');
  return {
    ...(root && parts.name !== undefined && { package: root }),
    ...(came !== undefined && { came }),
    ...(left !== undefined && { left }),
  };
}

function installed(facts: StackFacts | undefined, packageName: string): string | undefined {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[-_.]+/g, '-');
  return (facts && knownValue(facts.packages))?.find(({ name }) => plain(name) === plain(packageName))?.version;
}

function onHistory(look: (history: NameHistory, release: string | undefined, subject: string) => Shown): Condition {
  return ({ parts, facts }) => {
    const subject = parts.package ?? parts.module?.split('.')[0];
    if (subject === undefined) return undefined;
    return look(historyIn(parts) ?? {}, installed(facts, subject), subject);
  };
}

/** Conditions on the name that a message asks a package for. */
export const nameConditions = {
  'name-came-later': onHistory(({ came, left }, release, subject) => {
    const isOlder = release === undefined ? left === undefined : came !== undefined && compare(release, came) < 0;
    const have = release === undefined ? '' : `, and ${release} is installed`;
    return shown(
      came !== undefined && isOlder,
      `the releases of ${subject} have it from ${came ?? 'the first'} on${have} (the wheels of ${subject})`,
    );
  }),
  'name-was-removed': onHistory(({ left }, release, subject) => {
    const isNewer = release === undefined || (left !== undefined && compare(release, left) >= 0);
    const have = release === undefined ? '' : `, and ${release} is installed`;
    return shown(
      left !== undefined && isNewer,
      left === undefined
        ? `the newest release of ${subject} still has it${have} (the wheels of ${subject})`
        : `${subject} has it no more from ${left} on${have} (the wheels of ${subject})`,
    );
  }),
} satisfies Record<string, Condition>;
