import { knownValue, type StackFacts } from '../stack/facts/facts.ts';
import type { Install } from './action.ts';
import { calling, inShell, quotePath, shellOf } from './shells.ts';
import { readLine } from './statements.ts';
import { condaPlace, inCondaEnvironment, madeByUv, writeAction } from './writeAction.ts';

/**
 * Converts a command for a POSIX shell and any Python to one for a machine's interpreter, in the shell of its system. A
 * command that only installs becomes an action, so that it is written like the stack's remedies; in others, pip and
 * Python are called by the interpreter's path. Commands that create or enter another environment are unchanged.
 */
export function forInterpreter(command: string, facts: StackFacts): string {
  const install = installIn(command);
  const [written] = install ? writeAction(install, facts) : [];
  return written?.command ?? inShell(ELSEWHERE.test(command) ? command : called(command, facts), shellOf(facts));
}

/** Programs that create or enter another environment, or run in one. */
const ELSEWHERE =
  /\b(?:venv|virtualenv|activate|docker|podman|kubectl|apptainer|conda (?:create|run)|uv (?:venv|run))\b/;

/** Options of pip that an action expresses in its own way. */
const UPGRADES = /^(?:-U|--upgrade)$/;
const REINSTALLS = /^--force-reinstall$/;
const INDEX = /^(?:-i|--index-url)$/;

/** Other options that pip and uv share: without a value, or with one. */
const ALONE = /^--(?:no-deps|no-build-isolation|no-cache-dir|pre)$/;
const WITH_VALUE = /^(?:-f|--(?:extra-index-url|find-links|no-binary|only-binary))$/;

const REQUIREMENT = /^[A-Za-z0-9][\w.-]*(?:\[[\w,.-]*\])?(?:(?:[=<>!~]=?=?)[\w.*+!-]+,?)*$/;

/** A placeholder for a version or a name. */
const LEFT_OPEN = /^[A-Z_]+$|[=<>~]=?[A-Z_]+$/;

/** The installation, if it is the entire command; undefined otherwise. */
function installIn(command: string): Install | undefined {
  const { statements, joints } = readLine(command);
  const [statement] = statements;
  if (statement === undefined || statements.length > 1 || joints.length > 0 || command.includes('#')) return undefined;
  const { program, words, sets, isRoot } = statement;
  const ofPip = /^python3?$/.test(program) && words[0] === '-m' ? words.slice(1) : [program, ...words];
  const [pip = '', verb, ...rest] = ofPip;
  if (!/^pip3?$/.test(pip) || verb !== 'install' || isRoot || Object.keys(sets).length > 0) return undefined;
  return installOf(rest);
}

function installOf(words: readonly string[]): Install | undefined {
  const requirements: string[] = [];
  const options: string[] = [];
  let url: string | undefined;
  let reinstalls = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (UPGRADES.test(word)) continue;
    if (REINSTALLS.test(word)) reinstalls = true;
    else if (INDEX.test(word)) url = words[++at];
    else if (ALONE.test(word)) options.push(word);
    else if (WITH_VALUE.test(word)) options.push(word, words[++at] ?? '');
    else if (REQUIREMENT.test(word) && !LEFT_OPEN.test(word)) requirements.push(word);
    else return undefined;
  }
  if (requirements.length === 0 || (url !== undefined && !URL.canParse(url))) return undefined;
  return {
    do: 'install',
    requirements,
    ...(url !== undefined && { index: { name: nameOf(url), url } }),
    ...(options.length > 0 && { options }),
    ...(reinstalls && { reinstalls }),
  };
}

/** The name of an index in project files: "pytorch-cu126" for "https://download.pytorch.org/whl/cu126". */
function nameOf(url: string): string {
  const { hostname, pathname } = new URL(url);
  const last = pathname.split('/').findLast((part) => part !== '');
  return [hostname.split('.').at(-2), last].filter((part) => part !== undefined).join('-');
}

/** Quoted words, or pip, Python and conda at the start of a statement, after its variables. */
const PROGRAMS =
  /("[^"]*"|'[^']*')|(^|&& |; |\| )((?:[A-Z_][A-Z0-9_]*=[^\s"';&|]+ )*)(?:(?:python3? -m )?pip3? (\w+)|(python3?)|(conda install))(?= |$)/g;

function called(command: string, facts: StackFacts): string {
  const { path, environment } = knownValue(facts.interpreter) ?? {};
  if (path === undefined) return command;
  const python = calling(path, shellOf(facts));
  return command.replace(
    PROGRAMS,
    (all, quoted?: string, before = '', sets = '', pip?: string, own?: string, conda?: string) => {
      if (quoted !== undefined) return all;
      const start = `${before}${sets}`;
      if (conda !== undefined)
        return inCondaEnvironment(facts) ? `${start}${`${conda} ${condaPlace(facts)}`.trimEnd()}` : all;
      if (own !== undefined) return `${start}${python}`;
      // A system's own Python must not be changed (PEP 668).
      if (environment === 'system') return all;
      return madeByUv(facts)
        ? `${start}uv pip ${pip} --python ${quotePath(path, shellOf(facts))}`
        : `${start}${python} -m pip ${pip}`;
    },
  );
}
