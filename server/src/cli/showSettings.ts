import { dirname, resolve } from 'node:path';
import { stringify } from 'yaml';
import { patternsByKind } from '../environment/kinds.ts';
import { type ChoicesIn, findFiles } from '../files/findFiles.ts';
import { shownPath, slashed } from '../files/paths.ts';
import { allRules } from '../lint/allRules.ts';
import { UNUSED_SUPPRESSION } from '../lint/ruleNames.ts';
import { isSelected } from '../rules/engine/selection.ts';
import { configurationFileOf } from '../settings/configuration.ts';
import { choiceOf, optionsFor } from '../settings/settings.ts';
import type { CheckRequest } from './checkRequest.ts';
import { FAILED } from './exitStatus.ts';
import { projectSettings } from './projectSettings.ts';
import { writeError } from './standardError.ts';

/** Prints the settings for the first file as YAML, with every rule and its severity there. */
export async function showSettings({ paths, input, overrides }: CheckRequest): Promise<number> {
  const settingsIn = await projectSettings(overrides);
  const choicesIn: ChoicesIn = async (folder) => {
    const settings = await settingsIn(folder);
    return (path) => choiceOf(settings, path);
  };
  const found = input ? [resolve(input.name ?? 'stdin.py')] : (await findFiles(paths, choicesIn)).files;
  const [file] = found;
  if (file === undefined) {
    writeError('No Python files, notebooks or environment files found.\n');
    return FAILED;
  }
  const folder = dirname(file);
  const settings = await settingsIn(folder);
  const { select, ignore, severity = {}, origin } = optionsFor(settings, file);
  const named = overrides.config === undefined ? undefined : resolve(overrides.config);
  const configuration = overrides.isolated ? undefined : (named ?? (await configurationFileOf(folder)));
  const rules = [...allRules, { code: UNUSED_SUPPRESSION, severity: 'hint' } as const].map((rule) => {
    const level = severity[rule.code];
    const isOn = isSelected(rule, { select, ignore, severity });
    return [rule.code, isOn ? (level ?? rule.severity) : 'off'] as const;
  });
  const shown = (path: string | undefined) => (path === undefined ? null : slashed(shownPath(path)));
  const { guardNames, loaders, perFileIgnores, exclude, include, excludedHere, vendored, baseline } = settings;
  const text = stringify({
    file: shown(file),
    configuration: shown(configuration),
    'only-hints': origin?.copied && `yes: ${origin.copied.because}`,
    baseline: shown(baseline),
    exclude: [...exclude, ...(excludedHere?.patterns ?? [])],
    include,
    vendored,
    'per-file-ignores': perFileIgnores,
    loaders,
    guards: Object.fromEntries(Object.entries(guardNames).map(([kind, names]) => [kind, [...names]])),
    rules: Object.fromEntries(rules),
    files: patternsByKind(),
  });
  process.stdout.write(text);
  return 0;
}
