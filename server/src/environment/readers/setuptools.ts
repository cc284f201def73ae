import type { Call, Expression, Statement } from '../../python/syntax/nodes.ts';
import { parseModule } from '../../python/syntax/parse.ts';
import {
  type EnvironmentFile,
  installationOf,
  type LocatedSpan,
  type Requirement,
  type SpannedText,
  type VersionRange,
} from '../environmentFile.ts';
import { readRequirement, spannedText } from '../requirement.ts';
import type { Includes } from './includes.ts';
import { installedBy } from './pipList.ts';

/** `setup.py`: the literal arguments of its `setup` call. Nothing is executed. */

export function readSetupPy(text: string, { textAt }: Includes): EnvironmentFile {
  const { body, comments } = parseModule(text);
  const statements = [...statementsIn(body)];
  const values = literalsOf(statements);
  const resolved = (value: Expression | undefined) => literalOf(value, values);
  const call = statements.map(setupIn).find((each) => each !== undefined);
  const argument = (name: string) => resolved(call?.keywords.find(({ arg }) => arg === name)?.value);
  const list = (value: Expression | undefined): Requirement[] =>
    textsIn(text, resolved(value)).flatMap((each) => readRequirement(each.text, each.span.start) ?? []);
  const own = list(argument('install_requires'));
  const extras = argument('extras_require');
  const groups = extras?.kind === 'Dict' ? extras.values.map(list) : [];
  const [range] = textsIn(text, argument('python_requires'));
  const python: { python?: VersionRange } = range ? { python: { specifier: range.text, span: range.span } } : {};
  const isPartial = argument('install_requires')?.kind !== 'List';
  const found = call && body.find(importsTorch);
  const imported = found && !declaresTorch(textAt('pyproject.toml', found)?.text) ? found : undefined;
  const build = imported && { buildImportsTorch: { start: imported.start, end: imported.end } };
  return {
    kind: 'setupPy',
    installations: [own, ...groups.filter(({ length }) => length > 0).map((group) => [...own, ...group])].map(
      (requirements) => installationOf(requirements, { isPartial, ...python, ...build }),
    ),
    comments,
    errors: [],
  };
}

/** Returns the statements in source order, including those in blocks. */
function* statementsIn(body: readonly Statement[]): Generator<Statement> {
  for (const statement of body) {
    yield statement;
    if ('body' in statement && Array.isArray(statement.body)) yield* statementsIn(statement.body);
    if ('orelse' in statement && Array.isArray(statement.orelse)) yield* statementsIn(statement.orelse);
  }
}

function setupIn(statement: Statement): Call | undefined {
  if (statement.kind !== 'Expr' || statement.value.kind !== 'Call') return undefined;
  const { func } = statement.value;
  const name = func.kind === 'Name' ? func.id : func.kind === 'Attribute' ? func.attr : undefined;
  return name === 'setup' ? statement.value : undefined;
}

