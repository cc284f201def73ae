/** The exception at which a debug adapter stopped, from the `exceptionInfo` response of its protocol. */
export interface ExceptionInfo {
  readonly exceptionId: string;
  readonly description?: string | null;
  readonly details?: { readonly stackTrace?: string | null } | null;
}

/**
 * The exception as Python prints it. `debugpy` reports the calls of each chained exception in reverse order. For a
 * multi-line statement it also reports lines other than the failing one; these are omitted.
 */
export function tracebackOf({ exceptionId, description, details }: ExceptionInfo): string {
  const lines = (details?.stackTrace ?? '').split('\n');
  const written: string[] = [];
  let calls: string[][] = [];
  for (const line of lines) {
    if (/^ {2}File "/.test(line)) calls.push([line]);
    else if (/^ {4}/.test(line)) calls.at(-1)?.push(line);
    else {
      if (calls.length > 0) written.push('Traceback (most recent call last):', ...calls.reverse().flatMap(callOf));
      calls = [];
      written.push(line);
    }
  }
  return written.some((line) => line !== '') ? written.join('\n') : `${exceptionId}: ${description ?? ''}`;
}

function callOf([head = '', ...below]: readonly string[]): string[] {
  const code = below.filter((line) => !/^[\s~^]+$/.test(line));
  return code.length === 1 ? [head, ...code] : [head];
}
