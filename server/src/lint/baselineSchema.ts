import * as z from 'zod/mini';

const fingerprint = z.string().check(z.regex(/^[0-9a-f]{16}$/, 'must be 16 hexadecimal digits'));
const neighbor = z.string().check(z.regex(/^(?:[0-9a-f]{16})?$/, 'must be 16 hexadecimal digits, or empty'));

const entry = z.strictObject({
  file: z
    .string()
    .check(
      z.minLength(1, 'must not be empty'),
      z.describe("Path of the file relative to the baseline's folder, with forward slashes."),
    ),
  rule: z.string().check(z.regex(/^GPU\d+$/, 'must be the code of a rule'), z.describe('Code of the rule.')),
  text: z.string().check(z.describe('Shortened source of the finding, for human readers; not compared.')),
  line: fingerprint.check(z.describe('Fingerprint of the lines that the finding spans, without their white space.')),
  above: neighbor.check(
    z.describe('Fingerprint of the nearest line above that is not blank; empty at the start of the file or cell.'),
  ),
  below: neighbor.check(
    z.describe('Fingerprint of the nearest line below that is not blank; empty at the end of the file or cell.'),
  ),
});

/** The schema of a baseline file, from which its types, error messages and published JSON schema are derived. */
export const baselineSchema = z
  .strictObject({
    version: z
      .literal(1, 'must be 1: another version of GPU Doctor wrote this file')
      .check(z.describe('Version of this format.')),
    findings: z.array(entry).check(z.describe('The accepted findings, sorted by file, rule and text.')),
  })
  .check(z.describe('The findings that a project accepted when it began to use GPU Doctor.'));

export function baselineJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(baselineSchema, { target: 'draft-7' });
  return { $schema, title: 'gpu-doctor baseline', ...schema };
}
