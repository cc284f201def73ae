import { isInOtherFile, type Reason } from '../../guards/reason.ts';
import type { Fix } from '../edits/fix.ts';
import type { Finding } from './contract.ts';

/** Returns the finding as a hint, with further reasons. Its fixes become suggestions. */
export function asHint(finding: Finding, reasons: readonly Reason[]): Finding {
  const fixes = () => finding.fixes().map((fix): Fix => (fix.tier === 'safe' ? { ...fix, tier: 'suggestion' } : fix));
  const related = [...finding.related, ...placesElsewhere(reasons)];
  return { ...finding, severity: 'hint', related, reasons: [...finding.reasons, ...reasons], fixes };
}

/** Returns the places of reasons in other files, which no line of this file shows. */
export const placesElsewhere = (reasons: readonly Reason[]): Finding['related'] =>
  reasons.flatMap(({ because, at }) =>
    at && isInOtherFile(at) ? [{ elsewhere: at, message: `Only a hint because ${because}.` }] : [],
  );
