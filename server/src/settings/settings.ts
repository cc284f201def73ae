import { dirname, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { FileChoice } from '../files/findFiles.ts';
import { IGNORES_CASE, isBelow, slashed } from '../files/paths.ts';
import { projectRoot } from '../files/projectRoot.ts';
import type { GuardNames } from '../guards/testEvidence.ts';
import type { LintOptions } from '../lint/lint.ts';
import { type Origin, originOf } from '../lint/vendored.ts';
import type { Selection } from '../rules/engine/selection.ts';

/** A function that restores a checkpoint like `torch.load`, and its parameter for the device. */
interface LoaderSetting {
  /** Qualified name, such as `mylib.io.load_ckpt`. */
  readonly name: string;
  readonly 'device-parameter': string;
  /** 0-based position of that parameter, if it is positional. */
  readonly position?: number;
}

/** The settings of a project. */
export interface Settings extends Selection {
  /** The folder that the patterns are relative to: the one that contains the configuration file. */
  readonly folder: string;
  readonly exclude: readonly string[];
  /** Patterns of files that are checked although their names do not say what they are. */
  readonly include: readonly string[];
  /** Patterns from the command line, relative to the current folder. */
  readonly excludedHere?: { readonly folder: string; readonly patterns: readonly string[] };
  readonly perFileIgnores: Readonly<Record<string, readonly string[]>>;
  readonly loaders: readonly LoaderSetting[];
  /** Folders of code that the project did not write, in addition to folders with known names; `!` excludes a folder. */
  readonly vendored: readonly string[];
  /** Absolute path of the file with accepted findings: see `baseline.ts`. */
  readonly baseline?: string;
  /** The project's own names that mean "a GPU is available". */
  readonly guardNames: GuardNames;
}

export function defaultSettings(folder: string): Settings {
  return {
    folder,
    exclude: [],
    include: [],
    perFileIgnores: {},
    loaders: [],
    vendored: [],
    guardNames: { decorators: new Set(), functions: new Set(), variables: new Set() },
  };
}

/** The user's selection of rules, in addition to the project's. */
interface SelectionOverride extends Selection {
  /** Rules to select in addition. */
  readonly extendSelect?: readonly string[] | undefined;
}

/** Selects the rules that are on by default. */
const DEFAULT_SELECTION = '';

/**
 * Applies the user's selection to a project's settings. `select` replaces the project's selected and ignored rules, and
 * re-enables a rule that the project switches off, as `extendSelect` does; `ignore` is added; severities apply rule by
 * rule.
 */
export function override(settings: Settings, { select, extendSelect, ignore, severity }: SelectionOverride): Settings {
  const wanted = [...(select ?? []), ...(extendSelect ?? [])];
  const isWanted = (code: string) => wanted.some((prefix) => code.startsWith(prefix));
  const selected = select ?? settings.select;
  const levels = Object.entries(settings.severity ?? {}).filter(([code, level]) => level !== 'off' || !isWanted(code));
  return {
    ...settings,
    select: extendSelect ? [...(selected ?? [DEFAULT_SELECTION]), ...extendSelect] : selected,
    ignore: [...((!select && settings.ignore) || []).filter((prefix) => !isWanted(prefix)), ...(ignore ?? [])],
    severity: { ...Object.fromEntries(levels), ...severity },
  };
}

/** Returns the options for one file: the project's options, without the rules that it ignores in that file. */
export function optionsFor(settings: Settings, path: string, folders: readonly string[] = []): LintOptions {
  const { select, ignore, severity, guardNames, loaders } = settings;
  const ignored = Object.entries(settings.perFileIgnores).flatMap(([pattern, codes]) =>
    // `!` negates the whole pattern, as in Ruff.
    matches([pattern.replace(/^!/, '')], settings.folder, path) !== pattern.startsWith('!') ? codes : [],
  );
  const root = projectRoot(dirname(path)) ?? undefined;
  const origin = originIn(settings, path, folders);
  if (ignored.length === 0) return { select, ignore, severity, guardNames, loaders, root, origin };
  // A per-file ignore applies even if a longer prefix selects the rule for the rest of the project.
  const isIgnored = (code: string) => ignored.some((prefix) => code.startsWith(prefix));
  const selected = select?.filter((prefix) => !isIgnored(prefix));
  return { select: selected, ignore: [...(ignore ?? []), ...ignored], severity, guardNames, loaders, root, origin };
}

/** Returns the origin of a file according to the settings. */
function originIn({ vendored, folder }: Settings, path: string, folders: readonly string[]): Origin {
  const own = vendored.flatMap((pattern) => (pattern.startsWith('!') ? pattern.slice(1) : []));
  if (own.length > 0 && matches(own, folder, path)) return {};
  const foreign = vendored.filter((pattern) => !pattern.startsWith('!'));
  if (foreign.length > 0 && matches(foreign, folder, path))
    return { copied: { because: 'its folder is listed in the setting `vendored`' } };
  return originOf(path, folders);
}

/** True if the project excludes the file or folder. A folder's path ends with a separator. */
export function isExcluded(settings: Settings, path: string): boolean {
  const { exclude, folder, excludedHere } = settings;
  return (
    (exclude.length > 0 && matches(exclude, folder, path)) ||
    (excludedHere !== undefined && matches(excludedHere.patterns, excludedHere.folder, path))
  );
}

/** Returns what the project chooses about a file or folder. A folder's path ends with a separator. */
export function choiceOf(settings: Settings, path: string): FileChoice {
  if (isExcluded(settings, path)) return 'excluded';
  const { include, folder } = settings;
  return include.length > 0 && matches(include, folder, path) ? 'included' : 'byName';
}

const matchers = new Map<string, Ignore>();

/** True if a path below `folder` matches one of the patterns, in the syntax of `.gitignore`. */
function matches(patterns: readonly string[], folder: string, path: string): boolean {
  if (!isBelow(path, folder)) return false;
  const way = relative(folder, path);
  const key = patterns.join('\n');
  const matcher = matchers.get(key) ?? ignore({ ignorecase: IGNORES_CASE }).add(key);
  matchers.set(key, matcher);
  return matcher.ignores(slashed(path.endsWith(sep) ? `${way}${sep}` : way));
}
