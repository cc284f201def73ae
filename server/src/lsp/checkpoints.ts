import type { Connection } from 'vscode-languageserver/node';
import { describeSystemError } from '../project/trouble.ts';
import {
  type CheckpointAnswer,
  JUDGE_CHECKPOINT,
  type Judgement,
  type Loadable,
  READ_CHECKPOINT,
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
      return { trouble: `The file ${describeSystemError(error)}.` };
    }
  });

  connection.onRequest(JUDGE_CHECKPOINT, async (loadable: Loadable): Promise<Judgement> => {
    const [facts, { judgeCheckpoint }, { hereFrom }, { judgementOf }] = await Promise.all([
      stack.whole(),
      import('../rules/queries/checkpointHere.ts'),
      import('../rules/queries/here.ts'),
      import('../report/checkpointView.ts'),
    ]);
    return judgementOf(judgeCheckpoint(loadable, facts ? hereFrom(facts) : { devices: {} }));
  });
}
