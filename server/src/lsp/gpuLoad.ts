import type { Connection } from 'vscode-languageserver';
import { WATCH_LOAD } from '../protocol.ts';
import { knownValue, type StackFacts } from '../stack/facts/facts.ts';
import type { GpuReading } from '../stack/live/liveReadings.ts';
import { onNotification } from './messages.ts';

interface GpuLoad {
  /** The newest readings; empty while the load is not followed. */
  readonly readings: readonly GpuReading[];
  /** The reason why following was given up. */
  readonly trouble: string | undefined;
  /** Learns from facts whether there are GPUs whose load can be followed. */
  useFacts(facts: StackFacts): void;
  /** Retries after giving up. */
  retry(): void;
}

/** Follows the load of NVIDIA GPUs while the client watches it and calls `changed` when it changes. */
export function followGpuLoad(connection: Connection, changed: () => void): GpuLoad {
  let watched = false;
  let hasGpus = false;
  let readings: readonly GpuReading[] = [];
  let trouble: string | undefined;
  let following: AbortController | undefined;
  let last: Promise<void> = Promise.resolve();

  const update = () => {
    const wanted = watched && hasGpus && trouble === undefined;
    if (wanted === (following !== undefined)) return;
    if (wanted) {
      const controller = new AbortController();
      following = controller;
      // The previous process must end first: there is never more than one.
      last = last.then(() => follow(controller.signal));
    } else {
      following?.abort();
      following = undefined;
      readings = [];
      changed();
    }
  };
  const giveUp = (reason: string) => {
    trouble = reason;
    connection.console.warn(`The GPU load cannot be followed: ${reason}.`);
    update();
  };
  const follow = async (signal: AbortSignal): Promise<void> => {
    const { followReadings, locateNvidiaSmi, thisMachine } = await loadReaders();
    const program = await locateNvidiaSmi(thisMachine());
    if (signal.aborted) return;
    // Some containers have GPUs but not the tool.
    if (program === undefined) return giveUp('nvidia-smi not found');
    const onReadings = (fresh: readonly GpuReading[]) => {
      readings = fresh;
      changed();
    };
    await followReadings(program, { onReadings, onGivenUp: giveUp }, signal);
  };

  onNotification(connection, WATCH_LOAD, (watch) => {
    watched = watch.watched;
    update();
  });
  return {
    get readings() {
      return readings;
    },
    get trouble() {
      return trouble;
    },
    useFacts({ gpus }) {
      if ('pending' in gpus) return;
      hasGpus = Boolean(knownValue(gpus)?.length);
      update();
    },
    retry() {
      trouble = undefined;
      update();
    },
  };
}

async function loadReaders() {
  const [liveReadings, machine, nvidiaSmi] = await Promise.all([
    import('../stack/live/liveReadings.ts'),
    import('../stack/machine/machine.ts'),
    import('../stack/readers/nvidiaSmi.ts'),
  ]);
  return { ...liveReadings, ...machine, ...nvidiaSmi };
}
