import { type InstallCommand, installCommandOf } from '../environment/shell/installCommand.ts';
import { readLine } from '../environment/shell/line.ts';
import { parseRequirement } from '../published/requirement.ts';
import { knownValue, type StackFacts } from '../stack/facts/facts.ts';
import type { Install } from './action.ts';
import { isLeftOpen } from './installing.ts';
import { calling, inShell, quotePath, shellOf } from './shells.ts';
import { condaPlace, inCondaEnvironment, usesUv, writeAction } from './writeAction.ts';

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

/** The installation, if it is the entire command; undefined otherwise. */
function installIn(command: string): Install | undefined {
  const { statements, joints } = readLine(command);
  const [statement] = statements;
  if (statement === undefined || statements.length > 1 || joints.length > 0 || command.includes('#')) return undefined;
  const { program, sets, isRoot } = statement;
  const install = installCommandOf(statement);
  const isPlain = /^(?:pip3?|python3?)$/.test(program) && !isRoot && Object.keys(sets).length === 0;
  return isPlain && install?.tool === 'pip' && !install.removes ? installOf(install) : undefined;
}

function installOf({ operands, options: written }: InstallCommand): Install | undefined {
  const requirements = operands.map(({ text }) => text);
  const options: string[] = [];
  let url: string | undefined;
  for (const { name, value = '' } of written) {
    if (INDEX.test(name)) url = value;
    else if (ALONE.test(name)) options.push(name);
    else if (WITH_VALUE.test(name)) options.push(name, value);
    else if (!UPGRADES.test(name) && !REINSTALLS.test(name)) return undefined;
  }
  const isPlain = requirements.length > 0 && requirements.every(isPlainRequirement);
  if (!isPlain || (url !== undefined && !URL.canParse(url))) return undefined;
  return {
    do: 'install',
    requirements,
    ...(url !== undefined && { index: { name: nameOf(url), url } }),
    ...(options.length > 0 && { options }),
    ...(written.some(({ name }) => REINSTALLS.test(name)) && { reinstalls: true }),
  };
}

/** True without placeholders, conditions and addresses, which other tools write in their own way. */
function isPlainRequirement(text: string): boolean {
  const parsed = isLeftOpen(text) ? undefined : parseRequirement(text);
  return parsed !== undefined && parsed.url === undefined && parsed.marker === '';
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
      return usesUv(facts)
        ? `${start}uv pip ${pip} --python ${quotePath(path, shellOf(facts))}`
        : `${start}${python} -m pip ${pip}`;
    },
  );
}
