/** What the catalogue of messages may say. Its types are taken from here; the test of the catalogue holds the files to it. */
import * as z from 'zod';

const id = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
/** Whole sentences; `{part}` stands for what a pattern has captured, `{part|some words}` for it or else those words. */
const sentences = z.string().regex(/[.:]$/);
/**
 * Of a regular expression; a blank in it stands for any white space, so that wrapped lines fit as well, and `{status}` for
 * how programs lead up to CUDA's own words.
 */
const pattern = z.string().min(4);
/** A condition on what is known, by its name in `explain/conditions/`. */
const condition = id;

/** What has builds of its own for the GPU. */
const framework = z.enum(['torch', 'tensorflow', 'jax', 'onnxruntime', 'ctranslate2', 'llama-cpp', 'cupy', 'paddle']);
/** Those that it is about: it is left out where the text is of others. */
const frameworks = z.array(framework).min(1).optional();

/** How something is written that can be done; a remedy has one of them, or only its title. */
const written = {
  /** For a shell, on one line: it can be put into a terminal, and is never run. */
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
  /** What its title has done first: the command is for WSL 2, which that sets up, or for a newer driver than the one at hand. */
  after: z.enum(['wsl', 'driver']).optional(),
  /** Said only where no verdict on the machine, and none of these with what it is `given`, brings a better one. */
  general: z.literal(true).optional(),
});

/** What shows whether a cause is the one. */
const look = z.strictObject({ title: z.string(), ...written, frameworks });

export const causeSchema = z.strictObject({
  id,
  text: sentences,
  frameworks,
  given,
  /** Verdicts on the stack that confirm it, by their ids; their remedies come first. */
  verdicts: z.array(id).optional(),
  /** Rules of which a finding at the failing line confirms it; its fix is offered. */
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
  /** What is wrong, as a headline. */
  title: z.string(),
  patterns: z.array(pattern).min(1),
  /** What `{name}` in its expressions stands for: any of these. */
  words: z.record(z.string().regex(/^[a-z]\w*$/), z.array(z.string()).min(1)).optional(),
  /** Words that have to be in the text as well, or must not. */
  with: pattern.optional(),
  without: pattern.optional(),
  /** Those that print it, where that is not said of its family. */
  frameworks,
  /** By itself it is no trouble at all, so that it counts only where something confirms a cause. */
  saysNothing: z.literal(true).optional(),
  /**
   * What it counts among others of the same text. `error`: what failed; where a program only logs it as a warning, it is
   * one. `broad`: what failed, in words that fit other errors, too. `warning`: something does not work, of which errors
   * may follow. `consequence`: it follows from another failure, which counts where it is in the text. `generic`: it says
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
  /** What helps whatever the cause. */
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
  /** Those of which all of its messages are. */
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
