/** Joins the fixes of all findings at a call, so that one edit handles both the device and the safety of a load. */
import { once } from '../../python/semantic/memoize.ts';
import { push } from '../../python/semantic/multimap.ts';
import type { Edit, Fix } from '../edits/fix.ts';
import type { Finding } from './contract.ts';
import { shortTitle } from './message.ts';

/** Returns the findings, with the safe fix of each extended by those of the findings inside its place, and short titles. */
export function joinFixes(findings: readonly Finding[]): Finding[] {
  const nested = nestedLoads(findings);
  return findings.map((finding) => {
    const inner = nested.get(finding);
    const fixes = () => (inner ? joined(finding, inner) : finding.fixes());
    return { ...finding, fixes: once(() => fixes().map((fix) => ({ ...fix, title: shortTitle(fix.title) }))) };
  });
}

/**
 * Returns the findings inside the place of each finding about a load, in their order; only those may concern the same
 * call. Compares neighbors only, because a file may have tens of thousands of findings.
 */
function nestedLoads(findings: readonly Finding[]): ReadonlyMap<Finding, readonly Finding[]> {
  const nested = new Map<Finding, Finding[]>();
  const position = new Map(findings.map((finding, index) => [finding, index]));
  const loads = findings.filter(({ code }) => /^GPU[15]/.test(code)).sort((a, b) => a.span.start - b.span.start);
  let first = 0;
  for (const outer of loads) {
    while ((loads[first]?.span.start ?? 0) < outer.span.start) first++;
    for (let at = first; at < loads.length; at++) {
      const inner = loads[at];
      if (!inner || inner.span.start >= outer.span.end) break;
      if (inner !== outer && inner.span.end < outer.span.end) push(nested, outer, inner);
    }
  }
  for (const inner of nested.values()) inner.sort((a, b) => (position.get(a) ?? 0) - (position.get(b) ?? 0));
  return nested;
}

function joined(finding: Finding, inner: readonly Finding[]): readonly Fix[] {
  const [first, ...others] = finding.fixes();
  if (first?.tier !== 'safe') return finding.fixes();
  const titles = [first.title];
  let edits = first.edits;
  for (const other of inner) {
    const [fix] = other.fixes();
    if (fix?.tier !== 'safe' || fix.edits.some((edit) => edits.some((known) => touch(edit, known)))) continue;
    titles.push(fix.title);
    edits = inOrder([...edits, ...fix.edits]);
  }
  return [{ ...first, title: joinedTitle(titles), edits }, ...others];
}

/** Returns "Add `a` and `b`" for "Add `a`" and "Add `b`", and "Add `a` to both calls" for the same title twice. */
function joinedTitle(titles: readonly string[]): string {
  const [first = '', ...others] = [...new Set(titles)];
  if (others.length > 0) {
    const [verb = ''] = first.split(' ', 1);
    const rest = others.map((title) =>
      title.startsWith(`${verb} `) ? title.slice(verb.length + 1) : lowerFirst(title),
    );
    return [first, ...rest].join(' and ');
  }
  if (titles.length === 1) return first;
  const place = first.startsWith('Add ') ? 'to' : 'in';
  return `${first} ${place} ${titles.length === 2 ? 'both calls' : `all ${titles.length} calls`}`;
}

const touch = (a: Edit, b: Edit) => a.span.start < b.span.end && b.span.start < a.span.end;
const inOrder = (edits: readonly Edit[]) => [...edits].sort((a, b) => a.span.start - b.span.start);
const lowerFirst = (title: string) => title.charAt(0).toLowerCase() + title.slice(1);
