/** `CUDA_VISIBLE_DEVICES` set to GPUs of the author's machine. */

import { reasonsOf } from '../../guards/evidence.ts';
import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { type VisibleSetting, visibleSettingsOf } from './visibleDevices.ts';

interface PinnedDevices {
  readonly setting: VisibleSetting;
  /** The first GPU in the list. */
  readonly index: number;
  /** Reasons why the setting is only a hint. */
  readonly reasons: readonly Reason[];
}

/** Returns the settings that name a GPU by its number. The first GPU, no GPU, and all GPUs do not count as pins. */
export function pinnedVisibleDevices(program: Program): PinnedDevices[] {
  return visibleSettingsOf(program).all.flatMap((setting) => {
    const entries = setting.value?.split(',').map((entry) => entry.trim()) ?? [];
    if (entries.length === 0 || !entries.every((entry) => /^\d+$/.test(entry))) return [];
    const numbers = entries.map(Number);
    const [index = 0] = numbers;
    if (index === 0 && numbers.length === 1) return [];
    const isFromFirst = numbers.every((number, at) => number === at);
    const evidence = program.guards.evidenceAt(conditionsOf(setting.node));
    const reasons = isFromFirst
      ? [{ because: 'CUDA ignores missing GPUs in the list', at: setting.span }]
      : reasonsOf(evidence);
    return [{ setting, index, reasons }];
  });
}
