import { type Interpreter, knownValue } from '../../stack/facts/facts.ts';
import type { Situation } from './condition.ts';

/**
 * Returns the interpreter that commands can name: the one in the facts, unless the text is from another machine or
 * another Python, which is then the one that failed.
 */
export function ownInterpreter({ facts, text }: Situation): Interpreter | undefined {
  const interpreter = facts && knownValue(facts.interpreter);
  if (facts === undefined || !interpreter?.path) return undefined;
  // A report in the text names no folders.
  if (interpreter.sitePackages.length === 0) return interpreter;
  if (!knownValue(facts.gpus)?.length && OF_RUNNING_GPU.test(text)) return undefined;
  const folders = [...text.matchAll(PACKAGES)].map(([, quoted, plain = '']) => slashed(quoted ?? plain));
  const own = interpreter.sitePackages.map(slashed);
  return folders.every((folder) => own.includes(folder)) ? interpreter : undefined;
}

/** True if a frame shows that this interpreter ran the program. */
export function ranHere(situation: Situation): boolean {
  return situation.text.search(PACKAGES) >= 0 && ownInterpreter(situation) !== undefined;
}

/** Errors that an NVIDIA GPU causes while it computes. */
const OF_RUNNING_GPU =
  /\bCUDA out of memory\b|\bno kernel image is available\b|\bCU(?:BLAS|DNN)_STATUS_|\billegal memory access\b|\bdevice-side assert\b/;

/** The packages folder of a frame, or in another line. */
const PACKAGES =
  /(?:File "([^"\n]*[\\/](?:site|dist)-packages)|(?<![^\s'(=])((?:[A-Za-z]:)?[\\/][^\s"'():]*[\\/](?:site|dist)-packages))[\\/]/g;

function slashed(path: string): string {
  return path.replaceAll('\\', '/').toLowerCase();
}
