import { concerns } from '../messages/catalogue.ts';
import { fillIn } from '../messages/find.ts';
import type { Look, Remedy } from '../messages/schema.ts';
import type { Situation } from './conditions/condition.ts';
import { conditions } from './conditions/conditions.ts';
import type { ExplainedRemedy, Explanation, Written } from './explanation.ts';
import { inPowerShell } from './powerShell.ts';
import { findingsFor, isGiven, LACKING, verdictsFor, type Weighed } from './weighing.ts';
import { NOT_WRITTEN, writtenWith } from './written.ts';

const MOST_REMEDIES = 6;

/**
 * Of the confirmed causes, or else of those that are possible, without those that lack their signs where others do not: what
 * mends the code, then what the machine's facts call for.
 */
export function remediesOf(
  causes: readonly Weighed[],
  general: readonly Remedy[],
  situation: Situation,
): ExplainedRemedy[] {
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
  const known = new Set<string>();
  const [first, ...others] = all
    .filter((remedy) => {
      const ways = waysOf(remedy);
      const isNew = !ways.some((way) => known.has(way));
      for (const way of ways) known.add(way);
      return isNew;
    })
    .slice(0, MOST_REMEDIES);
  return first ? [{ ...first, title: asFirst(first.title) }, ...others] : [];
}

/** By what two causes may bring the same: what is written counts, however it is called. */
function waysOf({ title, command, code, setting }: ExplainedRemedy): string[] {
  return [title, command, code, setting].filter((each) => each !== null);
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
  if (!isMeant(remedy, situation) || !isGiven(remedy, situation) || isOfLinux(remedy, situation)) return false;
  if (unless !== undefined && conditions[unless]?.(situation)?.holds) return false;
  return when === undefined || conditions[when]?.(situation)?.holds !== false;
}

function written(remedy: Look, situation: Situation): ExplainedRemedy {
  return { title: fillIn(remedy.title, situation.parts), ...writtenHere(remedy, situation), edit: null };
}

/** For the shell of the system that the situation is of. */
function writtenHere(what: Remedy | Look, situation: Situation): Written {
  const { command, ...others } = writtenWith(what, situation.parts);
  const there = command === null ? null : inPowerShell(fromIndexOf(situation.parts.pairTag, command));
  return { ...others, command: there !== command && isOnWindows(situation) ? there : command };
}

/** In Windows PyPI's torch is for the CPU, so that what replaces a build for CUDA has to come from the index of that build. */
function fromIndexOf(tag: string | undefined, command: string): string {
  return tag === undefined
    ? command
    : command.replace(TORCH_OF_PYPI, `$& --index-url https://download.pytorch.org/whl/${tag}`);
}

/** pip, as it installs torch and what is released with it, and nothing else. */
const TORCH_OF_PYPI = /\bpip3? install(?: --?[\w-]+)*(?: torch(?:vision|audio)?)+(?= *(?:$|[&;|#]))/g;

/** Of no use in Windows. */
function isOfLinux({ command = '' }: Remedy | Look, situation: Situation): boolean {
  return OF_LINUX.test(command) && isOnWindows(situation);
}

/** Programs and places that Windows has not. */
const OF_LINUX =
  /\b(?:ldconfig|lsmod|dmesg|systemctl|dkms|modinfo|mokutil|ulimit|uname|free -h)\b|(?:^|[ ;|"])\/(?:proc|usr|etc|dev|opt)\/|\bfind \/|\bls -|LD_LIBRARY_PATH/;

function isOnWindows(situation: Situation): boolean {
  return conditions['surely-on-windows']?.(situation)?.holds === true;
}

/** Where nothing is confirmed, how to tell the possible causes apart. */
export function checksOf(causes: readonly Weighed[], situation: Situation): Explanation['checks'] {
  if (causes.some(({ said }) => said.standing === 'confirmed')) return [];
  const looks = causes
    .flatMap(({ cause, said }) => (said.standing === 'possible' && cause.look ? [cause.look] : []))
    .filter((look) => isMeant(look, situation) && !isOfLinux(look, situation));
  const known = new Set<string>();
  return looks
    .map((look) => ({ title: look.title, ...writtenHere(look, situation) }))
    .filter(({ command, code }) => !known.has(command ?? code ?? '') && known.add(command ?? code ?? ''));
}
