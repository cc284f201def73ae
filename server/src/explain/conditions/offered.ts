import { compare, valid } from '@renovatebot/pep440';
import { type Condition, shown } from './condition.ts';

/** What pip says of a release that it does not find: the one asked for, and those that are there for this Python. */
const OFFER = /requirement\s+\S{1,60}?==(\d[\w.]{0,20})(?:\+\w+)?\s+\(from\s+versions:\s+(\d[^)]{0,4000})\)/;

/** Conditions on the releases that an index offers. */
export const offeredConditions = {
  /** Indexes keep what they had, so the releases before are for an older Python. */
  'older-than-offered': ({ text }) => {
    const [, wanted, list = ''] = OFFER.exec(text) ?? [];
    const offered = list.split(/,\s*/).filter((each) => valid(each));
    const [first] = offered;
    if (wanted === undefined || first === undefined || !valid(wanted)) return undefined;
    const oldest = offered.reduce((a, b) => (compare(a, b) <= 0 ? a : b), first);
    return shown(
      compare(wanted, oldest) < 0,
      `by the message the oldest release for this Python is ${oldest}, and ${wanted} is asked for`,
    );
  },
} satisfies Record<string, Condition>;
