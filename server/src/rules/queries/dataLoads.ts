/** Why a load that names no device seldom fails: what it reads is data, or was never on a device that may be missing. */

import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import { lastPartOf } from '../../python/semantic/accessPaths.ts';
import { enclosingClass } from '../../python/semantic/scopes.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Call, Expression, Node } from '../../python/syntax/nodes.ts';
import { walk } from '../../python/syntax/walk.ts';
import { namesCheckpoint } from './checkpointNames.ts';
import { usesOfLoaded } from './loadedValue.ts';
import { reasonsOfOwnFile } from './ownFiles.ts';

/** The reasons for a hint that the loaded value and its file give; empty for what is, or may be, a model or a checkpoint. */
export function reasonsOfContent(load: Call, path: Expression | undefined, program: Program): readonly Reason[] {
  const reasons = [
    ...reasonsOfOwnFile(load, path, program),
    ...ofUses(load, path, program),
    ...(path ? [...ofProcessed(path, program), ...ofDeviceInName(path, program), ...ofBuffer(path, program)] : []),
  ];
  return reasons;
}

/** Every use of the result is one of data, or of a state that is on no device. */
function ofUses(load: Call, path: Expression | undefined, program: Program): Reason[] {
  const uses = usesOfLoaded(load, program);
  const [first] = uses;
  if (!first || uses.some(({ role }) => role === 'model')) return [];
  const arrays = uses.find(({ role }) => role === 'arrays');
  if (arrays) return [{ because: 'the result becomes, or is, a NumPy array', at: spanOf(arrays.node) }];
  if (uses.some(({ role }) => role === 'unknown')) return [];
  const data = uses.find(({ role }) => role === 'data');
  const at = spanOf((data ?? first).node);
  if (!data) return [{ because: 'it restores the state of a scheduler, scaler or sampler', at }];
  return namesCheckpoint(load, path, program) ? [] : [{ because: 'every use of the result is a use of data', at }];
}

/** `self.processed_paths[0]` of a data set of PyTorch Geometric, which its `process()` writes. */
function ofProcessed(path: Expression, program: Program): Reason[] {
  const processed = find(
    path,
    (node) => node.kind === 'Attribute' && /^processed_(paths|dir|file_names)$/.test(node.attr),
  );
  if (!processed) return [];
  const owner = enclosingClass(program.names.scopeOf(processed));
  const process = owner?.body.find((each) => each.kind === 'FunctionDef' && each.name === 'process');
  return [{ because: "the data set's `process()` writes this file", at: spanOf(process ?? processed) }];
}

/** `f"{device}.pt"`: each device has a file of its own. */
function ofDeviceInName(path: Expression, program: Program): Reason[] {
  const named = find(path, isDeviceName) ?? definedBy(path, program, (value) => find(value, isDeviceName));
  return named ? [{ because: "the file's name holds the device", at: spanOf(named) }] : [];
}

function isDeviceName(node: Node): boolean {
  return (
    (node.kind === 'Name' || node.kind === 'Attribute') &&
    /^(device|dev|cuda_device|device_type|device_name)$/.test(lastPartOf(node) ?? '')
  );
}

/** A buffer in memory that the program filled itself. */
function ofBuffer(path: Expression, program: Program): Reason[] {
  const isBuffer = (value: Expression): Call | undefined =>
    value.kind === 'Call' && program.names.qualify(value.func).includes('io.BytesIO') ? value : undefined;
  const buffer = isBuffer(path) ?? definedBy(path, program, isBuffer);
  const [content] = buffer?.args ?? [];
  if (!buffer || !content) return [];
  const made = isMadeHere(content)
    ? content
    : definedBy(content, program, (value) => (isMadeHere(value) ? value : undefined));
  return made ? [{ because: 'the program fills this buffer itself', at: spanOf(made) }] : [];
}

/** `tensor.cpu().numpy().tobytes()`, `buffer.getvalue()`, `pickle.dumps(x)` */
const isMadeHere = (value: Expression): boolean =>
  value.kind === 'Call' &&
  value.func.kind === 'Attribute' &&
  /^(tobytes|getvalue|getbuffer|dumps)$/.test(value.func.attr);

/** What `look` finds in the value that a name was given, where there is only one. */
function definedBy<T>(use: Expression, program: Program, look: (value: Expression) => T | undefined): T | undefined {
  if (use.kind !== 'Name' && use.kind !== 'Attribute') return undefined;
  const definitions = program.names.definitionsOf(use);
  const [only] = definitions;
  return definitions.length === 1 && only?.kind === 'value' && only.value ? look(only.value) : undefined;
}

function find(root: Expression, isWanted: (node: Node) => boolean): Node | undefined {
  let found: Node | undefined;
  walk(root, (node) => {
    if (found === undefined && isWanted(node)) found = node;
    return found === undefined;
  });
  return found;
}