/** True if `pyproject.toml` names torch among its build requirements. */
function declaresTorch(text = ''): boolean {
  return /^\[build-system\][^[]*(?:\[[^\]]*\btorch\b|\btorch\b)/m.test(text);
}

/** Finds `import torch` or `from torch...`; in a `try`, a missing torch may be handled. */
function importsTorch(statement: Statement): boolean {
  const names =
    statement.kind === 'Import'
      ? statement.names.map(({ name }) => name)
      : statement.kind === 'ImportFrom'
        ? [statement.module ?? '']
        : [];
  return names.some((name) => name === 'torch' || name.startsWith('torch.'));
}

/** Names that are assigned only once, to a literal, and never modified. */
function literalsOf(statements: readonly Statement[]): Map<string, Expression> {
  const found = new Map<string, Expression>();
  const again = new Set<string>();
  for (const statement of statements) {
    const [target] = statement.kind === 'Assign' ? statement.targets : [];
    if (statement.kind === 'AugAssign' && statement.target.kind === 'Name') again.add(statement.target.id);
    if (statement.kind !== 'Assign' || target?.kind !== 'Name') continue;
    if (found.has(target.id)) again.add(target.id);
    found.set(target.id, statement.value);
  }
  for (const name of again) found.delete(name);
  return found;
}

/** Follows names and the keys of displays, such as `install_requires = requirements["install"]`, to the literal. */
function literalOf(
  value: Expression | undefined,
  values: ReadonlyMap<string, Expression>,
  steps = MAX_STEPS,
): Expression | undefined {
  if (value?.kind === 'Name' && steps > 0) return literalOf(values.get(value.id), values, steps - 1);
  if (value?.kind !== 'Subscript') return value;
  const table = steps > 0 ? literalOf(value.value, values, steps - 1) : undefined;
  if (table?.kind !== 'Dict') return undefined;
  const key = textOfKey(value.slice);
  const index = table.keys.findLastIndex((each) => key !== undefined && textOfKey(each) === key);
  return literalOf(table.values[index], values, steps - 1);
}

const textOfKey = (node: Expression | undefined): string | undefined =>
  node?.kind === 'Constant' && node.type === 'str' ? node.value : undefined;

/** Names may refer to themselves. */
const MAX_STEPS = 8;

/** Returns the strings in a list, or a single string, except strings with escapes or with several parts. */
function textsIn(text: string, value: Expression | undefined): SpannedText[] {
  const items = value?.kind === 'List' || value?.kind === 'Tuple' ? value.elts : value ? [value] : [];
  return items.flatMap((item) => {
    if (item.kind !== 'Constant' || item.type !== 'str') return [];
    const at = text.slice(item.start, item.end).indexOf(item.value);
    return at < 0 || at > 3 ? [] : [spannedText(item.value, item.start + at)];
  });
}

/** setuptools' `setup.cfg`: `install_requires`, `extras_require` and `python_requires`. */

interface Entry {
  readonly section: string;
  readonly key: string;
  /** The lines of the value, each with its offset. */
  readonly lines: SpannedText[];
}

export function readSetupCfg(text: string, { listAt }: Includes): EnvironmentFile {
  const { entries, comments } = readIni(text);
  let isPartial = false;
  const requirementsOf = ({ lines }: Entry) =>
    lines.flatMap(({ text: line, span }): Requirement[] => {
      const files = /^file:\s*(.*)$/.exec(line)?.[1];
      if (files === undefined) return [readRequirement(line, span.start) ?? []].flat();
      const lists = files.split(/\s*,\s*/).map((path) => listAt(path.trim(), span));
      isPartial ||= lists.some((each) => each.isPartial);
      return lists.flatMap(installedBy);
    });
  const find = (section: string, key: string) => entries.find((each) => each.section === section && each.key === key);
  const install = find('options', 'install_requires');
  const own = install ? requirementsOf(install) : [];
  const range = find('options', 'python_requires')?.lines[0];
  const python = range && { python: { specifier: range.text.trim(), span: range.span } };
  const extras = entries.filter(({ section }) => section === 'options.extras_require');
  const installations = [own, ...extras.map((extra) => [...own, ...requirementsOf(extra)])];
  return {
    kind: 'setupCfg',
    installations: installations.map((requirements) => installationOf(requirements, { isPartial, ...python })),
    comments,
    errors: [],
  };
}

/** Reads entries like Python's configparser: an indented line continues the value above. */
function readIni(text: string): { entries: readonly Entry[]; comments: readonly LocatedSpan[] } {
  const entries: Entry[] = [];
  const comments: LocatedSpan[] = [];
  let section = '';
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    const comment = /^\s*[#;]|\s#/.exec(line);
    const isWhole = comment !== null && /^\s*[#;]/.test(line);
    if (comment) {
      const start = index + line.indexOf(isWhole ? line.trim().charAt(0) : '#', comment.index);
      comments.push({ start, end: index + line.trimEnd().length });
    }
    const bare = comment ? line.slice(0, comment.index) : line;
    if (bare.trim() === '') continue;
    const head = /^\[([^\]]+)\]/.exec(bare)?.[1];
    const [all, key, first = ''] = /^([^\s=:][^=:]*?)\s*[=:]\s*(.*)$/.exec(bare) ?? [];
    if (head !== undefined) section = head.trim();
    else if (/^\s/.test(bare))
      entries.at(-1)?.lines.push(spannedText(bare.trim(), index + bare.length - bare.trimStart().length));
    else if (all !== undefined && key !== undefined) {
      const lines = first.trim() === '' ? [] : [spannedText(first.trimEnd(), index + bare.length - first.length)];
      entries.push({ section, key, lines });
    }
  }
  return { entries, comments };
}
