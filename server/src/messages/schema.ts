/** The schema of the message catalogue. Its types are derived from this file; a test checks the files against it. */
import * as z from 'zod';

const id = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
/**
 * Whole sentences; `{part}` stands for what a pattern has captured, `{part|some words}` for that or, if there is none,
 * for the words.
 */
const sentences = z.string().regex(/[.:]$/);
/**
 * A regular expression for what a program prints. A space in it matches any white space, so wrapped lines also match,
 * and `{status}` stands for the words before CUDA's own message.
 */
const pattern = z.string().min(4);
/** The program and the file that print a message, such as `torch/serialization.py`. */
const source = z.string().min(4);

/** Frameworks with separate GPU builds. */
const framework = z.enum(['torch', 'tensorflow', 'jax', 'onnxruntime', 'ctranslate2', 'llama-cpp', 'cupy', 'paddle']);
/** The frameworks that this concerns; it is omitted if the text is about others. */
const frameworks = z.array(framework).min(1).optional();

/**
 * The name of something that can be looked up: `message` (the message itself says so), a relation of `fit/` that fails, a
 * diagnosis of the stack, a rule whose finding in the failing line counts, or a condition in `explain/conditions/`. `not-`
 * before it negates it.
 */
const checkName = z.string().regex(/^(?:[a-z0-9]+(-[a-z0-9]+)*|GPU\d{3})$/);
/** Another line that a program prints in the same text. */
const printed = z.strictObject({ printed: pattern });
const checks = z
  .array(z.union([checkName, printed]))
  .min(1)
  .optional();

/** The written form of something to do; a remedy has one of these, or only its title. */
const written = {
  /** One line for a shell: it can be inserted into a terminal, but is never run. */
  command: z
    .string()
    .regex(/^\P{Cc}+$/u)
    .optional(),
  /** Python, for the program. */
  code: z.string().optional(),
  /** An option of a program, or lines of a file that is not Python. */
  setting: z.string().optional(),
};

/** A remedy is omitted if a placeholder in it has neither a value nor other words. */
const remedy = z.strictObject({
  /** Imperative, without a period. */
  title: z.string().regex(/[^.]$/),
  ...written,
  frameworks,
  /** The remedy only helps if this holds; if that is unknown, it is shown. */
  when: checkName.optional(),
  /** The remedy does not help if this holds. */
  unless: checkName.optional(),
  /**
   * The step that the title describes first: the command is for WSL 2, which that step sets up, or for a newer driver.
   */
  after: z.enum(['wsl', 'driver']).optional(),
  /** Shown only if a diagnosis of the machine offers no remedy, which is more specific. */
  general: z.literal(true).optional(),
});

/** A question whose answer decides whether a cause applies: "See which driver runs", and the command that shows it. */
const question = z.strictObject({ title: z.string(), ...written, frameworks });

export const causeSchema = z.strictObject({
  id,
  text: sentences,
  frameworks,
  /** Any of these confirms the cause; if all of them are known not to hold, the cause is excluded. */
  checked_by: checks,
  /** Any of these excludes the cause. */
  excluded_by: checks,
  /** How to tell, where nothing above is known. */
  ask: question.optional(),
  remedies: z.array(remedy).optional(),
});

const messageSchema = z.strictObject({
  id,
  /** The problem, as a headline. */
  title: z.string(),
  source: source.optional(),
  patterns: z.array(pattern).min(1),
  /**
   * Where the words alone may be any program's: what is printed with them, such as the file of a frame or the failing
   * call.
   */
  beside: z.string().min(2).optional(),
  /** The frameworks that print the message, if its family does not say so. */
  frameworks,
  /**
   * Its rank among others in the same text. `error`: the failure; if a program only logs it as a warning, it ranks as
   * one. `broad`: the failure, in words that also match other errors. `warning`: something does not work, which may
   * cause errors. `consequence`: it follows from another failure, which counts if it is in the text. `generic`: it says
   * little. `harmless`: nothing is wrong.
   */
  rank: z.enum(['error', 'broad', 'warning', 'consequence', 'generic', 'harmless']).default('error'),
  /** The message shows that the text ends before the error, unless another known message follows. */
  endsEarly: z.literal(true).optional(),
  /** Words in the line that show that the message is not an error: the program prints it and continues. */
  aside: pattern.optional(),
  meaning: sentences,
  /** Most likely first; a name refers to an entry in `causes.yaml`. */
  causes: z.array(z.union([id, causeSchema])).default([]),
  /** Remedies for any cause. */
  remedies: z.array(remedy).optional(),
  /** Program output that the patterns must match. */
  examples: z.array(z.string()).min(1),
});

export const familySchema = z.strictObject({
  /** Heading of the family's page. */
  title: z.string(),
  about: sentences,
  /** The programs that print the messages without a source of their own. */
  source,
  /** The frameworks that all of its messages concern. */
  frameworks,
  messages: z.array(messageSchema),
});

export type Framework = z.infer<typeof framework>;
export type CauseCheck = z.infer<typeof checkName> | z.infer<typeof printed>;
export type Question = z.infer<typeof question>;
export type CatalogueRemedy = z.infer<typeof remedy>;
export type Cause = z.infer<typeof causeSchema>;
export type Rank = z.infer<typeof messageSchema>['rank'];
export type Family = z.infer<typeof familySchema>;
/** A known message with its causes spelled out. */
export type KnownMessage = Omit<z.infer<typeof messageSchema>, 'causes' | 'source'> & {
  readonly source: string;
  readonly family: string;
  readonly causes: readonly Cause[];
};
