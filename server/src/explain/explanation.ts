/** The result of explaining an error: the contract of `gpu-doctor explain --output-format json` and of the editor. */
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

/** The written form of a remedy: at most one of these is not null. */
const written = {
  /** For a shell, on one line; it is not run. */
  command: z.string().nullable(),
  /** Python: the failing line after the change, or code that the program needs. */
  code: z.string().nullable(),
  /** An option of a program, or lines of a file that is not Python. */
  setting: z.string().nullable(),
};

const remedy = z.strictObject({
  title: z.string(),
  ...written,
  /** In the failing file; null without an edit. */
  edit: edit.nullable(),
});

const explanation = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** The line of the text that contains the error. */
  message: z.string(),
  /** The innermost line of the user's own code. */
  location: z.strictObject({ file: z.string(), line: z.int().nullable(), code: z.string().nullable() }).nullable(),
  meaning: z.string(),
  /** `harmless`: nothing is wrong. */
  kind: z.enum(['error', 'broad', 'warning', 'consequence', 'generic', 'harmless']),
  /** The confirmed causes; if there is none, at most three possible ones, the most likely first. */
  causes: z.array(
    z.strictObject({
      id: z.string(),
      text: z.string(),
      standing: z.enum(['confirmed', 'possible']),
      /** Sentences, each a fact with its source. */
      evidence: z.array(z.string()),
    }),
  ),
  remedies: z.array(remedy),
  /** Without a confirmed cause: at most three checks, each with the cause that it would confirm. */
  questions: z.array(z.strictObject({ title: z.string(), ...written, cause: z.string() })),
  url: z.string(),
});

/** A problem here that may cause an unknown error. */
const suspicion = z.strictObject({
  text: z.string(),
  /** Facts, each with its source. */
  evidence: z.array(z.string()),
  remedies: z.array(z.strictObject({ title: z.string(), ...written })),
});

/** Without an explanation: the line that looks like the error, and problems here that may cause it. */
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

/** The JSON schema of the output of `--output-format json`. */
export function explanationJsonSchema(): object {
  return z.toJSONSchema(explanationsSchema, { target: 'draft-7' });
}
