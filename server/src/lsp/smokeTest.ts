import { type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { SMOKE_TEST } from '../protocol.ts';
import { onRequest } from './messages.ts';
import type { Stack } from './stack.ts';

/** Runs the smoke test on the client's request and reports progress; cancelling the request ends it immediately. */
export function provideSmokeTest(connection: Connection, stack: Stack): void {
  onRequest(connection, SMOKE_TEST, async ({ workDoneToken }, token) => {
    if (!stack.scope().trusted) {
      const sentence = 'The smoke test runs Python, which Restricted Mode forbids: the workspace is not trusted.';
      throw new ResponseError(LSPErrorCodes.RequestFailed, sentence);
    }
    const progress = connection.window.attachWorkDoneProgress?.(workDoneToken);
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort());
    progress?.begin('Testing the GPUs', undefined, 'reading the stack', true);
    try {
      const facts = await stack.wholeWithRuntime();
      if (!facts) throw new ResponseError(LSPErrorCodes.RequestFailed, 'The GPU stack could not be read. See the log.');
      const [{ runSmokeTest }, { smokeMarkdown }, { thisMachine }] = await loadSmokeTest();
      const report = await runSmokeTest(thisMachine(), facts, {
        signal: controller.signal,
        onProgress: (doing) => progress?.report(doing),
      });
      if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled.');
      return { outcome: report.outcome, summary: report.summary, document: smokeMarkdown(report) };
    } finally {
      progress?.done();
    }
  });
}

/** Loaded on demand. */
function loadSmokeTest() {
  return Promise.all([
    import('../diagnosis/smoke/smoke.ts'),
    import('../diagnosis/smoke/smokeReadout.ts'),
    import('../stack/machine/machine.ts'),
  ]);
}
