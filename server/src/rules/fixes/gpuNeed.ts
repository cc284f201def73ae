/** GPU202: a library call that needs a GPU uses the library's own fallback. */

import type { Program } from '../../guards/program.ts';
import { argumentOf, argumentsOf, keywordOf } from '../../python/semantic/arguments.ts';
import { isDisplay, stringOf } from '../../python/semantic/literals.ts';
import type { Expression } from '../../python/syntax/nodes.ts';
import { hasBrackets } from '../edits/arguments.ts';
import { asConditional, insertion, isAloneOnItsLines, replacement, underHeader } from '../edits/placement.ts';
import { statementAround } from '../queries/blocks.ts';
import type { GpuListItem } from '../queries/gpuListItems.ts';
import type { GpuNeedSite } from '../queries/gpuNeeds.ts';
import { torchAt } from './modules.ts';
import type { Offer } from './offers.ts';
import { quotedNear } from './quotes.ts';
import { isSound } from './soundness.ts';

/** Returns the library's own fallback; unsure if it also changes the behavior on a GPU. */
export function offerOfNeed(program: Program, site: GpuNeedSite): (Offer & { readonly isUnsure: boolean }) | undefined {
  const { call, node } = site;
  // Half precision would stay behind on the CPU.
  if (call && argumentsOf(call).some(({ value }) => /float16|fp16|half/.test(stringOf(value) ?? ''))) return undefined;
  const offer = isSound(program, node) ? offerOf(program, site) : undefined;
  return offer && { ...offer, isUnsure: !isEquivalent(site) };
}

/** True if the program behaves the same as before on a GPU. */
function isEquivalent({ need, call }: GpuNeedSite): boolean {
  const { fix } = need;
  if (!fix) return false;
  if ('test' in fix || 'otherwise' in fix || 'item' in fix) return true;
  if ('function' in fix) return fix.function.startsWith('prefer');
  // `auto` selects the GPU if available; a `Trainer` with an explicit strategy may not accept a CPU.
  return (
    'value' in fix && fix.value === 'auto' && !!call && !keywordOf(call, 'strategy') && !keywordOf(call, 'precision')
  );
}

function offerOf(program: Program, { need, node, call }: GpuNeedSite): Offer | undefined {
  const { fix } = need;
  if (!fix) return undefined;
  if ('value' in fix) return inPlaceOf(node, quotedNear(program, node, fix.value));
  if ('test' in fix || 'otherwise' in fix) {
    const torch = torchAt(program, node);
    if (!torch) return undefined;
    const test = `${torch.text}.cuda.is_available()`;
    if ('test' in fix)
      return { ...inPlaceOf(node, test), edits: [...torch.edits, replacement(node.start, node.end, test)] };
    const rest = ` if ${test} else ${quotedNear(program, node, fix.otherwise)}`;
    return { title: `Add \`${rest.trim()}\``, edits: [...torch.edits, ...asConditional(program, node, rest)] };
  }
  if ('item' in fix) {
    const last = isDisplay(node) ? node.elts.at(-1) : undefined;
    const item = last && quotedNear(program, last, fix.item);
    return last && { title: `Add \`${item}\``, edits: [insertion(last.end, `, ${item}`)] };
  }
  if (!call || !hasBrackets(program, call)) return undefined;
  if ('function' in fix) {
    const { func } = call;
    const start = func.kind === 'Attribute' ? func.end - func.attr.length : undefined;
    // An imported name would require another import.
    return start === undefined
      ? undefined
      : { title: `Replace with \`${fix.function}\``, edits: [replacement(start, func.end, fix.function)] };
  }
  const argument = argumentOf(node);
  if (!argument) return undefined;
  if (fix.arguments !== '') {
    const newCode = fix.arguments.replaceAll('"', quotedNear(program, node, '').charAt(0));
    const names = fix.arguments.split(', ').map((each) => each.split('=')[0]);
    const isPresent = argumentsOf(call).some(({ name }) => name !== undefined && names.includes(name));
    return isPresent
      ? undefined
      : { title: `Replace with \`${newCode}\``, edits: [replacement(argument.start, argument.end, newCode)] };
  }
  return argumentsOf(call).length === 1
    ? {
        title: `Remove \`${program.text.slice(argument.start, argument.end)}\``,
        edits: [replacement(argument.start, argument.end, '')],
      }
    : undefined;
}

function inPlaceOf(node: Expression, text: string): Offer {
  return { title: `Replace with \`${text}\``, edits: [replacement(node.start, node.end, text)] };
}

/** Runs `tf.config.set_memory_growth(gpus[0], True)` only if the list has an item. */
export function offerOfListItem({ node, list }: GpuListItem, program: Program): Offer | undefined {
  const statement = statementAround(node);
  if (!statement || list.kind !== 'Name' || !isSound(program, node)) return undefined;
  if (statement.kind !== 'Expr' || !isAloneOnItsLines(program, statement)) return undefined;
  const header = `if ${list.id}:`;
  return { title: `Guard with \`${header}\``, edits: underHeader(program, statement, header) };
}
