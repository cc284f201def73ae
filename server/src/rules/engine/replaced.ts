/** Rules that say more of a place than others: those are left out there, their fixes too. */

import { rules } from '../index.ts';
import type { Finding } from './contract.ts';

const replacing: ReadonlyMap<string, readonly string[]> = new Map(
  rules.map(({ code, replaces = [] }) => [code, replaces]),
);

/** One finding for a site: those that another one at the same place makes needless are left out. */
export function withoutReplaced(findings: readonly Finding[]): Finding[] {
  const louder = findings.filter(({ code }) => replacing.get(code)?.length);
  const isNeedless = ({ code, span }: Finding) =>
    louder.some(
      (other) =>
        replacing.get(other.code)?.includes(code) && other.span.start < span.end && span.start < other.span.end,
    );
  return louder.length === 0 ? [...findings] : findings.filter((finding) => !isNeedless(finding));
}
