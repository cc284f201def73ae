import { adapted, fromIndex } from '../commands/adapted.ts';
import type { CommandTarget } from '../commands/commandTarget.ts';
import { forInterpreter } from '../commands/forInterpreter.ts';
import { contradictsCommands } from '../commands/installedBuilds.ts';
import { needsMissingProgram, objectionTo, objectionToCode, withinWsl } from '../commands/objections.ts';
import { fromPowerShell, inShell, type Shell } from '../commands/shells.ts';
import type { Verdict } from '../diagnosis/judgeStack.ts';
import { concerns } from '../messages/catalogue.ts';
import { fillIn, hasAllParts } from '../messages/find.ts';
import type { CatalogueRemedy, Cause, Question } from '../messages/schema.ts';
import { knownValue } from '../stack/facts/facts.ts';
import { checkIn, findingsFor, verdictsFor } from './checks.ts';
import type { Situation } from './conditions/condition.ts';
import { ownInterpreter } from './conditions/ownInterpreter.ts';
import type { ExplainedRemedy, Explanation, Written } from './explanation.ts';
import type { JudgedCause } from './judgedCauses.ts';
import { commandTargetIn } from './place.ts';
import { seenHere } from './seenHere.ts';

import { NOT_WRITTEN, writtenWith } from './written.ts';

const MOST_REMEDIES = 6;

/**
 * The remedies of the confirmed causes, or of the only possible one; otherwise the first remedy of each possible cause. Remedies that change the
 * code come first, then those for the machine's facts.
 */
export function remediesOf(
  causes: readonly JudgedCause[],
  general: readonly CatalogueRemedy[],
  situation: Situation,
): ExplainedRemedy[] {
  const isConfirmed = causes.some(({ explained }) => explained.standing === 'confirmed');
  const place = commandTargetIn(situation);
  const diagnosed = causes.flatMap(({ cause }) => verdictsFor(cause, situation).flatMap(({ remedies }) => remedies));
  const exactCommands = diagnosed.flatMap(({ command }) => command ?? []);
  // A diagnosis is based on the machine, so its build excludes others that the catalogue offers in general.
  const agreeing = (remedy: CatalogueRemedy) =>
    written(remedy, situation, place).filter(
      ({ command }) => command === null || !contradictsCommands(command, exactCommands, place),
    );
  const found = causes.flatMap(({ cause }): ExplainedRemedy[] => {
    const exact = verdictsFor(cause, situation).flatMap(({ remedies }) => remedies);
    const own = (cause.remedies ?? []).filter(
      (remedy) => isOfUse(remedy, situation) && !(remedy.general && exact.length > 0),
    );
    const all = [
      ...fixesOf(cause, situation),
      ...exact.map((remedy) => ofVerdict(remedy, place)),
      ...own.flatMap(agreeing),
    ].sort((one, other) => Number(lacksProgram(one, situation)) - Number(lacksProgram(other, situation)));
    return isConfirmed || causes.length === 1 ? all : all.slice(0, 1);
  });
  const forAny = general.filter((remedy) => isOfUse(remedy, situation)).flatMap(agreeing);
  // Without a GPU, no installation helps until the code works without one.
  const first = checkIn('no-usable-nvidia-gpu', situation)?.holds
    ? [...causes.flatMap(({ cause }) => fixesOf(cause, situation)), ...forAny.filter(({ code }) => code !== null)]
    : [];
  const all = [...first, ...found, ...forAny];
  const known = new Set<string>();
  const [best, ...others] = all
    .filter((remedy) => {
      const ways = waysOf(remedy);
      const isNew = !ways.some((way) => known.has(way));
      for (const way of ways) known.add(way);
      return isNew;
    })
    .slice(0, MOST_REMEDIES);
  return best ? [{ ...best, title: asFirst(best.title) }, ...others] : [];
}

function lacksProgram({ command }: ExplainedRemedy, { facts }: Situation): boolean {
  const present = facts && knownValue(facts.programs);
  if (facts === undefined || present === undefined || command === null) return false;
  // Containers are started from outside, and an environment of conda has its conda.
  const others = [
    ...(knownValue(facts.container) ? ['docker'] : []),
    ...(knownValue(facts.interpreter)?.environment === 'conda' ? ['conda'] : []),
  ];
  return needsMissingProgram(command, [...present, ...others]);
}

/** The first fix of each finding of the rules that confirms a cause. */
function fixesOf(cause: Cause, situation: Situation): ExplainedRemedy[] {
  return findingsFor(cause, situation).flatMap(({ fixes }) =>
    fixes.slice(0, 1).map(({ title, line, edit }) => ({ ...NOT_WRITTEN, title, code: line, edit: edit ?? null })),
  );
}

/** The key by which remedies of two causes are compared: the written form counts, whatever the title. */
function waysOf({ title, command, code, setting }: ExplainedRemedy): string[] {
  return [title, command, code, setting].filter((each) => each !== null);
}

/** The title of an alternative without its "Or", because the remedies before it do not apply here. */
function asFirst(title: string): string {
  return title.replace(/^Or (\w)/, (_, letter: string) => letter.toUpperCase());
}

