/** GPU202: the program chooses its device once, and every place that needs CUDA uses that device. */

import type { Program } from '../../guards/program.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import { stringOf } from '../../python/semantic/literals.ts';
import { memoize, memoizeBy } from '../../python/semantic/memoize.ts';
import type { Call } from '../../python/syntax/nodes.ts';
import type { Fix } from '../edits/fix.ts';
import { asConditional } from '../edits/placement.ts';
import { matchesIn } from '../engine/dispatch.ts';
import { EditSet } from '../engine/fixAll.ts';
import type { CudaSite } from '../queries/cudaSites.ts';
import { deviceUses } from '../queries/deviceUses.ts';
import { expressionAt, moveCallTo, namedAt } from './chosenDevice.ts';
import { chosenInPlace } from './deviceInPlace.ts';
import { isOldTorch, isTorchProgram } from './dialects.ts';
import { offerOfListItem, offerOfNeed } from './gpuNeed.ts';
import { isGpuOnlyFunction } from './gpuOnlyFunctions.ts';
import { torchAt } from './modules.ts';
import { asSuggestion, type Offer } from './offers.ts';
import { isSound } from './soundness.ts';
import { elseCpu } from './torchTest.ts';
import { underTest } from './underTest.ts';

/** An offer that keeps the program right with and without a GPU if the rest of the program follows. */
interface SiteOffer extends Offer {
  /** The variable that its edits define. */
  readonly defines?: string | undefined;
  readonly isUnsure?: boolean | undefined;
}

/**
 * Returns the one fix for all sites of a program. It is safe only if it leaves no place behind that still needs a GPU,
 * and nothing that works only on one, such as half precision.
 */
export const fixesOfSites = memoizeBy((program: Program, sites: readonly CudaSite[]): readonly Fix[] => {
  const accepted = new EditSet();
  const used: SiteOffer[] = [];
  for (const site of sites) {
    const offer = offerAt(program, site);
    const fresh = offer?.edits.filter((edit) => !accepted.has(edit));
    if (!offer || !fresh || fresh.some((edit) => accepted.touches(edit))) continue;
    for (const edit of fresh) accepted.add(edit);
    used.push(offer);
  }
  const [first, ...others] = used;
  if (!first) return [];
  const left = sites.length - used.length;
  const isSafe = left === 0 && !used.some(({ isUnsure }) => isUnsure) && isWholly(program);
  const fix: Fix = { title: titleOf(first, others.length + 1, left), edits: accepted.inOrder(), tier: 'safe' };
  return [isSafe ? fix : asSuggestion(fix)];
});

function titleOf({ title, defines }: SiteOffer, count: number, left: number): string {
  if (count === 1 && left === 0) return title;
  const what = defines === undefined ? 'Choose the device' : `Define \`${defines}\` and use it`;
  if (left === 0) return `${what} at all ${count} places`;
  return `${what} at ${count === 1 ? 'one place' : `${count} places`} (${left} more need your attention)`;
}

function offerAt(program: Program, { node, code }: CudaSite): SiteOffer | undefined {
  if (!isSound(program, node) || isGpuOnlyFunction(program, node)) return undefined;
  const isUnsure = !isTorchProgram(program) || isOldTorch(program);
  switch (code.kind) {
    case 'method': {
      const device = namedAt(program, node) ?? expressionAt(program, node);
      const offer = device && moveCallTo(program, code.call, device);
      return offer && { ...offer, defines: device.defines, isUnsure: isOldTorch(program) || offer.isUnsure };
    }
    case 'literal': {
      const offer = chosenInPlace(program, code.literal);
      return offer && { ...offer, isUnsure };
    }
    case 'template': {
      const torch = torchAt(program, node);
      if (!torch) return undefined;
      const rest = elseCpu(program, node, torch);
      return {
        title: `Add \`${rest.trim()}\``,
        edits: [...torch.edits, ...asConditional(program, node, rest)],
        isUnsure,
      };
    }
    case 'raising':
      return underTest(program, code.call);
    case 'need':
      return offerOfNeed(program, code.need);
    case 'item':
      return offerOfListItem(code.item, program);
    case 'type':
      return undefined;
  }
}

/** False for a program with half precision, which belongs to GPUs, or with devices that are pinned by number. */
const isWholly = memoize((program: Program): boolean => {
  const isPinned = matchesIn(program, deviceUses).some(({ literals }) =>
    literals.some(({ index, isDefault, evidence }) => index !== undefined && !isDefault && evidence.level === 'none'),
  );
  return !isPinned && !usesHalf(program);
});

const HALF = /^torch\.(float16|half|HalfTensor|cuda\.HalfTensor)$/;

/** True for a program that converts anything to half precision. */
export const usesHalf = memoize(({ index, names }: Program): boolean => {
  const isHalfCall = (call: Call) => calledName(call) === 'half' && call.args.length === 0;
  return (
    index.callsSpelled(['half']).some(isHalfCall) ||
    index
      .usesWhere((name) => /^(float16|half|HalfTensor)$/.test(name))
      .some((use) => names.qualify(use).some((name) => HALF.test(name))) ||
    index.strings.some((string) => /^(float16|int8_float16|fp16|half)$/.test(stringOf(string) ?? ''))
  );
});
