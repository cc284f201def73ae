/** Reads, judges and describes the stack, for everything that shows it. Loaded when the stack is first needed. */

export { factsOfText } from '../pasted/factsOfText.ts';
export { factsFromJson } from '../stack/facts/factsFromJson.ts';
export { describeLoad, withReadings } from '../stack/live/gpuLoad.ts';
export { thisMachine } from '../stack/machine/machine.ts';
export { readStack } from '../stack/readStack.ts';
export { runtimeCache } from '../stack/runtime/runtimeCache.ts';
export { judgeStack } from './judgeStack.ts';
export { stackMarkdown, stackText } from './readout/readout.ts';
export { shareable } from './readout/shareable.ts';
export { stackOwner } from './readout/stackOwner.ts';
export { summarizeStack } from './readout/summary.ts';
export { remedyLine, stackTooltip } from './readout/tooltip.ts';
export { type PlanStep, planOf, type Way, waysOf } from './remedies/remedyPlan.ts';
