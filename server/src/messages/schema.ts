/** The schema of the message catalogue. Its types come from here; a test checks the files against it. */
import * as z from 'zod';

const id = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
/** Whole sentences; `{part}` stands for what a pattern has captured, `{part|some words}` for it or else those words. */
const sentences = z.string().regex(/[.:]$/);
/**
 * A regular expression. A space in it matches any white space, so that wrapped lines match as well, and `{status}`
 * stands for the words before CUDA's own message.
 */
const pattern = z.string().min(4);
/** A condition on what is known, by its name in `explain/conditions/`. */
const condition = id;

/** Frameworks with builds of their own for GPUs. */
const framework = z.enum(['torch', 'tensorflow', 'jax', 'onnxruntime', 'ctranslate2', 'llama-cpp', 'cupy', 'paddle']);
/** The frameworks that it concerns: it is left out if the text is about others. */
const frameworks = z.array(framework).min(1).optional();

/** How something is written that can be done; a remedy has one of them, or only its title. */
const written = {
  /** One line for a shell: it can be inserted into a terminal, and is never run. */
  command: z
    .string()
    .regex(/^\P{Cc}+$/u)
    .optional(),
  /** Python, for the program. */
  code: z.string().optional(),
  /** An option of a program, or lines of a file that is not Python. */
  setting: z.string().optional(),
};

/** The parts without which it says nothing: it is left out where one of them is not known. */
const given = z.array(z.string().regex(/^\w+$/)).min(1).optional();

const remedy = z.strictObject({
  /** Imperative, without a full stop. */
  title: z.string().regex(/[^.]$/),
  ...written,
  frameworks,
  /** It is of use only where this holds; where that is unknown it is shown. */
  when: condition.optional(),
  /** It is of no use where this holds. */
  unless: condition.optional(),
  given,
  /**
   * The step that the title has done first: the command is for WSL 2, which that step sets up, or for a newer driver.
   */
  after: z.enum(['wsl', 'driver']).optional(),
  /** Said only where no verdict on the machine, and none of these with what it is `given`, brings a better one. */
  general: z.literal(true).optional(),
});

/** A check that shows whether a cause applies. */
const look = z.strictObject({ title: z.string(), ...written, frameworks });

export const causeSchema = z.strictObject({
  id,
  text: sentences,
  frameworks,
  given,
  /** Verdicts on the stack that confirm it, by their ids; their remedies come first. */
  verdicts: z.array(id).optional(),
  /** Rules of which a finding at the failing line confirms the cause; its fix is offered. */
  rules: z.array(z.string().regex(/^GPU\d{3}$/)).optional(),
  /** The message itself proves it. */
  implied: z.literal(true).optional(),
  /** Any of these confirms it. */
  when: z.array(condition).optional(),
  /** Each has to hold for it; where it is known that one does not, that rules it out. */
  needs: z.array(condition).optional(),
  /** Any of these rules it out. */
  unless: z.array(condition).optional(),
  /** Words in the text, apart from the message, that confirm it. */
  said: pattern.optional(),
  /** It is likely even where nothing of it shows. */
  common: z.literal(true).optional(),
  /** It is what remains where the stack fits together and the framework sees no GPU all the same. */
  untraced: z.literal(true).optional(),
  /** Words in the text that make it the likelier one of several. */
  hint: pattern.optional(),
  /** Words in the text without which nobody thinks of it, where nothing else shows it. */
  with: pattern.optional(),
  /** Words in the text that rule it out. */
  denied: pattern.optional(),
  look: look.optional(),
  remedies: z.array(remedy).optional(),
});

export const messageSchema = z.strictObject({
  id,
  /** The problem, as a headline. */
  title: z.string(),
  patterns: z.array(pattern).min(1),
  /** The alternatives that `{name}` in its expressions stands for. */
  words: z.record(z.string().regex(/^[a-z]\w*$/), z.array(z.string()).min(1)).optional(),
  /** Words that have to be in the text as well, or must not. */
  with: pattern.optional(),
  without: pattern.optional(),
  /** The frameworks that print it, if its family does not say so. */
  frameworks,
  /** True if it is no problem by itself, so that it only counts if something confirms a cause. */
  saysNothing: z.literal(true).optional(),
  /**
   * Its rank among others in the same text. `error`: the failure; where a program only logs it as a warning, it is one.
   * `broad`: the failure, in words that also match other errors. `warning`: something does not work, which may cause
   * errors. `consequence`: it follows from another failure, which counts if it is in the text. `generic`: it says
   * little. `harmless`: nothing is wrong.
   */
  rank: z.enum(['error', 'broad', 'warning', 'consequence', 'generic', 'harmless']).default('error'),
  /** It says that the text ends before the error: no other known one follows it. */
  endsEarly: z.literal(true).optional(),
  /** Words of the line by which an error is none: the program says it and goes on. */
  aside: pattern.optional(),
  meaning: sentences,
  /** The likeliest first; a name stands for one of `causes.yaml`. */
  causes: z.array(z.union([id, causeSchema])).default([]),
  /** Remedies for any cause. */
  remedies: z.array(remedy).optional(),
  /** How not to meet it again. */
  prevent: sentences.optional(),
  /** Program output that the patterns must fit. */
  examples: z.array(z.string()).min(1),
});

export const familySchema = z.strictObject({
  /** Heading of its page. */
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
/** A known message, its causes spelled out. */
export type KnownMessage = Omit<z.infer<typeof messageSchema>, 'causes'> & {
  readonly family: string;
  readonly causes: readonly Cause[];
};
