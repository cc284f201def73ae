/** One fix for all that is found at a call: where the device and the safety of a load are reported, one edit sees to both. */
import { once } from '../../python/semantic/memoize.ts';
import type { Edit, Fix } from '../edits/fix.ts';
import type { Finding } from './contract.ts';

/** The findings, with the safe fix of each extended by those of the findings inside of its place. */
export function joinFixes(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => {
    const inner = findings.filter((other) => other !== finding && isInside(other, finding));
    return inner.length === 0 ? finding : { ...finding, fixes: once(() => joined(finding, inner)) };
  });
}

/** True for findings about loads, which may be about the same call. */
const isOfLoad = ({ code }: Finding) => /^GPU[15]/.test(code);

const isInside = (inner: Finding, outer: Finding): boolean =>
  isOfLoad(inner) && isOfLoad(outer) && outer.span.start <= inner.span.start && inner.span.end < outer.span.end;

function joined(finding: Finding, inner: readonly Finding[]): readonly Fix[] {
  const [first, ...others] = finding.fixes();
  if (first?.tier !== 'safe') return finding.fixes();
  let all = first;
  for (const other of inner) {
    const [fix] = other.fixes();
    if (fix?.tier !== 'safe' || fix.edits.some((edit) => all.edits.some((known) => touch(edit, known)))) continue;
    all = { ...all, title: `${all.title}, ${lowerFirst(fix.title)}`, edits: inOrder([...all.edits, ...fix.edits]) };
  }
  return [all, ...others];
}

const touch = (a: Edit, b: Edit) => a.span.start < b.span.end && b.span.start < a.span.end;
const inOrder = (edits: readonly Edit[]) => [...edits].sort((a, b) => a.span.start - b.span.start);
const lowerFirst = (title: string) => title.charAt(0).toLowerCase() + title.slice(1);
