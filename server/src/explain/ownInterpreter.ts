import { type Interpreter, knownValue } from '../stack/facts/facts.ts';
import type { Situation } from './conditions/condition.ts';

/**
 * Returns the interpreter that commands can name: the one in the facts, unless frames in the text are in the packages
 * of another interpreter, which is then the one that failed.
 */
export function ownInterpreter({ facts, text }: Situation): Interpreter | undefined {
  const interpreter = facts && knownValue(facts.interpreter);
  if (!interpreter?.path) return undefined;
  const folders = [...text.matchAll(PACKAGES)].map(([, folder = '']) => slashed(folder));
  const own = interpreter.sitePackages.map(slashed);
  return folders.every((folder) => own.includes(folder)) ? interpreter : undefined;
}

/** The packages folder that contains a frame of a traceback. */
const PACKAGES = /File "([^"\n]*[\\/](?:site|dist)-packages)[\\/]/g;

function slashed(path: string): string {
  return path.replaceAll('\\', '/').toLowerCase();
}
