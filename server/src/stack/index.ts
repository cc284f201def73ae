/** The stack for those who show it: reading, judging and wording. Loaded when the stack is first wanted. */

export { factsOfText } from '../pasted/factsOfText.ts';
export { factsFromJson } from './facts/factsFromJson.ts';
export { describeLoad, withReadings } from './live/gpuLoad.ts';
export { thisMachine } from './machine/machine.ts';
export { type PlanStep, planOf, type Way, waysOf } from './plan/plan.ts';
export { stackMarkdown, stackText } from './readout/readout.ts';
export { shareable } from './readout/shareable.ts';
export { summarizeStack } from './readout/summary.ts';
export { stackTooltip } from './readout/tooltip.ts';
export { readStack } from './readStack.ts';
export { runtimeCache } from './runtime/runtimeCache.ts';
export { judgeStack } from './verdicts.ts';
