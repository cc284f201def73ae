import { documentationPage } from '../documentation.ts';
import { concerns } from '../messages/catalogue.ts';
import { expressionOf, type FoundMessage, fillIn } from '../messages/find.ts';
import type { Cause, Look, Rank, Remedy } from '../messages/schema.ts';
import { isUnknown } from '../stack/facts/facts.ts';
import { isOf, type Known, type Situation } from './conditions/condition.ts';
import { conditions } from './conditions/conditions.ts';
import { askerParts, historyParts } from './conditions/names.ts';
import { offerParts } from './conditions/offered.ts';
import { prefixParts } from './conditions/weightNames.ts';
import type { ExplainedCause, ExplainedRemedy, Explanation } from './explanation.ts';
import { extensionParts } from './extensionParts.ts';
import { frameworksOf } from './frameworks.ts';
import { attributeParts } from './moduleAttributes.ts';
import { frameOf, lineOf, type Paste, unknownException } from './reading/paste.ts';
import { jaxParts, releaseParts, tensorflowParts, torchParts } from './releaseParts.ts';
import { torchPairParts, torchPinParts } from './torchPins.ts';
import { withVersions } from './versionNumbers.ts';
import { NOT_WRITTEN, writtenWith } from './written.ts';

/** Messages of one text that are explained at most. */
const MOST_EXPLANATIONS = 5;

/**
 * Explains the known messages of a text with what is known of machine, code and file, the cause of all first. A pure
 * function; empty where nothing in the text is known.
 */
export function explain(paste: Paste, known: Known = {}): Explanation[] {
  return tellingOf(paste)
    .slice(0, MOST_EXPLANATIONS)
    .map((found) => ({ found, explanation: explained(found, paste, known) }))
    .filter(({ found, explanation }) => !found.message.saysNothing || explanation.causes[0]?.standing === 'confirmed')
    .map(({ explanation }) => explanation)
    .filter((explanation, index, all) => !repeatsOne(explanation, all.slice(0, index)));
}

/** Whether it says little, and one before it has the same first cause, or the same evidence of it. */
function repeatsOne({ kind, causes: [own] }: Explanation, before: readonly Explanation[]): boolean {
  if (kind !== 'generic' || own === undefined) return false;
  return before.some(({ causes: [other] }) => {
    if (other === undefined) return false;
    return other.id === own.id || other.evidence.some((sentence) => own.evidence.includes(sentence));
  });
}

/** Without those that say little of a line, or of the end of a traceback, which another one explains. */
function tellingOf(paste: Paste): FoundMessage[] {
  const lines = new Set<string>();
  const failures = paste.messages.filter(({ rank }) => rank === 'error');
  return paste.messages.filter((found) => {
    const line = lineOf(paste, found);
    const isWithin = failures.some(({ start }) => found.start <= start && start < found.end);
    const isRepeated = SAYS_LITTLE.has(found.rank) && (isWithin || lines.has(line));
    lines.add(line);
    return !isRepeated;
  });
}

const SAYS_LITTLE: ReadonlySet<Rank> = new Set(['broad', 'generic']);

function explained(found: FoundMessage, paste: Paste, known: Known): Explanation {
  const { message } = found;
  const parts = withVersions({
    ...found.parts,
    ...askerParts(paste.text),
    ...historyParts(found.parts),
    ...releaseParts(found.parts),
    ...attributeParts(found.parts),
    ...prefixParts(paste.text),
    ...tensorflowParts(paste.text, known.facts),
    ...torchParts(paste.text, known.facts),
    ...jaxParts(found.parts, known.facts),
    ...torchPinParts(paste.text),
    ...torchPairParts(paste.text, known.facts),
    ...offerParts(paste.text),
    ...extensionParts(found.parts, paste.text, known.facts),
  });
  const situation: Situation = {
    ...known,
    text: paste.text,
    parts,
    frameworks: new Set(message.frameworks ?? frameworksOf(paste.text, found, known.facts)),
  };
  const frame = frameOf(paste, found);
  const all = message.causes
    .filter((cause) => concerns(cause, situation.frameworks) && isGiven(cause, situation))
    .map((cause) => weighed(cause, situation))
    .filter(({ cause, said }) => said.standing !== 'possible' || hasItsWords(cause, paste.text))
    .filter(({ said }) => said.standing !== 'ruled-out' || said.evidence.length > 0)
    .sort((a, b) => a.order - b.order);
  const isConfirmed = all[0]?.said.standing === 'confirmed';
  const causes = all.filter(({ cause, order }) => !(isConfirmed && order === LACKING && isToldByWords(cause)));
  return {
    id: message.id,
    title: fillIn(message.title, parts),
    message: lineOf(paste, found),
    location: frame ? { file: frame.file, line: frame.line ?? null, code: frame.code ?? null } : null,
    meaning: [...unknownOf(paste), fillIn(message.meaning, parts)].join(' '),
    kind: found.rank,
    causes: causes.map(({ said }) => said),
    remedies: remediesOf(causes, message.remedies ?? [], situation),
    checks: checksOf(causes, situation),
    url: `${documentationPage('errors', message.family)}#${message.id}`,
  };
}

