import { STACK_FACTS_VERSION, type StackFacts } from '../stack/facts/facts.ts';

/** The facts that `gpu-doctor stack --json` has printed. @throws what `trouble` makes of a clause that says what is wrong. */
export function readFacts(text: string, trouble: (clause: string) => Error): StackFacts {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw trouble('is not JSON');
  }
  const facts = value as Partial<StackFacts> | null;
  if (typeof facts !== 'object' || facts === null || typeof facts.frameworks !== 'object' || facts.gpus === undefined)
    throw trouble('is not what `gpu-doctor stack --json` prints');
  if (facts.version !== STACK_FACTS_VERSION)
    throw trouble(
      `has format ${facts.version}, of another version of GPU Doctor; this one reads ${STACK_FACTS_VERSION}`,
    );
  return facts as StackFacts;
}
