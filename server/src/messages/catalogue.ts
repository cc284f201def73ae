/** The catalogue of messages: data beside this file, one file per family, read once when it is first requested. */

import { readFolder } from '../dataFiles.ts';
import { packagesWith } from '../published/knownPackages.ts';
import type { Cause, Family, Framework, KnownMessage } from './schema.ts';

let files: Readonly<Record<string, unknown>> | undefined;

/** The families, and the causes that they share. Files beside the bundles lack the key for pages and tests, `examples`. */
function read(): Readonly<Record<string, unknown>> {
  files ??= readFolder(import.meta.dirname, 'catalogue');
  return files;
}

/** The names of the families, in the alphabet's order, in which they take precedence if messages match equally well. */
export function families(): readonly string[] {
  return Object.keys(read()).filter((name) => name !== 'causes');
}

/** Returns a family, or the shared causes, as in its file. */
export function readFamily(name: string): unknown {
  return read()[name];
}

/** The causes that several messages share, by id. */
function sharedCauses(): ReadonlyMap<string, Cause> {
  return new Map((readFamily('causes') as Cause[]).map((cause) => [cause.id, cause]));
}

/** Words that the expressions of any message may refer to by name. */
const SHARED_WORDS: Readonly<Record<string, readonly string[]>> = {
  /** How programs introduce CUDA's own words for a failure: torch, ONNX Runtime, TensorRT, CuPy, llama.cpp, samples. */
  status: [
    String.raw`\bCUDA (?:driver |runtime )?(?:error|failure)(?: \d+)?: `,
    String.raw`\bCUDA error in \S{1,60} \d+ \(`,
    'GPUassert: ',
    String.raw`cudaSuccess \(\d+ vs\. 0\) (?:: )?`,
    String.raw`\berror=\d+ : `,
    String.raw`Cuda Runtime \(`,
    'initialize CUDA: ',
    String.raw`Error \(\S{1,80}:\d+\): `,
    String.raw`CUDARuntimeError: cuda\w+: `,
    'CUDA exception! Error code: ',
  ],
};

let known: readonly KnownMessage[] | undefined;

/** Every known message, in the order of the catalogue. */
export function knownMessages(): readonly KnownMessage[] {
  if (known) return known;
  const shared = sharedCauses();
  const causeOf = (cause: Cause | string): Cause => {
    const found = typeof cause === 'string' ? shared.get(cause) : cause;
    if (!found) throw new Error(`The catalogue has no cause named ${cause}.`);
    return found;
  };
  known = families().flatMap((family) => {
    const { messages, frameworks, source } = readFamily(family) as Family;
    return messages.map((message) => ({
      ...message,
      source: message.source ?? source,
      patterns: message.patterns.map(spelledOut),
      rank: message.rank ?? 'error',
      family,
      frameworks: message.frameworks ?? frameworks,
      causes: (message.causes ?? []).map(causeOf),
    }));
  });
  return known;
}

/** An expression of a message, with the names in it replaced by the words that they stand for. */
function spelledOut(expression: string): string {
  return expression.replace(/\{([a-z]\w*)\}/g, (whole, name: string) => {
    const those = SHARED_WORDS[name] ?? packageModules(name);
    return those === undefined ? whole : `(?:${those.join('|')})`;
  });
}

/** The modules of packages whose files declare that messages of this kind are known for them. */
function packageModules(word: string): readonly string[] | undefined {
  const kind = KINDS[word];
  if (kind === undefined) return undefined;
  const those = packagesWith('release_messages').filter(
    ({ file }) => file.release_messages === 'all' || file.release_messages === kind,
  );
  return those.flatMap(({ file }) => file.imports ?? []);
}

/**
 * Words in expressions that stand for modules: of packages from which a name is imported, or which are called with an
 * argument.
 */
const KINDS: Readonly<Record<string, 'names' | 'arguments'>> = {
  packagesByName: 'names',
  packagesByArgument: 'arguments',
};

/** True if a part of the catalogue concerns one of the frameworks; if none are given, it may concern any. */
export function concerns(
  { frameworks }: { readonly frameworks?: readonly Framework[] },
  those: Iterable<Framework> = [],
): boolean {
  const given = [...those];
  return frameworks === undefined || given.length === 0 || given.some((each) => frameworks.includes(each));
}
