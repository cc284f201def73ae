import { torchesNamedIn } from '../../pasted/torchNamed.ts';
import { extensionTag } from '../../published/extensionTag.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';

/**
 * Names of wheels and of their pages with the torch release: "cu102/torch1.10.0/", "whl/torch-2.1.0+cu118.html",
 * "+cu122torch2.4cxx11abi" and PyG's "+pt113cu117".
 */
const NAMES = /(?:\b(?:cu\d{2,3}|cpu|whl)\/torch|\+cu\d{2,3}torch|\+pt\d)[\w.-]*/g;

/** Returns the torch releases in the names of wheels. */
export function torchesOfWheels(text: string): string[] {
  return [...text.matchAll(NAMES)].flatMap(([name]) => extensionTag(name).torch ?? []);
}

/** The minor release of the installed torch, or of the only one in a text. */
export function torchHere(text: string, facts: StackFacts | undefined): string | undefined {
  const installed = facts && knownValue(facts.frameworks.torch)?.version;
  const versions = installed ? [installed] : torchesNamedIn(text).map(({ version }) => version);
  const [torch, other] = new Set(versions.map((version) => /^\d+\.\d+/.exec(version)?.[0]));
  return other === undefined ? torch : undefined;
}
