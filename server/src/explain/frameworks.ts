import type { Framework } from '../messages/schema.ts';
import { packagesWith } from '../published/knownPackages.ts';
import { knownValue, type StackFacts } from '../stack/facts/facts.ts';

/** Output that identifies a framework, in addition to related package names. */
const SIGNS: Readonly<Record<Framework, RegExp>> = {
  torch:
    /\btorch(?:vision|audio)?\b|\bTORCH_USE_|pytorch|RuntimeError: (?:CUDA|HIP|NCCL) error|\bcuDNN error: CUDNN_|\bCUDA error: no kernel|\bc10\b|\bat::/i,
  tensorflow:
    /tensorflow|\btf(?:\.| ?[12]\.\d)|\bkeras\b|Failed to get convolution algorithm|Could not load dynamic library '|\[Op:\w+\]|\{\{node |\b(?:Unimplemented|InvalidArgument|ResourceExhausted|FailedPrecondition)Error: /i,
  jax: /\bjax(?:lib)?\b|XlaRuntimeError|\bflax\b/i,
  onnxruntime: /onnxruntime/i,
  ctranslate2: /ctranslate2/i,
  'llama-cpp': /llama[._-]cpp|\bggml|\.gguf\b/i,
  cupy: /cupy/i,
  paddle: /paddle/i,
};

const FRAMEWORKS = Object.keys(SIGNS) as Framework[];

/** Before 2023, jaxlib was built inside TensorFlow's source tree, whose files appear in its log lines. */
const SOURCES_OF_JAXLIB = /external[\\/]org_tensorflow[\\/]tensorflow[\\/]/g;

/** Characters before and after a message that belong to it in a log, which may be long. */
const BEFORE = 3000;
const AFTER = 600;

/**
 * The frameworks that a message may belong to: those in the lines around it, otherwise in the text, otherwise those on
 * the machine. Empty if unknown.
 */
export function frameworksOf(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  facts: StackFacts | undefined,
): ReadonlySet<Framework> {
  const around = signsIn(text.slice(Math.max(0, start - BEFORE), end + AFTER));
  if (around.length > 0) return new Set(around);
  const anywhere = signsIn(text);
  if (anywhere.length > 0 || !facts) return new Set(anywhere);
  const { torch, tensorflow, jax, onnxruntime } = facts.frameworks;
  const installed = Object.entries({ torch, tensorflow, jax, onnxruntime }).filter(([, fact]) => knownValue(fact));
  return new Set(installed.map(([name]) => name as Framework));
}

function signsIn(text: string): Framework[] {
  const own = SIGNS.jax.test(text) ? text.replace(SOURCES_OF_JAXLIB, '') : text;
  return FRAMEWORKS.filter((name) => SIGNS[name].test(own) || namesOf(name)?.test(own));
}

let packages: ReadonlyMap<string, RegExp> | undefined;

/** Matches the names of the packages that identify a framework, as whole words. */
function namesOf(framework: Framework): RegExp | undefined {
  packages ??= namesBySign();
  return packages.get(framework);
}

function namesBySign(): ReadonlyMap<string, RegExp> {
  const signs = packagesWith('sign_of');
  const those = (sign: string) => signs.filter(({ file }) => file.sign_of === sign).map(({ name }) => name);
  return new Map(
    [...new Set(signs.flatMap(({ file }) => file.sign_of ?? []))].map((sign) => [
      sign,
      new RegExp(`\\b(?:${those(sign).join('|').replaceAll('-', '[-_]')})\\b`, 'i'),
    ]),
  );
}
