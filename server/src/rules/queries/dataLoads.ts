/**
 * Reasons why a load without a device seldom fails: it reads data, or a file that was never saved from a missing
 * device.
 */

import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import { lastPartOf } from '../../python/semantic/accessPaths.ts';
import { fileNameOf } from '../../python/semantic/fileNames.ts';
import { enclosingClass } from '../../python/semantic/scopes.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Call, Expression, Node } from '../../python/syntax/nodes.ts';
import { findNode } from '../../python/syntax/walk.ts';
import { namesCheckpoint } from './checkpointNames.ts';
import { usesOfLoaded } from './loadedValue.ts';
import { reasonsOfOwnFile } from './ownFiles.ts';
import { onSeveralGpus } from './severalGpus.ts';
import { unusedAt } from './unusedFunctions.ts';

/**
 * Returns the reasons for a hint that the loaded value and its file give; empty for a value that is, or may be, a model
 * or a checkpoint.
 */
export function reasonsOfContent(load: Call, path: Expression | undefined, program: Program): readonly Reason[] {
  const reasons = [
    ...reasonsOfOwnFile(load, path, program),
    ...ofUses(load, path, program),
    ...unusedAt(load, program),
    ...onSeveralGpus(load, program),
    ...(path
      ? [
          ...ofPublished(path, program),
          ...ofProcessed(path, program),
          ...ofDeviceInName(path, program),
          ...ofBuffer(path, program),
        ]
      : []),
  ];
  return reasons;
}

/** Returns the reason if every use of the result treats it as data, or as a state without a device. */
function ofUses(load: Call, path: Expression | undefined, program: Program): Reason[] {
  const uses = usesOfLoaded(load, program).filter(({ role }) => role !== 'any');
  const [first] = uses;
  if (!first || uses.some(({ role }) => role === 'model')) return [];
  const arrays = uses.find(({ role }) => role === 'arrays');
  if (arrays) return [{ because: 'the result is, or becomes, a NumPy array', at: spanOf(arrays.node) }];
  if (uses.some(({ role }) => role === 'unknown')) return [];
  const data = uses.find(({ role }) => role === 'data');
  const at = spanOf((data ?? first).node);
  if (!data) return [{ because: 'it restores the state of a scheduler, scaler or sampler', at }];
  return namesCheckpoint(load, path, program) ? [] : [{ because: 'the result is only used as data', at }];
}

/** Returns the reason if torchvision publishes the file: `vgg16-397923af.pth` holds tensors of the CPU. */
function ofPublished(path: Expression, program: Program): Reason[] {
  const name = fileNameOf(path, program.names);
  return name !== undefined && /-[0-9a-f]{8}\.pth$/.test(name)
    ? [{ because: 'everybody downloads this file, which was saved from the CPU', at: spanOf(path) }]
    : [];
}

/** Returns the reason if a PyTorch Geometric dataset writes `self.processed_paths[0]` in its `process()`. */
function ofProcessed(path: Expression, program: Program): Reason[] {
  const processed = findNode(
    path,
    (node) => node.kind === 'Attribute' && /^processed_(paths|dir|file_names)$/.test(node.attr),
  );
  if (!processed) return [];
  const owner = enclosingClass(program.names.scopeOf(processed));
  const process = owner?.body.find((each) => each.kind === 'FunctionDef' && each.name === 'process');
  return [{ because: "the dataset's `process()` writes this file", at: spanOf(process ?? processed) }];
}

/** Returns the reason if each device has a separate file: `f"{device}.pt"`. */
function ofDeviceInName(path: Expression, program: Program): Reason[] {
  const named = findNode(path, isDeviceName) ?? definedBy(path, program, (value) => findNode(value, isDeviceName));
  return named ? [{ because: "the file's name contains the device", at: spanOf(named) }] : [];
}

function isDeviceName(node: Node): boolean {
  return (
    (node.kind === 'Name' || node.kind === 'Attribute') &&
    /^(device|dev|cuda_device|device_type|device_name)$/.test(lastPartOf(node) ?? '')
  );
}

/** Returns the reason if the program has filled a buffer in memory itself. */
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

/** Returns what `look` finds in the value of a name that has only one. */
function definedBy<T>(use: Expression, program: Program, look: (value: Expression) => T | undefined): T | undefined {
  if (use.kind !== 'Name' && use.kind !== 'Attribute') return undefined;
  const definitions = program.names.definitionsOf(use);
  const [only] = definitions;
  return definitions.length === 1 && only?.kind === 'value' && only.value ? look(only.value) : undefined;
}
