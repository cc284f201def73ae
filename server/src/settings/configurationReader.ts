import { basename, resolve } from 'node:path';
import type { core } from 'zod';
import { byCode, prefixOfRules } from '../lint/ruleNames.ts';
import { type Located, locateYaml, type Path } from '../located/located.ts';
import { locateToml } from '../located/toml.ts';
import { KINDS, kindOf, pathName, placeOf, valueAt } from '../located/values.ts';
import { nearest } from '../nearest.ts';
import type { Span } from '../python/semantic/source.ts';
import { configurationSchema, namesAt, type RawConfiguration } from './configurationSchema.ts';
import { defaultSettings, type Settings } from './settings.ts';

export interface ConfigurationProblem {
  /** A clause: "there is no setting `selct`: did you mean `select`?" */
  readonly message: string;
  readonly span: Span;
  /** 1-based position of the span's start; columns are in characters. */
  readonly line: number;
  readonly column: number;
  /** The name that was probably meant in the span. */
  readonly meant?: string;
}

export interface ConfigurationReading {
  /** Absent if the file has no settings for GPU Doctor or has problems. */
  readonly settings?: Settings;
  readonly problems: readonly ConfigurationProblem[];
}

/** Matches our TOML table or key even if the file cannot be parsed. */
const OUR_TABLE = /^\s*\[*\s*tool\s*\.\s*["']?gpu-doctor(?![\w-])/m;

/** Reads the text of a configuration file. */
export function readConfigurationText(path: string, text: string, folder: string): ConfigurationReading {
  const isToml = path.endsWith('.toml');
  const located = isToml ? locateToml(text, ['tool', 'gpu-doctor']) : locateYaml(text);
  const problem = (message: string, span: Span, meant?: string): ConfigurationProblem => ({
    message,
    span,
    ...placeOf(text, span.start),
    meant,
  });
  if (located.errors.length > 0) {
    // A mistake in another tool's part of pyproject.toml.
    if (isToml && !OUR_TABLE.test(text)) return { problems: [] };
    const kind = isToml ? 'TOML' : 'YAML';
    return { problems: located.errors.map(({ message, span }) => problem(`not ${kind}: ${message}`, span)) };
  }
  if (isToml && located.value === undefined) return { problems: [] };
  // An empty YAML file is one without settings.
  const parsed = configurationSchema.safeParse(located.value ?? {});
  if (parsed.success) return { settings: settingsOf(parsed.data, folder), problems: [] };
  const problems = parsed.error.issues.flatMap((issue) => describe(issue, located, basename(path)));
  const inOrder = problems.sort((a, b) => a.span.start - b.span.start);
  return { problems: inOrder.map(({ message, span, meant }) => problem(message, span, meant)) };
}

/** Returns the code or prefix that a selector of the schema means. */
const toCode = (selector: string): string => prefixOfRules(selector) ?? selector;

function settingsOf(raw: RawConfiguration, folder: string): Settings {
  const defaults = defaultSettings(folder);
  return {
    folder,
    select: raw.select?.map(toCode),
    ignore: raw.ignore?.map(toCode),
    severity: raw.severity && (byCode(raw.severity) as Settings['severity']),
    exclude: raw.exclude ?? defaults.exclude,
    include: raw.include ?? defaults.include,
    perFileIgnores: Object.fromEntries(
      Object.entries(raw['per-file-ignores'] ?? {}).map(([pattern, rules]) => [pattern, rules.map(toCode)]),
    ),
    loaders: raw.loaders ?? defaults.loaders,
    vendored: raw.vendored ?? defaults.vendored,
    baseline: raw.baseline === undefined ? undefined : resolve(folder, raw.baseline),
    guardNames: {
      decorators: new Set(raw.guards?.decorators),
      functions: new Set(raw.guards?.functions),
      variables: new Set(raw.guards?.variables),
    },
  };
}

interface Described {
  readonly message: string;
  readonly span: Span;
  readonly meant?: string | undefined;
}

function describe(issue: core.$ZodIssue, located: Located, file: string): Described[] {
  const { path } = issue;
  const name = pathName(path);
  const written = valueAt(located.value, path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const kind = path[0] === 'severity' ? 'rule' : 'setting';
      const where = name === '' || kind === 'rule' ? '' : ` in \`${name}\``;
      return issue.keys.map((key) => ({
        message: `there is no ${kind} \`${key}\`${where}${suggestion(kind, key, namesAt(path))}`,
        span: located.keyAt([...path, key]),
        meant: nearest(key, namesAt(path)),
      }));
    }
    case 'invalid_value':
      return [
        {
          message: invalidValue(written, path, name),
          span: located.valueAt(path),
          meant: typeof written === 'string' ? nearest(written, namesAt(path)) : undefined,
        },
      ];
    case 'invalid_type': {
      const kind = KINDS[issue.expected] ?? issue.expected;
      const last = path.at(-1);
      if (written === undefined && path.length > 0) {
        return [
          { message: `\`${pathName(path.slice(0, -1))}\` lacks \`${String(last)}\``, span: located.valueAt(path) },
        ];
      }
      const subject = name === '' ? file : `\`${name}\``;
      return [{ message: `${subject} must be ${kind}, not ${kindOf(written)}`, span: located.valueAt(path) }];
    }
    case 'invalid_key': {
      const around = pathName(path.slice(0, -1));
      return [{ message: `a name in \`${around}\` ${issue.issues[0]?.message}`, span: located.keyAt(path) }];
    }
    default:
      return [{ message: `\`${name}\` ${issue.message}`, span: located.valueAt(path) }];
  }
}

function invalidValue(written: unknown, path: Path, name: string): string {
  const names = namesAt(path);
  if (typeof written !== 'string') return `\`${name}\` must be text, not ${kindOf(written)}`;
  if (path[0] === 'severity') return `\`${written}\` is not a severity: use one of ${names.join(', ')}`;
  return `there is no rule \`${written}\`${suggestion('rule', written, names)}`;
}

function suggestion(kind: 'rule' | 'setting', written: string, names: readonly string[]): string {
  const likely = nearest(written, names);
  if (likely !== undefined) return `: did you mean \`${likely}\`?`;
  return kind === 'rule' ? ': see `gpu-doctor rule`' : `: known names are ${names.join(', ')}`;
}
