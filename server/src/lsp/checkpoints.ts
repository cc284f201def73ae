import type { Connection } from 'vscode-languageserver/node';
import { NotRegular } from '../checkpoint/bytes.ts';
import { describeSystemError } from '../files/trouble.ts';
import {
  type CheckpointAnswer,
  JUDGE_CHECKPOINT,
  type JudgementHere,
  READ_CHECKPOINT,
  type ShownLoadable,
} from '../protocol.ts';
import type { Stack } from './stack.ts';

/** Answers an editor that shows checkpoints: what is inside, and whether it loads on this machine. */
export function provideCheckpoints(connection: Connection, stack: Stack): void {
  connection.onRequest(READ_CHECKPOINT, async (path: string): Promise<CheckpointAnswer> => {
    // Loaded when first wanted: most sessions open no checkpoint.
    const [{ readCheckpoint }, { viewOf }] = await Promise.all([
      import('../checkpoint/read.ts'),
      import('../report/checkpointView.ts'),
    ]);
    try {
      return { view: viewOf(await readCheckpoint(path)) };
    } catch (error) {
      const why = error instanceof NotRegular ? error.message : describeSystemError(error);
      return { trouble: `The file ${why}.` };
    }
  });

  connection.onRequest(JUDGE_CHECKPOINT, async (loadable: ShownLoadable): Promise<JudgementHere> => {
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
