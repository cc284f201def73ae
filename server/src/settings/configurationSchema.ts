import * as z from 'zod/mini';
import { EVERY_RULE, RULE_NAMES, RULE_PREFIXES } from '../lint/ruleNames.ts';

const codes = RULE_NAMES.map(({ code }) => code);
const names = RULE_NAMES.map(({ name }) => name);

/** A code, a prefix of codes, or a name. */
const selector = z.enum([...codes, ...names, ...RULE_PREFIXES, EVERY_RULE]);
const severity = z.enum(['error', 'warning', 'information', 'hint', 'off']);
const pattern = z.string().check(z.minLength(1, 'must not be empty'));
const dotted = z
  .string()
  .check(z.regex(/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/, 'must be a Python name, such as `mylib.io.load_checkpoint`'));

const loader = z.strictObject({
  name: dotted.check(z.describe('Qualified name of the function, such as `mylib.io.load_checkpoint`.')),
  'device-parameter': z
    .string()
    .check(
      z.regex(/^[A-Za-z_]\w*$/, 'must be the name of a parameter'),
      z.describe('The parameter that names the device, as `map_location` of `torch.load` does.'),
    ),
  position: z
    .optional(z.int('is too large').check(z.minimum(0, 'must not be negative')))
    .check(z.describe('Position of that parameter, counted from 0, if it can be passed by position.')),
});

const guards = z.strictObject({
  decorators: z.optional(z.array(dotted)).check(z.describe('Decorators of functions that run only with a GPU.')),
  functions: z.optional(z.array(dotted)).check(z.describe('Functions that return true if a GPU is available.')),
  variables: z.optional(z.array(dotted)).check(z.describe('Variables that are true if a GPU is available.')),
});

/**
 * The settings of a project, in `.gpu-doctor.yaml` and in `[tool.gpu-doctor]` of `pyproject.toml`. The types, the error
 * messages, the published JSON schema and the table in the documentation are derived from it.
 */
export const configurationSchema = z
  .strictObject({
    select: z
      .optional(z.array(selector))
      .check(
        z.describe(
          'Only these rules: codes, prefixes of codes, or names. Without it, all rules that are on by default.',
        ),
      ),
    ignore: z
      .optional(z.array(selector))
      .check(z.describe('All but these rules. Of `select` and `ignore`, the longer prefix decides.')),
    severity: z
      .optional(z.partialRecord(selector, severity))
      .check(z.describe('Overrides the severity of rules: `error`, `warning`, `information`, `hint`, or `off`.')),
    exclude: z
      .optional(z.array(pattern))
      .check(
        z.describe('Files and folders to exclude, in addition to those that Git ignores: patterns as in `.gitignore`.'),
      ),
    include: z
      .optional(z.array(pattern))
      .check(
        z.describe(
          'Other files to check, such as `deps/*.txt`: patterns as in `.gitignore`. Their extension says what they are.',
        ),
      ),
    'per-file-ignores': z
      .optional(z.record(pattern, z.array(selector)))
      .check(z.describe('Rules that are ignored in the files that a pattern, as in `.gitignore`, matches.')),
    loaders: z
      .optional(z.array(loader))
      .check(
        z.describe(
          'Functions in this project that, like `torch.load`, restore a checkpoint to the device it was saved on.',
        ),
      ),
    vendored: z
      .optional(z.array(pattern))
      .check(
        z.describe(
          'Folders with vendored code, in addition to automatically detected ones; `!folder` excludes one. All findings in them are hints.',
        ),
      ),
    baseline: z
      .optional(pattern)
      .check(
        z.describe(
          'File of the accepted findings, which are not reported; relative to this file. `check --write-baseline` writes it.',
        ),
      ),
    guards: z.optional(guards).check(z.describe(`The project's own names that mean "a GPU is available".`)),
  })
  .check(z.describe("GPU Doctor's settings for a project."));

export type RawConfiguration = z.infer<typeof configurationSchema>;

/**
 * Returns the names that a key or value may have at a path of the configuration, for error messages; empty if anything
 * is allowed.
 */
export function namesAt(path: readonly PropertyKey[]): readonly string[] {
  switch (path[0]) {
    case undefined:
      return Object.keys(configurationSchema.shape);
    case 'severity':
      return path.length === 1 ? selector.options : severity.options;
    case 'loaders':
      return Object.keys(loader.shape);
    case 'guards':
      return Object.keys(guards.shape);
    default:
      return selector.options;
  }
}

export function jsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(configurationSchema, { target: 'draft-7' });
  return { $schema, title: 'GPU Doctor', ...schema };
}

/** Returns the settings as a Markdown table; settings for the entries of a list follow the list's own row. */
export function markdownTable(): string {
  const rows: string[] = [];
  const add = (prefix: string, shape: Readonly<Record<string, z.core.$ZodType>>) => {
    for (const [name, type] of Object.entries(shape)) {
      rows.push(`| \`${prefix}${name}\` | ${z.globalRegistry.get(type)?.description ?? ''} |`);
      if (name === 'loaders') add('loaders[].', loader.shape);
      if (name === 'guards') add('guards.', guards.shape);
    }
  };
  add('', configurationSchema.shape);
  return ['| Setting | Meaning |', '|---|---|', ...rows].join('\n');
}
