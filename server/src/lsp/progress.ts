import type { Connection } from 'vscode-languageserver';

/** Milliseconds after which progress is shown. */
const SHOWN_AFTER_MS = 500;

interface ClientProgress {
  report(done: number, all: number): void;
  done(): void;
}

/** Reports progress in the client's window if the work takes a long time. */
export function createProgress(connection: Connection, isShown: boolean, title: string): ClientProgress {
  const start = performance.now();
  let shown: ReturnType<Connection['window']['createWorkDoneProgress']> | undefined;
  return {
    report(done, all) {
      if (!isShown || performance.now() - start < SHOWN_AFTER_MS) return;
      shown ??= connection.window.createWorkDoneProgress().then((progress) => {
        progress.begin(title, 0);
        return progress;
      });
      void shown.then((progress) => progress.report(Math.floor((100 * done) / all))).catch(() => {});
    },
    done: () => void shown?.then((progress) => progress.done()).catch(() => {}),
  };
}
