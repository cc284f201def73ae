/** The one reader of commands that install packages. */
import type { LocatedSpan } from '../environmentFile.ts';
import type { ShellStatement, Word } from './line.ts';

/** A command that installs or removes packages. */
export interface InstallCommand {
  /** `project`: a tool that writes a project's own file. */
  readonly tool: 'pip' | 'uv pip' | 'conda' | 'project' | 'system';
  readonly removes: boolean;
  /** Packages, paths and addresses. */
  readonly operands: readonly Word[];
  readonly options: readonly InstallOption[];
}

/** An option of an installer, with its value if it takes one. */
interface InstallOption {
  /** As written: "-i", "--index-url". */
  readonly name: string;
  readonly value?: string;
  readonly span: LocatedSpan;
}

/** Options that take a value. */
const WITH_VALUE =
  /^(?:-[rcefitnpC]|--(?:requirements?|constraints?|editable|index-url|extra-index-url|pypi-url|find-links|index|default-index|source|target|prefix|platform|python-version|python|abi|implementation|root|src|log|timeout|retries|trusted-host|proxy|cache-dir|progress-bar|no-binary|only-binary|config-settings|global-option|build-option|upgrade-strategy|name|channel|file|torch-backend|root-user-action|reinstall-package|upgrade-package))$/;

const PIP = /^pip[\d.]*$/;
const PYTHON = /^py(?:thon[\d.]*)?$/;
const CONDA = /^(?:conda|mamba|micromamba)$/;
const SYSTEM = /^(?:apt|apt-get|yum|dnf|microdnf)$/;
const VERB = /^(?:install|uninstall|remove|create)$/;

/** Returns what a statement installs or removes; undefined for any other statement. */
export function installCommandOf({
  program,
  words,
}: Pick<ShellStatement, 'program' | 'words'>): InstallCommand | undefined {
  const [first = '', second = ''] = words.map(({ text }) => text);
  // A program that runs another one in an environment: `conda run -n gpu pip install`.
  const inner = first === 'run' ? words.findIndex(({ text }) => PIP.test(text) || PYTHON.test(text)) : -1;
  if (inner > 0) return installCommandOf({ program: words[inner]?.text ?? '', words: words.slice(inner + 1) });
  if (PYTHON.test(program))
    return first === '-m' ? installCommandOf({ program: second, words: words.slice(2) }) : undefined;
  const isUv = program === 'uv' && first === 'pip';
  if (PIP.test(program) || isUv) return commandOf(isUv ? 'uv pip' : 'pip', words);
  if (CONDA.test(program)) return commandOf('conda', words);
  if (SYSTEM.test(program)) return commandOf('system', words);
  const isProject =
    (/^(?:uv|poetry|pdm)$/.test(program) && first === 'add') ||
    (program === 'pixi' && first === 'add' && words.some(({ text }) => text === '--pypi')) ||
    (program === 'pipenv' && first === 'install');
  return isProject ? withOperands('project', false, words.slice(1)) : undefined;
}

function commandOf(tool: InstallCommand['tool'], words: readonly Word[]): InstallCommand | undefined {
  const verb = words.findIndex(({ text }) => VERB.test(text));
  const removes = /^(?:uninstall|remove)$/.test(words[verb]?.text ?? '');
  return verb < 0 ? undefined : withOperands(tool, removes, words.slice(verb + 1));
}

function withOperands(tool: InstallCommand['tool'], removes: boolean, words: readonly Word[]): InstallCommand {
  const operands: Word[] = [];
  const options: InstallOption[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) break;
    const [, name = word.text, joined] =
      /^(--[\w-]+)=(.*)$/s.exec(word.text) ?? /^(-[rc])([^-].*)$/s.exec(word.text) ?? [];
    if (!name.startsWith('-')) operands.push(word);
    else {
      const follower = joined === undefined && WITH_VALUE.test(name) ? words[++at] : undefined;
      const value = joined ?? follower?.text;
      options.push({ name, value, span: { start: word.span.start, end: (follower ?? word).span.end } });
    }
  }
  return { tool, removes, operands, options };
}
