/** The catalogue of messages: data beside this file, one file a family, read once when it is first asked for. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Cause, Family, KnownMessage } from './schema.ts';

/** In the order in which of equal messages one goes before another. */
export const FAMILIES = [
  'torchLoading',
  'torchPrograms',
  'kerasLoading',
  'kerasSaving',
  'torchDevices',
  'torchPlacement',
  'torchModes',
  'cudaErrors',
  'gpuMemory',
  'precision',
  'cudnnErrors',
  'extensions',
  'triton',
  'sharedLibraries',
  'building',
  'cudaCompilers',
  'driverErrors',
  'containerErrors',
  'tensorflowErrors',
  'tensorflowCheckpoints',
  'jaxErrors',
  'jaxDevices',
  'onnxruntimeErrors',
  'processGroups',
  'distributed',
  'llamaCpp',
  'trainers',
  'huggingFace',
  'serving',
  'otherAccelerators',
  'rocmErrors',
  'domainLibraries',
  'otherPackages',
  'symptoms',
] as const;
export type FamilyName = (typeof FAMILIES)[number];

let built: Readonly<Record<string, unknown>> | undefined;

/**
 * The sources have it as YAML, for its comments. Beside the bundles all families lie in one file of JSON, which is read
 * faster, without what only pages and tests ask for: `examples` and `prevent`.
 */
export function readFamily(name: FamilyName | 'causes'): unknown {
  const together = path.join(import.meta.dirname, 'messages.json');
  if (existsSync(together)) {
    built ??= JSON.parse(readFileSync(together, 'utf8')) as Readonly<Record<string, unknown>>;
    return built[name];
  }
  return parse(readFileSync(path.join(import.meta.dirname, 'catalogue', `${name}.yaml`), 'utf8'));
}

/** The causes that several messages have, by id. */
function sharedCauses(): ReadonlyMap<string, Cause> {
  return new Map((readFamily('causes') as Cause[]).map((cause) => [cause.id, cause]));
}

let known: readonly KnownMessage[] | undefined;

/** Every known message, in the catalogue's order. */
export function knownMessages(): readonly KnownMessage[] {
  if (known) return known;
  const shared = sharedCauses();
  const causeOf = (cause: Cause | string): Cause => {
    const found = typeof cause === 'string' ? shared.get(cause) : cause;
    if (!found) throw new Error(`The catalogue has no cause named ${cause}.`);
    return found;
  };
  known = FAMILIES.flatMap((family) =>
    (readFamily(family) as Family).messages.map((message) => ({
      ...message,
      rank: message.rank ?? 'error',
      family,
      causes: (message.causes ?? []).map(causeOf),
    })),
  );
  return known;
}
