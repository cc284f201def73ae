import { readCondaSpec } from '../environment/condaSpec.ts';
import type { Requirement } from '../environment/environmentFile.ts';
import { readRequirement } from '../environment/requirement.ts';
import { type InstallCommand, installCommandOf } from '../environment/shell/installCommand.ts';
import type { ShellStatement } from '../environment/shell/line.ts';
import { normalized } from '../published/packageName.ts';

/** A requested package; an unknown version counts as any. */
export type Asked = Requirement & { readonly specifier: string };

/** The packages that a command installs into a Python environment. */
export interface Installing {
  readonly from: 'pypi' | 'conda';
  readonly asked: readonly Asked[];
  /** The last part of the index that is used instead of PyPI, such as "cu124" or "rocm6.4"; undefined: PyPI. */
  readonly index?: string;
  /** True if files on a page or in a folder, which GPU Doctor does not know, are candidates, too. */
  readonly isOpen: boolean;
  /** True if nothing that the packages require is installed along. */
  readonly isAlone: boolean;
  /** True if installed packages stay unchanged. */
  readonly keeps: boolean;
}

const INDEX = /^(?:-i|--(?:index-url|index|default-index))$/;
const PAGE = /^(?:-f|--(?:find-links|extra-index-url|source))$/;
const REPLACES = /^(?:-U|--upgrade|--force-reinstall|--reinstall\S*|--upgrade-package)$/;

/** Returns the packages that a statement installs; undefined for any other statement. */
export function installedByStatement(statement: ShellStatement): Installing | undefined {
  const command = installCommandOf(statement);
  if (command === undefined || command.removes || command.tool === 'system') return undefined;
  if (command.tool !== 'conda') return fromPypi(command);
  // Channels are not inspected; only the names and versions count.
  const asked = command.operands.flatMap(({ text }) => askedBy(readCondaSpec(text, 0)));
  return { from: 'conda', asked, isOpen: true, isAlone: false, keeps: true };
}

/** The names of the packages that a statement uninstalls. */
export function removedByStatement(statement: ShellStatement): string[] {
  const command = installCommandOf(statement);
  return command?.removes ? command.operands.map(({ text }) => normalized(text)) : [];
}

function fromPypi({ operands, options }: InstallCommand): Installing {
  const named = operands.filter(({ text }) => !isLeftOpen(text)).map(({ text }) => readRequirement(text, 0));
  const asked = named.flatMap(askedBy);
  let index: string | undefined;
  let isOpen = asked.length < named.length;
  for (const { name, value } of options) {
    if (value === undefined) continue;
    const address = value.replace(/^[\w-]+=(?=https?:)/, '');
    if (INDEX.test(name) && /^https:\/\/download\.pytorch\.org\/whl\//.test(address))
      index = address.replace(/\/+$/, '').replace(/^.*\/whl\//, '');
    else if (INDEX.test(name) || PAGE.test(name)) isOpen = true;
  }
  const isAlone = options.some(({ name }) => name === '--no-deps');
  return { from: 'pypi', asked, index, isOpen, isAlone, keeps: !options.some(({ name }) => REPLACES.test(name)) };
}

/** None for a path or an address. */
function askedBy(requirement: Requirement | undefined): Asked[] {
  if (requirement === undefined || requirement.url !== undefined) return [];
  return [{ ...requirement, specifier: requirement.specifier ?? '' }];
}

/** True for a placeholder for a package or a version. */
export function isLeftOpen(word: string): boolean {
  return /^[A-Z_]+$|[=<>~]=?[A-Z_]+$/.test(word);
}