/** That a warning is explained, and not what failed after it. */
function unknownOf(paste: Paste): string[] {
  const exception = unknownException(paste);
  return exception === undefined ? [] : [`Nothing is known of "${exception}" itself; the text also says this.`];
}

function hasItsWords({ with: words }: Cause, text: string): boolean {
  return words === undefined || expressionOf(words).test(text);
}

interface Weighed {
  readonly cause: Cause;
  readonly said: ExplainedCause;
  /** Confirmed ones come first, ruled out ones last. */
  readonly order: number;
}

function weighed(cause: Cause, situation: Situation): Weighed {
  const { text, parts } = situation;
  const shown = [
    ...verdictsFor(cause, situation).map(({ finding }) => finding),
    ...findingsFor(cause, situation).map(({ message }) => message),
    ...factsFor(cause.when, situation),
  ];
  const denied = shown.length > 0 ? [] : [...lackingFor(cause, situation), ...factsFor(cause.unless, situation)];
  // What the machine shows outweighs what the text says.
  const told =
    denied.length > 0
      ? []
      : [...(cause.implied ? ['The message itself says so.'] : []), ...quotedFrom(cause.said, text)];
  const confirming = [...shown, ...told];
  const against = confirming.length > 0 ? [] : [...denied, ...quotedFrom(cause.denied, text)];
  const hints = confirming.length > 0 ? [] : quotedFrom(cause.hint, text);
  const standing = confirming.length > 0 ? 'confirmed' : against.length > 0 ? 'ruled-out' : 'possible';
  return {
    cause,
    said: {
      id: cause.id,
      text: fillIn(cause.text, parts),
      standing,
      // What may speak for a cause that is ruled out only confuses.
      evidence: unique(against.length > 0 ? against : [...confirming, ...hints]).filter((each) => each !== ''),
    },
    order:
      standing === 'confirmed'
        ? 0
        : standing === 'ruled-out'
          ? 4
          : hints.length > 0
            ? 1
            : lacksItsSigns(cause, situation)
              ? LACKING
              : 2,
  };
}

const LACKING = 3;

/** Whether what would confirm a cause could be seen and is not there: the text has not its words, the facts speak against it. */
function lacksItsSigns({ common, said, verdicts, when = [] }: Cause, situation: Situation): boolean {
  if (common) return false;
  if (said !== undefined || (verdicts !== undefined && wasLookedAt(situation))) return true;
  const shown = when.map((name) => conditions[name]?.(situation));
  return shown.length > 0 && shown.every((each) => each?.holds === false);
}

/** Whether nothing but words of the text could confirm it: where these are missing, and another one is confirmed, it is no news. */
function isToldByWords({ said, when, verdicts, rules, look }: Cause): boolean {
  return said !== undefined && !when && !verdicts && !rules && !look;
}

/** Whether a verdict that is not there tells anything: not of a machine of which only a text or a record tells. */
function wasLookedAt({ facts }: Situation): boolean {
  return facts !== undefined && !(isUnknown(facts.pciGpus) && facts.pciGpus.cause === 'notAsked');
}

function verdictsFor({ verdicts = [] }: Cause, situation: Situation) {
  return (situation.verdicts ?? []).filter(({ id, framework }) => verdicts.includes(id) && isOf(framework, situation));
}

function findingsFor({ rules = [] }: Cause, { code }: Situation) {
  return (code?.findings ?? []).filter((finding) => rules.includes(finding.code));
}

/** The facts by which conditions hold. */
function factsFor(names: readonly string[] | undefined, situation: Situation): string[] {
  return (names ?? []).flatMap((name) => {
    const shown = conditions[name]?.(situation);
    return shown?.holds ? [sentence(shown.evidence)] : [];
  });
}

/** What would have to be so for a cause, and is not. */
function lackingFor({ needs = [] }: Cause, situation: Situation): string[] {
  return needs.flatMap((name) => {
    const found = conditions[name]?.(situation);
    return found?.holds === false ? [sentence(found.evidence)] : [];
  });
}

