/** The schema of the message catalogue. Its types are derived from this file; a test checks the files against it. */
import * as z from 'zod';

const id = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
/**
 * Whole sentences; `{part}` stands for what a pattern has captured, `{part|some words}` for that or, if there is none,
 * for the words.
 */
const sentences = z.string().regex(/[.:]$/);
/**
 * A regular expression. A space in it matches any white space, so wrapped lines also match, and `{status}` stands for
 * the words before CUDA's own message.
 */
const pattern = z.string().min(4);
/** A condition on the evidence, by its name in `explain/conditions/`. */
const condition = id;

/** Frameworks with separate GPU builds. */
const framework = z.enum(['torch', 'tensorflow', 'jax', 'onnxruntime', 'ctranslate2', 'llama-cpp', 'cupy', 'paddle']);
/** The frameworks that this concerns; it is omitted if the text is about others. */
const frameworks = z.array(framework).min(1).optional();

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

/** The parts that this requires; it is omitted if one of them is not known. */
const given = z.array(z.string().regex(/^\w+$/)).min(1).optional();

const remedy = z.strictObject({
  /** Imperative, without a period. */
  title: z.string().regex(/[^.]$/),
  ...written,
  frameworks,
  /** The remedy only helps if this holds; if that is unknown, it is shown. */
  when: condition.optional(),
  /** The remedy does not help if this holds. */
  unless: condition.optional(),
  given,
  /**
   * The step that the title describes first: the command is for WSL 2, which that step sets up, or for a newer driver.
   */
  after: z.enum(['wsl', 'driver']).optional(),
  /** Shown only if neither a diagnosis of the machine nor a remedy with its `given` parts is more specific. */
  general: z.literal(true).optional(),
});

/** A check that shows whether a cause applies. */
const look = z.strictObject({ title: z.string(), ...written, frameworks });

export const causeSchema = z.strictObject({
  id,
  text: sentences,
  frameworks,
  given,
  /** Ids of the diagnoses of the stack that confirm the cause; their remedies come first. */
  verdicts: z.array(id).optional(),
  /** Rules whose finding in the failing line confirms the cause; its fix is offered. */
  rules: z.array(z.string().regex(/^GPU\d{3}$/)).optional(),
  /** The message itself proves the cause. */
  implied: z.literal(true).optional(),
  /** Any of these confirms the cause. */
  when: z.array(condition).optional(),
  /** All of these must hold for the cause; if one is known not to hold, the cause is ruled out. */
  needs: z.array(condition).optional(),
  /** Any of these rules out the cause. */
  unless: z.array(condition).optional(),
  /** Words in the text, outside the message, that confirm the cause. */
  said: pattern.optional(),
  /** The cause is likely even if nothing shows it. */
  common: z.literal(true).optional(),
  /** The cause that remains if the stack fits together and the framework still sees no GPU. */
  untraced: z.literal(true).optional(),
  /** Words in the text that make this cause more likely than others. */
  hint: pattern.optional(),
  /** Words in the text without which nobody would think of this cause, unless something else shows it. */
  with: pattern.optional(),
  /** Words in the text that rule out the cause. */
  denied: pattern.optional(),
  look: look.optional(),
  remedies: z.array(remedy).optional(),
});

export const messageSchema = z.strictObject({
  id,
  /** The problem, as a headline. */
  title: z.string(),
  patterns: z.array(pattern).min(1),
  /** The alternatives that `{name}` in the expressions stands for. */
  words: z.record(z.string().regex(/^[a-z]\w*$/), z.array(z.string()).min(1)).optional(),
  /** Words that the text must also contain, and words that it must not contain. */
  with: pattern.optional(),
  without: pattern.optional(),
  /** The frameworks that print the message, if its family does not say so. */
  frameworks,
  /** True if the message is not a problem by itself, so that it only counts if something confirms a cause. */
  saysNothing: z.literal(true).optional(),
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
  /** How to avoid the error in the future. */
  prevent: sentences.optional(),
  /** Program output that the patterns must match. */
  examples: z.array(z.string()).min(1),
});

export const familySchema = z.strictObject({
  /** Heading of the family's page. */
  title: z.string(),
  about: sentences,
  /** The frameworks that all of its messages concern. */
  frameworks,
  messages: z.array(messageSchema),
});

export type Framework = z.infer<typeof framework>;
export type Look = z.infer<typeof look>;
export type Remedy = z.infer<typeof remedy>;
export type Cause = z.infer<typeof causeSchema>;
export type Rank = z.infer<typeof messageSchema>['rank'];
export type Family = z.infer<typeof familySchema>;
/** A known message with its causes spelled out. */
export type KnownMessage = Omit<z.infer<typeof messageSchema>, 'causes'> & {
  readonly family: string;
  readonly causes: readonly Cause[];
};
