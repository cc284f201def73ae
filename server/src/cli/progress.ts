/**
 * A line on a terminal that shows progress and disappears afterward. Prints nothing if the output is not a terminal.
 */
interface TerminalProgress {
  show(done: number, of: number, what: string): void;
  clear(): void;
}

export function progressOn(stream: NodeJS.WriteStream): TerminalProgress {
  if (!stream.isTTY) return { show: () => {}, clear: () => {} };
  return {
    show(done, of, what) {
      const line = `${done} of ${of}  ${what}`.slice(0, Math.max(20, stream.columns - 1));
      stream.write(`\r\u001b[K${line}`);
    },
    clear() {
      stream.write('\r\u001b[K');
    },
  };
}
