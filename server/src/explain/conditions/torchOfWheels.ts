import { torchesNamedIn } from '../../pasted/torchNamed.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';

/**
 * Notations for the torch release in the names of wheels and their pages: "cu102/torch1.10.0/",
 * "whl/torch-2.1.0+cu118.html", "+cu122torch2.4cxx11abi".
 */
const BY_VERSION = /(?:\b(?:cu\d{2,3}|cpu)\/|\bwhl\/|\+cu\d{2,3})torch-?(\d\.\d{1,2})/g;

/** The same in PyG's wheels: "+pt113cu117". */
const BY_DIGITS = /\+pt(\d)(\d{1,2})(?:cu\d|cpu)/g;

/** Returns the torch releases in the names of wheels. */
export function torchesOfWheels(text: string): string[] {
  const reported = [...text.matchAll(BY_VERSION)].map(([, version = '']) => version);
  return [...reported, ...[...text.matchAll(BY_DIGITS)].map(([, major, minor]) => `${major}.${minor}`)];
}

/** The minor release of the installed torch, or of the only one in a text. */
export function torchHere(text: string, facts: StackFacts | undefined): string | undefined {
  const installed = facts && knownValue(facts.frameworks.torch)?.version;
  const versions = installed ? [installed] : torchesNamedIn(text).map(({ version }) => version);
  const [torch, other] = new Set(versions.map((version) => /^\d+\.\d+/.exec(version)?.[0]));
  return other === undefined ? torch : undefined;
}
