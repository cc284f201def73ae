/** Replaces Node's timers: those are objects that do not have to keep a process alive, while a browser uses numbers. */

class Timer {
  readonly id: number;

  constructor(id: unknown) {
    this.id = id as number;
  }

  /** Does nothing, because a worker ends with its page. */
  unref(): this {
    return this;
  }
}

export function setTimeout(act: (...args: unknown[]) => void, milliseconds?: number, ...args: unknown[]): Timer {
  return new Timer(globalThis.setTimeout(act, milliseconds, ...args));
}

export function clearTimeout(timer: Timer | undefined): void {
  globalThis.clearTimeout(timer?.id);
}

const waiting: (() => void)[] = [];
const channel = new MessageChannel();
channel.port1.addEventListener('message', () => waiting.shift()?.());
channel.port1.start();

/** Calls back after messages that have already arrived, without the four-millisecond delay of nested timeouts. */
export function setImmediate(act: () => void): void {
  waiting.push(act);
  channel.port2.postMessage(null);
}