/** Most texts that do not name a framework are about torch. */
function isMeant(what: CatalogueRemedy | Question, { frameworks }: Situation): boolean {
  return concerns(what, frameworks.size > 0 ? frameworks : ['torch']);
}

function isOfUse(remedy: CatalogueRemedy, situation: Situation): boolean {
  const { title, command, code, setting, when, unless } = remedy;
  const words = [title, command, code, setting].join('\n');
  if (!isMeant(remedy, situation) || !hasAllParts(words, situation.parts)) return false;
  if (unless !== undefined && checkIn(unless, situation)?.holds) return false;
  return when === undefined || checkIn(when, situation)?.holds !== false;
}

/** Empty for commands that are known not to work at the place. */
function written(remedy: CatalogueRemedy, situation: Situation, place: CommandTarget): ExplainedRemedy[] {
  const here = writtenHere(remedy, situation, placeAfter(remedy, place));
  return here === undefined ? [] : [{ title: fillIn(remedy.title, situation.parts), ...here, edit: null }];
}

/** A diagnosis's remedy for the machine in the facts. */
export function ofVerdict({ title, command }: Verdict['remedies'][number], place: CommandTarget): ExplainedRemedy {
  const { command: line } = writtenWith({ command }, {});
  return { ...NOT_WRITTEN, title, command: line && fromPowerShell(line, shellIn(place)), edit: null };
}

/** The place once the step in the title is done. */
function placeAfter({ after }: CatalogueRemedy, place: CommandTarget): CommandTarget {
  if (after === 'wsl' && place.os === 'windows') return withinWsl(place);
  return after === 'driver' ? { ...place, gpu: { ...place.gpu, driver: undefined, supports: undefined } } : place;
}

/** Written for the place and its shell; undefined for commands that are known not to work there. */
function writtenHere(
  what: CatalogueRemedy | Question,
  situation: Situation,
  place: CommandTarget,
): Written | undefined {
  const { command, code, setting } = writtenWith(what, situation.parts);
  if (code !== null && objectionToCode(code, place) !== undefined) return undefined;
  if (command === null) return { command, code, setting };
  // The replacement architecture depends on the AMD chip: without a single known chip only the title is shown.
  if (STANDS_IN.test(command) && !('when' in what) && !isOneChip(situation)) return { ...NOT_WRITTEN };
  const { pairTag } = situation.parts;
  // On Windows PyPI's torch is a CPU build, so a replacement for a CUDA build must come from that build's index.
  const own = pairTag !== undefined && place.os === 'windows' ? fromIndex(pairTag, command) : command;
  // This index is required, whatever is installed.
  const isNeeded = INDEX_OF_MESSAGE.test(what.command ?? '');
  const judged = isNeeded ? { ...place, installed: {} } : place;
  const fitted = isNeeded ? own : adapted(own, judged, NAMES_BUILD.test(what.title));
  if (fitted === undefined) return undefined;
  const shown = inShellHere(fitted, situation, place);
  return objectionTo(shown, judged) === undefined ? { command: shown, code, setting } : undefined;
}

/** For the machine's interpreter if known, otherwise for any interpreter. */
function inShellHere(command: string, situation: Situation, place: CommandTarget): string {
  const shell = shellIn(place);
  if (situation.facts === undefined || ownInterpreter(situation) === undefined) return inShell(command, shell);
  return fromPowerShell(forInterpreter(command, situation.facts), shell);
}

function shellIn({ os, isCmd }: CommandTarget): Shell {
  if (os !== 'windows') return 'posix';
  return isCmd ? 'cmd' : 'powerShell';
}

/** How a title refers to the build that its command installs. */
const NAMES_BUILD = /\bcu\d{2,3}\b|\bCUDA \d|\bROCm \d|\brocm\d/;

const STANDS_IN = /HSA_OVERRIDE_GFX_VERSION=\d/;

/** True if the text names the generation that commands in the catalogue are for, unless a condition requires it. */
function isOneChip(situation: Situation): boolean {
  return checkIn('names-rdna2', situation)?.holds === true;
}

/** An index derived from the message and related facts. */
const INDEX_OF_MESSAGE = /\/whl\/\{/;

/** Without a confirmed cause: how to distinguish the possible causes, with the result where this machine's facts show it. */
export function questionsOf(causes: readonly JudgedCause[], situation: Situation): Explanation['questions'] {
  const place = commandTargetIn(situation);
  const known = new Set<string>();
  return causes
    .flatMap(({ cause: { id, ask }, explained }) => {
      if (explained.standing === 'confirmed' || !ask || !isMeant(ask, situation)) return [];
      const here = writtenHere(ask, situation, place);
      if (here === undefined) return [];
      const seen = ask.command && seenHere(ask.command, situation);
      return [
        seen ? { ...NOT_WRITTEN, title: `${ask.title}: ${seen}`, cause: id } : { ...here, title: ask.title, cause: id },
      ];
    })
    .filter(({ title, command, code }) => {
      const way = command ?? code ?? title;
      return !known.has(way) && known.add(way);
    });
}
