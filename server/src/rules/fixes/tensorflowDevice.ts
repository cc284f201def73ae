/** GPU201: TensorFlow's device strings. */

import type { Program } from '../../guards/program.ts';
import { firstTensorflowWith } from '../../published/releases/tensorflowReleases.ts';
import { isSince } from '../../published/specifier.ts';
import { callTaking } from '../../python/semantic/arguments.ts';
import { isString } from '../../python/semantic/literals.ts';
import { asConditional } from '../edits/placement.ts';
import type { Knowledge } from '../engine/contract.ts';
import type { DeviceLiteral } from '../queries/deviceUses.ts';
import { isTensorflow1 } from '../queries/kerasBackend.ts';
import { tensorflowAt } from './modules.ts';
import type { Offer } from './offers.ts';
import { quotedNear } from './quotes.ts';

/**
 * Returns the function that lists the devices, under a name that exists in every TensorFlow version that the program
 * may use.
 */
export function listerOf(
  tensorflow: string,
  { tensorflowVersion, tensorflowRequirement }: Knowledge,
): string | undefined {
  const known = { version: tensorflowVersion, requirement: tensorflowRequirement };
  if (isSince(firstTensorflowWith('device_list'), known)) return `${tensorflow}.config.list_physical_devices`;
  return isSince(firstTensorflowWith('experimental_device_list'), known)
    ? `${tensorflow}.config.experimental.list_physical_devices`
    : undefined;
}

/**
 * Writes `"/GPU:1" if len(tf.config.list_physical_devices("GPU")) > 1 else "/CPU:0"` where `tf.device` uses the string.
 */
export function onTensorflow(
  program: Program,
  { node, use }: DeviceLiteral,
  index: number,
  known: Knowledge,
): Offer | undefined {
  const call = callTaking(use.expression);
  const isScope = call && program.names.calleeOf(call).qualified.includes('tensorflow.device');
  const tensorflow = isScope && !isTensorflow1(program, known) ? tensorflowAt(program, node) : undefined;
  const list = tensorflow && listerOf(tensorflow.text, known);
  if (!list || !isString(node)) return undefined;
  const listed = `${list}(${quotedNear(program, node, 'GPU')})`;
  const text = program.text.slice(node.start, node.end);
  const onCpu = text.replace(/gpu:\d+/i, (name) => (name.startsWith('g') ? 'cpu:0' : 'CPU:0'));
  const rest = ` if ${index === 0 ? listed : `len(${listed}) > ${index}`} else ${onCpu}`;
  return {
    title: `Replace with \`${text}${rest}\``,
    edits: [...tensorflow.edits, ...asConditional(program, node, rest)],
  };
}
