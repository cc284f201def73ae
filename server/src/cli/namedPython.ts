import { statSync } from 'node:fs';
import { isUnknown, type StackFacts } from '../stack/facts/facts.ts';
import { UsageError } from './usage.ts';

/** Returns the facts; throws a `UsageError` if `--python` names a path that does not exist or has no Python. */
export function withNamedPython(facts: StackFacts, named: string | undefined): StackFacts {
  if (named === undefined) return facts;
  const { interpreter } = facts;
  if (isUnknown(interpreter)) throw new UsageError(`\`--python ${named}\` does not exist`);
  const path = 'value' in interpreter ? interpreter.value.path : undefined;
  if (path !== undefined && statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`\`--python ${named}\` is a folder without a Python`);
  return facts;
}
