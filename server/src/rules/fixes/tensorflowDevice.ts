/** GPU201: TensorFlow's device strings. */
import type { Program } from '../../guards/program.ts';
import type { DeviceLiteral } from '../queries/deviceUses.ts';
import { isTensorflow1 } from './dialects.ts';
import { tensorflowAt } from './modules.ts';
import type { Offer } from './offers.ts';
import { asConditional } from './placement.ts';
import { quotedNear } from './quotes.ts';

/** `"/GPU:1" if len(tf.config.list_physical_devices("GPU")) > 1 else "/CPU:0"`, where `tf.device` uses the string. */
export function onTensorflow(program: Program, { node, use }: DeviceLiteral, index: number): Offer | undefined {
  const argument = use.expression.parent;
  const call = argument?.kind === 'Argument' && argument.parent?.kind === 'Call' ? argument.parent : undefined;
  const isScope = call && program.names.calleeOf(call).qualified.includes('tensorflow.device');
  const tensorflow = isScope && !isTensorflow1(program) ? tensorflowAt(program, node) : undefined;
  if (!tensorflow || node.kind !== 'Str') return undefined;
  const listed = `${tensorflow.text}.config.list_physical_devices(${quotedNear(program, node, 'GPU')})`;
  const text = program.text.slice(node.span.start, node.span.end);
  const onCpu = text.replace(/gpu:\d+/i, (name) => (name.startsWith('g') ? 'cpu:0' : 'CPU:0'));
  const rest = ` if ${index === 0 ? listed : `len(${listed}) > ${index}`} else ${onCpu}`;
  return {
    title: `Replace with \`${text}${rest}\``,
    edits: [...tensorflow.edits, ...asConditional(program, node, rest)],
  };
}
