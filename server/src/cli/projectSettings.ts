import { resolve } from 'node:path';
import { nearestRule, prefixOfRules } from '../lint/ruleNames.ts';
import { findConfigurations, namedSettings } from '../settings/configuration.ts';
import { defaultSettings, override, type Settings } from '../settings/settings.ts';
import { UsageError } from './usage.ts';

/** What the command line says about settings; it goes before what the project says. */
export interface Overrides {
  readonly config?: string;
  readonly isolated: boolean;
  readonly select?: readonly string[];
  readonly extendSelect?: readonly string[];
  readonly ignore?: readonly string[];
  /** Patterns instead of the project's `exclude`. */
  readonly exclude?: readonly string[];
  /** Patterns as well. */
  readonly extendExclude?: readonly string[];
  /** Judges code that the project did not write as its own. */
  readonly includesVendored?: boolean;
}

/** Answers with the settings that hold for the files of a folder. */
export type SettingsIn = (folder: string) => Promise<Settings>;

/** The settings of the project as the command line changes them. Throws a `ConfigurationError` for the named file. */
export async function projectSettings(overrides: Overrides): Promise<SettingsIn> {
  const here = process.cwd();
  const { includesVendored = false } = overrides;
  const patterns = [...(overrides.exclude ?? []), ...(overrides.extendExclude ?? [])];
  const exclusion = {
    ...(overrides.exclude && { exclude: [] }),
    ...(patterns.length > 0 && { excludedHere: { folder: here, patterns } }),
  };
  const overriddenBy = (settings: Settings): Settings => ({
    ...override(settings, overrides),
    ...exclusion,
    includesVendored,
  });
  if (overrides.isolated) {
    const settings = overriddenBy(defaultSettings(here));
    return async () => settings;
  }
  if (overrides.config !== undefined) {
    // Patterns of a file that may lie anywhere are about the folder that the command is run in.
    const settings = overriddenBy(await namedSettings(resolve(overrides.config), here));
    return async () => settings;
  }
  const { settingsIn } = findConfigurations();
  const overridden = new WeakMap<Settings, Settings>();
  return async (folder) => {
    const settings = await settingsIn(folder);
    const known = overridden.get(settings) ?? overriddenBy(settings);
    overridden.set(settings, known);
    return known;
  };
}

/** The codes of `--select A,B --select C`, or beginnings of codes. Throws a `UsageError` for what stands for no rule. */
export function readRules(option: string, values: readonly string[] | undefined): string[] | undefined {
  return readList(values)?.map((written) => {
    const code = prefixOfRules(written);
    if (code !== undefined) return code;
    const likely = nearestRule(written);
    throw new UsageError(`\`${option} ${written}\` is no rule${likely ? `: did you mean \`${likely}\`?` : ''}`);
  });
}

/** The parts of comma-separated values. */
export function readList(values: readonly string[] | undefined): string[] | undefined {
  return values?.flatMap((value) => value.split(',')).map((part) => part.trim());
}
