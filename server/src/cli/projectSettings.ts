import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { nearestRule, prefixOfRules } from '../lint/ruleNames.ts';
import { findConfigurations, namedSettings } from '../settings/configuration.ts';
import { defaultSettings, override, type Settings } from '../settings/settings.ts';
import { UsageError } from './usage.ts';

/** Settings from the command line, which take precedence over the project's. */
export interface Overrides {
  readonly config?: string;
  readonly isolated: boolean;
  readonly select?: readonly string[];
  readonly extendSelect?: readonly string[];
  readonly ignore?: readonly string[];
  /** Patterns that replace the project's `exclude`. */
  readonly exclude?: readonly string[];
  /** Additional patterns. */
  readonly extendExclude?: readonly string[];
}

/** Returns the settings for the files of a folder. */
export type SettingsIn = (folder: string) => Promise<Settings>;

/** The settings of the project with the command line's changes. Throws a `ConfigurationError` for the named file. */
export async function projectSettings(overrides: Overrides): Promise<SettingsIn> {
  const here = process.cwd();
  const patterns = [...(overrides.exclude ?? []), ...(overrides.extendExclude ?? [])];
  const exclusion = {
    ...(overrides.exclude && { exclude: [] }),
    ...(patterns.length > 0 && { excludedHere: { folder: here, patterns } }),
  };
  const overriddenBy = (settings: Settings): Settings => ({
    ...override(settings, overrides),
    ...exclusion,
  });
  if (overrides.isolated) {
    const settings = overriddenBy(defaultSettings(here));
    return async () => settings;
  }
  if (overrides.config !== undefined) {
    if (!existsSync(overrides.config))
      throw new UsageError(`\`--config\`: the file ${overrides.config} does not exist`);
    // Patterns in an explicitly named file are relative to the current folder.
    const settings = overriddenBy(await namedSettings(resolve(overrides.config), here));
    return async () => settings;
  }
  const { of: settingsIn } = findConfigurations();
  const overridden = new WeakMap<Settings, Settings>();
  return async (folder) => {
    const settings = await settingsIn(folder);
    const known = overridden.get(settings) ?? overriddenBy(settings);
    overridden.set(settings, known);
    return known;
  };
}

/** The codes, or prefixes of codes, in `--select A,B --select C`. Throws a `UsageError` for an unknown rule. */
export function readRules(option: string, values: readonly string[] | undefined): string[] | undefined {
  return readList(values)?.map((written) => {
    const code = prefixOfRules(written);
    if (code !== undefined) return code;
    const likely = nearestRule(written);
    throw new UsageError(`\`${option}\`: \`${written}\` is not a rule${likely ? `: did you mean \`${likely}\`?` : ''}`);
  });
}

/** The parts of comma-separated values. */
export function readList(values: readonly string[] | undefined): string[] | undefined {
  return values?.flatMap((value) => value.split(',')).map((part) => part.trim());
}
