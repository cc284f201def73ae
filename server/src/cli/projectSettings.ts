import { resolve } from 'node:path';
import { allRules } from '../project/allRules.ts';
import { findConfigurations, namedSettings } from '../project/configuration.ts';
import { nearest } from '../project/nearest.ts';
import { defaultSettings, override, type Settings } from '../project/settings.ts';
import { UNUSED_SUPPRESSION } from '../project/unusedSuppressions.ts';
import { UsageError } from './usage.ts';

/** What the command line says about settings; it goes before what the project says. */
export interface Overrides {
  readonly config?: string;
  readonly isolated: boolean;
  readonly select?: readonly string[];
  readonly ignore?: readonly string[];
  /** Judges code that the project did not write as its own. */
  readonly includesVendored?: boolean;
}

/** Answers with the settings that hold for the files of a folder. */
export type SettingsIn = (folder: string) => Promise<Settings>;

/** The settings of the project as the command line changes them. Throws a `ConfigurationError` for the named file. */
export async function projectSettings(overrides: Overrides): Promise<SettingsIn> {
  const here = process.cwd();
  const { includesVendored = false } = overrides;
  const overriddenBy = (settings: Settings): Settings => ({ ...override(settings, overrides), includesVendored });
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

/** The codes of `--select A,B --select C`. Throws a `UsageError` for one that stands for no rule. */
export function readCodes(option: string, values: readonly string[] | undefined): string[] | undefined {
  const known = [...allRules.map(({ code }) => code), UNUSED_SUPPRESSION];
  const codes = values?.flatMap((value) => value.split(',')).map((code) => code.trim().toUpperCase());
  for (const code of codes ?? []) {
    if (code !== '' && known.some((rule) => rule.startsWith(code))) continue;
    const likely = nearest(code, known);
    throw new UsageError(`\`${option} ${code}\` is no rule${likely ? `: did you mean \`${likely}\`?` : ''}`);
  }
  return codes;
}
