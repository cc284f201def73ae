/** Errors whose cause is an unmet requirement between installed packages. */
import type { Verdict } from '../diagnosis/judgeStack.ts';
import { rivalsOf, type UnmetRequirement, unmetRequirements } from '../fit/requirement.ts';
import { editionOf, knownPackage } from '../published/knownPackages.ts';
import { TORCH_COMPANIONS } from '../published/releases/torchCompanions.ts';
import { knownValue } from '../stack/facts/facts.ts';
import type { Situation } from './conditions/condition.ts';
import { ownInterpreter } from './conditions/ownInterpreter.ts';
import type { Explanation } from './explanation.ts';
import { commandTargetIn } from './place.ts';
import { complaintIn, frameOf, lineOf, type Paste } from './reading/paste.ts';
import { shownLocation } from './reading/traceback.ts';
import { ofVerdict } from './remedies.ts';

/** The diagnoses that explain an error. */
const IDS = [
  'files-lost',
  'wheel-of-other-python',
  'torchvision-of-other-release',
  'torchvision-of-other-build',
  'requirement-not-met',
  'hidden-installation',
];

/** Compiled code calls something that the loaded library does not have. */
const OTHER_CODE = /\bundefined symbol\b|\bDLL load failed\b/;

/** True if an error may come from the installed packages: it is raised in one, or something of a module is missing. */
export function mayLackPackages({ text }: Paste): boolean {
  return PACKAGE_FILE.test(text) || /\bNo module named\b|\bmodule '\w+' has no attribute\b/.test(text);
}

/** The module of a file, inside the folder that Google's packages share. */
const PACKAGE_FILE = /[\\/](?:site|dist)-packages[\\/](?:google[\\/])?(\w+)/;

/**
 * Explains an error by a requirement of the installed packages that is not met, if the error names the required package
 * and comes from the one that requires it, or if a module is missing.
 */
export function explainedByRequirement(paste: Paste, situation: Situation): Explanation | undefined {
  const { facts, verdicts = [] } = situation;
  const diagnosed = verdicts.filter(({ id }) => IDS.includes(id));
  const message = complaintIn(paste);
  if (facts === undefined || diagnosed.length === 0 || message === undefined) return undefined;
  if (ownInterpreter(situation) === undefined) return undefined;
  const files = [...paste.text.matchAll(new RegExp(PACKAGE_FILE, 'g'))];
  const modules = new Set(files.map(([, name = '']) => name.toLowerCase()));
  const named = (knownValue(facts.distributions) ?? []).filter(({ name }) =>
    names(message, [name, ...rivalsOf(name)].flatMap(modulesOf)),
  );
  // NumPy describes what does not match in lines of its own, before the exception.
  const said = [message, ...paste.messages.map((each) => lineOf(paste, each))].join('\n');
  const compiled = OTHER_CODE.test(message) ? TORCH_COMPANIONS.filter((name) => modules.has(name)) : [];
  const relevant = [
    ...compiled.map((name) => `${name} `),
    ...named.flatMap(({ name, version }) => [
      `${name} ${version} recorded`,
      `${name} ${version} has the tag`,
      `Python imports ${name} ${version}`,
    ]),
    ...unmetRequirements(facts)
      .filter((each) => isRelevant(each, said, modules))
      .map(written),
  ];
  const found = diagnosed.filter(({ why }) => relevant.some((each) => why.some(({ fact }) => fact.startsWith(each))));
  const [first] = found;
  if (first === undefined) return undefined;
  const place = commandTargetIn(situation);
  return {
    id: first.id,
    title: first.finding.replace(/\.$/, ''),
    message,
    location: shownLocation(frameOf(paste, paste.messages[0])),
    meaning: 'The installed packages show this, and the error names the package.',
    kind: 'error',
    causes: found.map(causeOf),
    remedies: found.flatMap(({ remedies }) => remedies.map((remedy) => ofVerdict(remedy, place))),
    questions: [],
    url: first.page,
  };
}

function causeOf({ id, finding, why }: Verdict): Explanation['causes'][number] {
  return {
    id,
    text: finding,
    standing: 'confirmed',
    evidence: why.map(({ fact, source }) => `${fact} (${source})`),
  };
}

function written({ by, requirement }: UnmetRequirement): string {
  return `${by.name} ${by.version} requires ${requirement.name}${requirement.specifier}`;
}

function isRelevant(
  { by, requirement, found }: UnmetRequirement,
  message: string,
  modules: ReadonlySet<string>,
): boolean {
  const required = modulesOf(requirement.name);
  const isNamed = names(message, [...required, requirement.name]) || namesLibrary(message, requirement.name);
  if (
    found === undefined &&
    isNamed &&
    /\bNo module named\b|\bshared object\b|\bundefined symbol\b|\bDLL\b/.test(message)
  )
    return true;
  const isOfRequirer = modulesOf(by.name).some((each) => modules.has(each));
  // Its code was compiled against another release of what it requires.
  const isOfOtherCode = found !== undefined && OTHER_CODE.test(message);
  return isOfRequirer && (isNamed || isOfOtherCode || required.some((each) => modules.has(each)));
}

/** The modules of a distribution, as far as they are known or follow from its name. */
function modulesOf(name: string): string[] {
  const own = name.replaceAll('-', '_');
  // absl-py installs absl.
  return [...(knownPackage(editionOf(name))?.imports ?? []), own, own.replace(/_py$/, '')].map((each) =>
    each.toLowerCase(),
  );
}

function names(message: string, words: readonly string[]): boolean {
  return words.some((word) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'i').test(message));
}

/** True if a message names a library of an NVIDIA wheel: libcudnn.so.9 of nvidia-cudnn-cu12. */
function namesLibrary(message: string, name: string): boolean {
  const part = /^nvidia-(?:cuda-)?(\w+?)(?:-cu\d+)?$/.exec(name)?.[1];
  if (part === undefined) return false;
  return new RegExp(`lib(?:${part === 'runtime' ? 'cudart' : part === 'nvtx' ? 'nvToolsExt' : part})`, 'i').test(
    message,
  );
}
