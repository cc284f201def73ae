/** The imports and opcodes that `torch.load(..., weights_only=True)` allows in a file, by torch version. */
import { torchHas, torchReleases } from '../../published/releases/torchReleases.ts';
import { weightsOnly } from '../../published/releases/weightsOnly.ts';
import { isAtLeast, isAtMost } from '../../published/versions.ts';

/** The minor releases that have `weights_only`. */
const releases = () =>
  torchReleases()
    .map(({ torch }) => torch)
    .filter((torch) => torchHas('weights_only', torch) && isAtMost(torch, weightsOnly().newest));

const ELEMENT =
  'Double|Float|Half|BFloat16|Long|Int|Short|Char|Byte|Bool|ComplexDouble|ComplexFloat|QInt8|QUInt8|QInt32|QUInt4x2|QUInt2x4';
/** Tensor and storage classes with the element type in their name, which every version allows. */
const TYPED_CLASSES = new RegExp(`^torch\\.(cuda\\.)?((${ELEMENT})Storage|(sparse\\.)?(${ELEMENT})Tensor)$`);

/** True for an import that `weights_only=True` of that torch version allows: `torch._utils._rebuild_tensor_v2`. */
export function isAllowed(name: string, torch = weightsOnly().newest): boolean {
  const { imports, removed, oldest } = weightsOnly();
  const since = imports.get(name) ?? (TYPED_CLASSES.test(name) ? oldest : undefined);
  const until = removed.get(name);
  return since !== undefined && isAtLeast(torch, since) && (until === undefined || !isAtLeast(torch, until));
}

/**
 * Returns the first torch version since which `weights_only=True` has accepted all of these imports and opcodes, and
 * for which `takesCalls` is true.
 */
export function firstTorchAccepting(
  imports: readonly string[],
  opcodes: readonly string[],
  takesCalls: (torch: string) => boolean,
): string | undefined {
  const takes = (torch: string) =>
    imports.every((name) => isAllowed(name, torch)) &&
    opcodes.every((name) => isKnownOpcode(name, torch)) &&
    takesCalls(torch);
  const versions = releases();
  const last = versions.findLastIndex((torch) => !takes(torch));
  return versions[last + 1];
}

/** True for an opcode that the `weights_only=True` unpickler knows; it rejects files that contain any other. */
export function isKnownOpcode(name: string, torch = weightsOnly().newest): boolean {
  const since = weightsOnly().opcodes.get(name);
  return since !== undefined && isAtLeast(torch, since);
}

/** True if `torch.load` has the argument `weights_only`. */
export function hasWeightsOnly(torch: string): boolean {
  return torchHas('weights_only', torch);
}

/** True if `torch.serialization.add_safe_globals` exists. */
export function hasSafeGlobals(torch: string): boolean {
  return torchHas('safe_globals', torch);
}

/** True if `add_safe_globals` accepts an object together with its name in the file. */
export function acceptsAliases(torch: string): boolean {
  return torchHas('safe_globals_aliases', torch);
}
