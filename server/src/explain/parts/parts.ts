import type { FoundMessage } from '../../messages/find.ts';
import type { StackFacts } from '../../stack/facts/facts.ts';
import { askerParts, historyParts, togetherParts } from '../conditions/names.ts';
import { offerParts } from '../conditions/offered.ts';
import { prefixParts, renamedParts } from '../conditions/weightNames.ts';
import { calleeParts } from './callees.ts';
import { opParts } from './customOps.ts';
import { extensionParts } from './extensions.ts';
import { attributeParts } from './moduleAttributes.ts';
import { compilerIn, jaxParts, releaseParts, tensorflowParts, torchParts } from './releases.ts';
import { torchPairParts, torchPinParts } from './torchPins.ts';
import { withVersions } from './versionNumbers.ts';

/**
 * Values for the placeholders in sentences and commands: the captures of the message, and values derived from them,
 * from the text around it, and from the facts with the release tables.
 */
export function partsOf(
  { parts, end }: FoundMessage,
  text: string,
  facts: StackFacts | undefined,
): Readonly<Record<string, string>> {
  const named = { ...askerParts(parts, text, end), ...historyParts(parts) };
  return withVersions({
    ...parts,
    ...named,
    ...togetherParts(named),
    ...calleeParts(parts),
    ...releaseParts(parts, parts.architecture && compilerIn(text, facts)),
    ...attributeParts(parts),
    ...prefixParts(text),
    ...renamedParts(text),
    ...tensorflowParts(text, facts),
    ...torchParts(text, facts),
    ...opParts(parts),
    ...jaxParts(parts, facts),
    ...torchPinParts(text),
    ...torchPairParts(text, facts),
    ...offerParts(text),
    ...extensionParts(parts, text, facts),
  });
}
