import { plannedName } from '../published/knownPackages.ts';
import { type Need, type Needs, needOf } from '../solver/needs.ts';
import type { ChangedPin } from '../solver/smallestChange.ts';

/** Returns the needs with the changed pins instead of the project's. */
export function changedNeeds(needs: Needs, pins: readonly ChangedPin[]): Needs {
  const python = pins.find(({ name }) => name === PYTHON);
  const isChanged = ({ name }: Need) => pins.some((pin) => pin.name === plannedName(name));
  const changed = pins.filter(({ name }) => name !== PYTHON).flatMap((pin) => needOf(pin.to, insteadOf(pin)) ?? []);
  return {
    ...needs,
    packages: [...needs.packages.filter((need) => !isChanged(need)), ...changed],
    ...(python && { python: { specifier: python.to.replace(/^Python (.*)$/, '==$1.*'), because: insteadOf(python) } }),
  };
}

const PYTHON = 'python';

function insteadOf({ from, because }: ChangedPin): string {
  return `instead of ${from}, ${because}`;
}
