import { relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { Selection } from '../rules/check.ts';
import { slashed } from './paths.ts';

/** A function that restores a checkpoint as `torch.load` does, and which of its parameters names the device. */
export interface LoaderSetting {
  /** Qualified name, such as `mylib.io.load_ckpt`. */
  readonly name: string;
  readonly deviceParameter: string;
  /** 0-based position of that parameter, where it can be given by position. */
  readonly position?: number;
}

/** Names of a project's own that mean "a GPU is there". */
export interface GuardSettings {
  readonly decorators: readonly string[];
  readonly functions: readonly string[];
  readonly variables: readonly string[];
}

/** How a project wants to be judged. */
export interface Settings extends Selection {
  /** The folder that the patterns are relative to: that of the configuration file. */
  readonly folder: string;
  readonly exclude: readonly string[];
  readonly perFileIgnores: Readonly<Record<string, readonly string[]>>;
  readonly loaders: readonly LoaderSetting[];
  readonly guards: GuardSettings;
}

/** The settings of a project that says nothing. */
export function defaultSettings(folder: string): Settings {
  return {
    folder,
    exclude: [],
    perFileIgnores: {},
    loaders: [],
    guards: { decorators: [], functions: [], variables: [] },
  };
}

/** The selection of rules for one file: the project's, less what it ignores there. */
export function selectionFor(settings: Settings, path: string): Selection {
  const ignored = Object.entries(settings.perFileIgnores).flatMap(([pattern, codes]) =>
    matches([pattern], settings.folder, path) ? codes : [],
  );
  const { select, severity } = settings;
  if (ignored.length === 0) return { select, severity, ignore: settings.ignore };
  // What a file ignores holds whatever longer prefix selects a rule for the rest of the project.
  const isIgnored = (code: string) => ignored.some((prefix) => code.startsWith(prefix));
  const selected = select?.filter((prefix) => !isIgnored(prefix));
  return { select: selected, severity, ignore: [...(settings.ignore ?? []), ...ignored] };
}

/** True when the project leaves the file or folder out. A folder's path ends with a separator. */
export function isExcluded(settings: Settings, path: string): boolean {
  return settings.exclude.length > 0 && matches(settings.exclude, settings.folder, path);
}

const matchers = new WeakMap<readonly string[], Ignore>();

/** True when a path below `folder` matches one of the patterns, which are written as in `.gitignore`. */
function matches(patterns: readonly string[], folder: string, path: string): boolean {
  const way = relative(folder, path);
  if (way === '' || way.startsWith('..')) return false;
  let matcher = matchers.get(patterns);
  if (!matcher) {
    matcher = ignore({ ignorecase: false }).add(patterns);
    matchers.set(patterns, matcher);
  }
  return matcher.ignores(slashed(path.endsWith(sep) ? `${way}${sep}` : way));
}
