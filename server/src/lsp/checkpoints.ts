import { basename } from 'node:path';
import type { Connection } from 'vscode-languageserver';
import type { Checkpoint } from '../checkpoint/checkpoint.ts';
import { describeSystemError } from '../files/trouble.ts';
import { COMPARE_CHECKPOINTS, JUDGE_CHECKPOINT, READ_CHECKPOINT } from '../protocol.ts';
import { onRequest } from './messages.ts';
import type { Stack } from './stack.ts';

/** Answers requests about checkpoints: their contents, and whether they load on this machine. */
export function provideCheckpoints(connection: Connection, stack: Stack): void {
  onRequest(connection, READ_CHECKPOINT, async (path) => {
    // Loaded on demand: most sessions open no checkpoint.
    const [{ readCheckpoint }, { viewOf }] = await Promise.all([
      import('../checkpoint/read.ts'),
      import('../report/checkpointView.ts'),
    ]);
    try {
      return { view: viewOf(await readCheckpoint(path)) };
    } catch (error) {
      const why = describeSystemError(error);
      return { trouble: `The file ${why}.` };
    }
  });

  onRequest(connection, COMPARE_CHECKPOINTS, async ({ paths }) => {
    const [{ readCheckpoint }, { compareCheckpoints }, { comparedTexts }] = await Promise.all([
      import('../checkpoint/read.ts'),
      import('../checkpoint/compare.ts'),
      import('../report/checkpointComparison.ts'),
    ]);
    const checkpoints: Checkpoint[] = [];
    for (const path of paths) {
      try {
        const checkpoint = await readCheckpoint(path);
        if (checkpoint.tensors.length === 0)
          return { trouble: `\`${basename(path)}\` has no tensors to compare. ${checkpoint.problems[0] ?? ''}`.trim() };
        checkpoints.push(checkpoint);
      } catch (error) {
        const why = describeSystemError(error);
        return { trouble: `\`${basename(path)}\` ${why}.` };
      }
    }
    const [first, second] = checkpoints as [Checkpoint, Checkpoint];
    const names = [basename(paths[0]), basename(paths[1])] as const;
    return { texts: comparedTexts(names, [first, second], compareCheckpoints(first, second)) };
  });

  onRequest(connection, JUDGE_CHECKPOINT, async (loadable) => {
    const [facts, { judgeCheckpoint }, { hereFrom }, { memoryIn }, { mainMemory }, { judgementOf }, { fitOf }] =
      await Promise.all([
        stack.whole(),
        import('../loading/checkpointHere.ts'),
        import('../loading/here.ts'),
        import('../loading/memoryHere.ts'),
        import('../stack/machine/mainMemory.ts'),
        import('../report/checkpointView.ts'),
        import('../report/checkpointFit.ts'),
      ]);
    const here = facts ? hereFrom(facts) : { devices: {} };
    const judgement = judgementOf(judgeCheckpoint(loadable, here));
    return { ...judgement, memory: fitOf(loadable.weights, facts && memoryIn(facts, mainMemory())) };
  });
}