/** In whole words. */
function quotedFrom(pattern: string | undefined, text: string): string[] {
  const found = pattern === undefined ? null : expressionOf(pattern).exec(text);
  if (found === null) return [];
  const end = found.index + found[0].length;
  const before = /\w*$/.exec(text.slice(Math.max(0, found.index - LONGEST_WORD), found.index))?.[0];
  const after = /^[\w.]*\w/.exec(text.slice(end, end + LONGEST_WORD))?.[0];
  const words = `${/^\w/.test(found[0]) ? before : ''}${found[0]}${/\w$/.test(found[0]) && after ? after : ''}`;
  return [`The text says "${shortened(words.replace(/\s+/g, ' ').trim())}".`];
}

const LONGEST_WORD = 80;

/** Both ends of what is long, as that is where the words are by which a pattern fits. */
function shortened(quote: string): string {
  return quote.length <= 160 ? quote : `${quote.slice(0, 70).trim()} ... ${quote.slice(-70).trim()}`;
}

/** Of a fragment, which may as well begin with the name of a package or a file. */
function sentence(fragment: string): string {
  const begun = fragment.replace(
    /^(?:an?|by|it|no|none|the|there|this)(?= )/,
    (word) => word[0]?.toUpperCase() + word.slice(1),
  );
  return /^$|[.!?]$/.test(begun) ? begun : `${begun}.`;
}

const MOST_REMEDIES = 6;

/**
 * Of the confirmed causes, or else of those that are possible, without those that lack their signs where others do not: what
 * mends the code, then what the machine's facts call for.
 */
function remediesOf(causes: readonly Weighed[], general: readonly Remedy[], situation: Situation): ExplainedRemedy[] {
  const isConfirmed = causes.some(({ said }) => said.standing === 'confirmed');
  const standing = causes.filter(({ said }) => said.standing === (isConfirmed ? 'confirmed' : 'possible'));
  const likely = standing.filter(({ order }) => order < LACKING);
  const those = likely.length > 0 ? likely : standing;
  const found = those.flatMap(({ cause }): ExplainedRemedy[] => {
    const exact = verdictsFor(cause, situation).flatMap(({ remedies }) => remedies);
    const useful = (cause.remedies ?? []).filter((remedy) => isOfUse(remedy, situation));
    const hasGiven = useful.some(({ given }) => given !== undefined);
    const own = useful.filter(
      (each) => !each.general || (exact.length === 0 && !(hasGiven && each.given === undefined)),
    );
    return [
      ...findingsFor(cause, situation).flatMap(({ fixes }) =>
        fixes.slice(0, 1).map(({ title, line, edit }) => ({ ...NOT_WRITTEN, title, code: line, edit: edit ?? null })),
      ),
      ...[...exact, ...own].map((remedy) => written(remedy, situation)),
    ];
  });
  const all = [
    ...found,
    ...general.filter((remedy) => isOfUse(remedy, situation)).map((each) => written(each, situation)),
  ];
  const titles = new Set<string>();
  const [first, ...others] = all.filter(({ title }) => !titles.has(title) && titles.add(title)).slice(0, MOST_REMEDIES);
  return first ? [{ ...first, title: asFirst(first.title) }, ...others] : [];
}

/** What is an alternative to nothing, as the ones before it do not apply here. */
function asFirst(title: string): string {
  return title.replace(/^Or (\w)/, (_, letter: string) => letter.toUpperCase());
}

/** Most texts that name no framework are of torch. */
function isMeant(what: Remedy | Look, { frameworks }: Situation): boolean {
  return concerns(what, frameworks.size > 0 ? frameworks : ['torch']);
}

function isOfUse(remedy: Remedy, situation: Situation): boolean {
  const { when, unless } = remedy;
  if (!isMeant(remedy, situation) || !isGiven(remedy, situation)) return false;
  if (unless !== undefined && conditions[unless]?.(situation)?.holds) return false;
  return when === undefined || conditions[when]?.(situation)?.holds !== false;
}

function isGiven({ given = [] }: Pick<Remedy, 'given'>, { parts }: Situation): boolean {
  return given.every((part) => Object.hasOwn(parts, part));
}

function written(remedy: Look, { parts }: Situation): ExplainedRemedy {
  return { title: fillIn(remedy.title, parts), ...writtenWith(remedy, parts), edit: null };
}

/** Where nothing is confirmed, how to tell the possible causes apart. */
function checksOf(causes: readonly Weighed[], situation: Situation): Explanation['checks'] {
  if (causes.some(({ said }) => said.standing === 'confirmed')) return [];
  const looks = causes
    .flatMap(({ cause, said }) => (said.standing === 'possible' && cause.look ? [cause.look] : []))
    .filter((look) => isMeant(look, situation));
  const known = new Set<string>();
  return looks
    .map((look) => ({ title: look.title, ...writtenWith(look, situation.parts) }))
    .filter(({ command, code }) => !known.has(command ?? code ?? '') && known.add(command ?? code ?? ''));
}

function unique(sentences: readonly string[]): string[] {
  return [...new Set(sentences)];
}
