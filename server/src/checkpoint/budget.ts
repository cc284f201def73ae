/**
 * A limit on the work of one inspection. Every reader takes the budget of its inspection and counts work before doing
 * it, so that nested readers share one limit.
 */
export interface Budget {
  /** Counts work in steps of ten nanoseconds. @throws BudgetExhausted */
  spend(steps: number): void;
  /** Counts bytes that stay in memory, and the work of filling them. @throws BudgetExhausted */
  hold(bytes: number): void;
  /** Returns a budget of at most `steps`; what it spends also counts here. */
  part(steps: number): Budget;
  /** Returns the remaining steps. */
  left(): number;
}

/** A file whose inspection costs more than the budget. The message is a clause that follows "it" or "its pickle". */
export class BudgetExhausted extends Error {
  constructor() {
    super('takes more work than an inspection allows (`gpu-doctor inspect --limits 10` allows ten times as much)');
  }
}

/**
 * The limit is in steps rather than time so that a file gets the same verdict on every machine. A step is ten
 * nanoseconds on the machine on which the costs were measured; large checkpoints of real models need a tenth of the
 * limit.
 */
const MOST_STEPS = 120_000_000;
/** In bytes; the process itself takes about 100 MB. */
const MOST_HELD = 192 * 1024 * 1024;
/**
 * Milliseconds of CPU time, in case the work costs more than was counted. A slow machine reaches the step limit first.
 */
const MOST_CPU_MS = 5_000;

/** Steps between two checks of the CPU time, each of which takes milliseconds on some systems. */
const STEPS_PER_LOOK = 10_000_000;
const BYTES_PER_STEP = 8;

/** Creates the budget of one inspection; `factor` multiplies all limits. */
export function createBudget(factor = 1): Budget {
  const [mostSteps, mostHeld, mostCpuMs] = [MOST_STEPS, MOST_HELD, MOST_CPU_MS].map((most) => most * factor) as [
    number,
    number,
    number,
  ];
  const stopwatch = createStopwatch();
  let used = 0;
  let held = 0;
  let nextCheck = STEPS_PER_LOOK;
  const exhaust = (): never => {
    // Later requests must fail too.
    used = Number.POSITIVE_INFINITY;
    throw new BudgetExhausted();
  };
  const check = () => {
    if (used > mostSteps || stopwatch.cpuMs() > mostCpuMs) exhaust();
    nextCheck = Math.min(used + STEPS_PER_LOOK, mostSteps);
  };
  const spend = (steps: number) => {
    used += steps;
    stopwatch.start();
    if (used > nextCheck) check();
  };
  const budget: Budget = {
    spend,
    hold(bytes) {
      held += bytes;
      if (held > mostHeld) exhaust();
      spend(bytes / BYTES_PER_STEP);
    },
    part: (steps) => partOf(budget, steps),
    left: () => Math.max(0, mostSteps - used),
  };
  return budget;
}

function partOf(whole: Budget, most: number): Budget {
  let used = 0;
  const use = (steps: number) => {
    used += steps;
    if (used > most) throw new BudgetExhausted();
  };
  const budget: Budget = {
    spend(steps) {
      use(steps);
      whole.spend(steps);
    },
    hold(bytes) {
      use(bytes / BYTES_PER_STEP);
      whole.hold(bytes);
    },
    part: (steps) => partOf(budget, steps),
    left: () => Math.max(0, Math.min(most - used, whole.left())),
  };
  return budget;
}

interface Stopwatch {
  /** Starts a measurement that lasts until the end of this turn of the event loop, if none is running. */
  start(): void;
  /** Returns the milliseconds of CPU time so far. */
  cpuMs(): number;
}

/**
 * Measures the turns of the event loop in which an inspection works: while it waits for bytes, a server does other work
 * on the same thread. Their CPU time is at most what elapsed in them, and at most what the process spent meanwhile.
 */
function createStopwatch(): Stopwatch {
  let total = 0;
  let elapsed = 0;
  let started: number | undefined;
  let spent = cpuNow();
  /** Counts what elapsed in this turn until now. */
  const measure = () => {
    const now = performance.now();
    elapsed += now - (started ?? now);
    return now;
  };
  return {
    start() {
      if (started !== undefined) return;
      started = performance.now();
      setImmediate(() => {
        measure();
        started = undefined;
      }).unref();
    },
    cpuMs() {
      if (started !== undefined) started = measure();
      total += Math.min(elapsed, cpuNow() - spent);
      elapsed = 0;
      spent = cpuNow();
      return total;
    },
  };
}

/** Returns the CPU time of the process so far, in milliseconds. */
function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
