import { documentationPage } from '../documentation.ts';
import { type FoundMessage, fillIn } from '../messages/find.ts';
import type { Rank } from '../messages/schema.ts';
import type { ErrorEvidence, Situation } from './conditions/condition.ts';
import type { Explanation } from './explanation.ts';
import { frameworksOf } from './frameworks.ts';
import { judgedCauses } from './judgedCauses.ts';
import { partsOf } from './parts/parts.ts';
import { frameOf, lineOf, type Paste, unknownException } from './reading/paste.ts';
import { shownLocation } from './reading/traceback.ts';
import { questionsOf, remediesOf } from './remedies.ts';
import { explainedByRequirement } from './requirements.ts';
import { explainedByShadow } from './shadowed.ts';

/** Maximum number of explained messages per text. */
const MOST_EXPLANATIONS = 5;

/**
 * Explains the known messages in a text with the evidence about machine, code and file, the root message first. A pure
 * function; returns an empty list if the text contains no known message.
 */
export function explainErrors(paste: Paste, known: ErrorEvidence = {}): Explanation[] {
  const situation: Situation = { ...known, text: paste.text, parts: {}, frameworks: new Set() };
  const shadowed = explainedByShadow(paste, situation);
  if (shadowed !== undefined) return [shadowed];
  const required = explainedByRequirement(paste, situation);
  const found = tellingOf(paste)
    .slice(0, MOST_EXPLANATIONS)
    .map((found) => explained(found, paste, known))
    .filter((explanation, index, all) => !repeatsOne(explanation, all.slice(0, index)));
  return required === undefined ? found : [required, ...found];
}

/**
 * True if the message says little and an earlier message has the same first cause, or the same evidence for its cause.
 */
function repeatsOne({ kind, causes: [own] }: Explanation, before: readonly Explanation[]): boolean {
  if (kind !== 'generic' || own === undefined) return false;
  return before.some(({ causes: [other] }) => {
    if (other === undefined) return false;
    return other.id === own.id || other.evidence.some((sentence) => own.evidence.includes(sentence));
  });
}

/** Removes messages that say little about a line, or about the end of a traceback, if another message explains it. */
function tellingOf(paste: Paste): FoundMessage[] {
  const lines = new Set<string>();
  const failures = paste.messages.filter(({ rank }) => rank === 'error');
  return paste.messages.filter((found) => {
    const line = lineOf(paste, found);
    const isWithin = failures.some(({ start }) => found.start <= start && start < found.end);
    const isFollowed = found.message.endsEarly && failures.some(({ start }) => start >= found.end);
    const isRepeated = isFollowed || (SAYS_LITTLE.has(found.rank) && (isWithin || lines.has(line)));
    lines.add(line);
    return !isRepeated;
  });
}

const SAYS_LITTLE: ReadonlySet<Rank> = new Set(['broad', 'generic']);

function explained(found: FoundMessage, paste: Paste, known: ErrorEvidence): Explanation {
  const { message } = found;
  const parts = partsOf(found, paste.text, known.facts);
  const situation: Situation = {
    ...known,
    text: paste.text,
    message: lineOf(paste, found),
    parts,
    frameworks: new Set(message.frameworks ?? frameworksOf(paste.text, found, known.facts)),
  };
  const causes = judgedCauses(message.causes, situation);
  return {
    id: message.id,
    title: fillIn(message.title, parts),
    message: lineOf(paste, found),
    location: shownLocation(frameOf(paste, found)),
    meaning: [...unknownOf(paste), fillIn(message.meaning, parts)].join(' '),
    kind: found.rank,
    causes: causes.map(({ explained }) => explained),
    remedies: remediesOf(causes, message.remedies ?? [], situation),
    questions: questionsOf(causes, situation),
    url: `${documentationPage('errors', message.family)}#${message.id}`,
  };
}

/** True if the message explains a warning and not the failure after it. */
function unknownOf(paste: Paste): string[] {
  const exception = unknownException(paste);
  return exception === undefined
    ? []
    : [`No explanation for "${exception}" itself; the text also contains this message.`];
}
