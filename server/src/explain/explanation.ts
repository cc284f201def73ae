/** What is said of an error: the contract of `gpu-doctor explain --format json` and of the editor. */
import * as z from 'zod';

const position = z.strictObject({
  /** From 1. */
  row: z.int(),
  /** From 1, in characters. */
  column: z.int(),
});

const edit = z.strictObject({
  filename: z.string(),
  edits: z.array(
    z.strictObject({
      /** From 1 among all cells of a notebook; null in a script. */
      cell: z.int().nullable(),
      location: position,
      end_location: position,
      content: z.string(),
    }),
  ),
});

/** How something is written that can be done: at most one of them is not null. */
const written = {
  /** For a shell, on one line; nobody runs it. */
  command: z.string().nullable(),
  /** Python: of the line that failed as it would read, else what the program needs. */
  code: z.string().nullable(),
  /** An option of a program, or lines of a file that is not Python. */
  setting: z.string().nullable(),
};

const remedy = z.strictObject({
  title: z.string(),
  ...written,
  /** Of the file that fails; null where there is none to write. */
  edit: edit.nullable(),
});

const explanation = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** The line of the text that was taken for the error. */
  message: z.string(),
  /** The innermost line of the user's own code. */
  location: z.strictObject({ file: z.string(), line: z.int().nullable(), code: z.string().nullable() }).nullable(),
  meaning: z.string(),
  /** `harmless`: nothing is wrong. */
  kind: z.enum(['error', 'broad', 'warning', 'consequence', 'generic', 'harmless']),
  /** Confirmed ones first, then possible ones, the likeliest first, then those that are ruled out. */
  causes: z.array(
    z.strictObject({
      id: z.string(),
      text: z.string(),
      standing: z.enum(['confirmed', 'possible', 'ruled-out']),
      /** Sentences, each a fact with where it was read. */
      evidence: z.array(z.string()),
    }),
  ),
  remedies: z.array(remedy),
  /** What shows which of the possible causes it is. */
  checks: z.array(z.strictObject({ title: z.string(), ...written })),
  url: z.string(),
});

/** Something wrong here that may be behind an error of which nothing is known. */
const suspicion = z.strictObject({
  text: z.string(),
  /** Facts, each with where it was read. */
  evidence: z.array(z.string()),
  remedies: z.array(z.strictObject({ title: z.string(), ...written })),
});

/** Where there is no explanation: the line that was taken for the error, and what is wrong here that may be behind it. */
const unknown = z.strictObject({
  /** Null for an empty text. */
  message: z.string().nullable(),
  location: explanation.shape.location,
  suspicions: z.array(suspicion),
});

export const explanationsSchema = z.strictObject({
  version: z.literal(1),
  explanations: z.array(explanation),
  unknown: unknown.optional(),
});

export type Explanations = z.infer<typeof explanationsSchema>;
export type Explanation = z.infer<typeof explanation>;
export type ExplainedCause = Explanation['causes'][number];
export type ExplainedRemedy = Explanation['remedies'][number];
export type Written = Pick<ExplainedRemedy, keyof typeof written>;
export type Unexplained = z.infer<typeof unknown>;
export type Suspicion = z.infer<typeof suspicion>;
export type RemedyEdit = z.infer<typeof edit>;

/** The JSON schema of what `--format json` prints. */
export function explanationJsonSchema(): object {
  return z.toJSONSchema(explanationsSchema, { target: 'draft-7' });
}
