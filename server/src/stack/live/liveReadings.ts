import { setTimeout } from 'node:timers/promises';
import type { Gpu } from '../facts/facts.ts';
import { failureOf as failureOfCommand } from '../machine/command.ts';
import { FUNERAL, startOwned } from '../machine/ownedProcess.ts';
import { failureOf, numberCell, textCell } from '../readers/nvidiaSmi.ts';

/** What changes from one second to the next on a GPU. */
export type GpuReading = Pick<Gpu, 'index' | 'uuid' | 'memoryUsed' | 'memoryTotal' | 'utilization'>;

export interface ReadingsListener {
  /** All GPUs, at most once in a `tick` and only when something has changed. */
  onReadings(readings: GpuReading[]): void;
  /** Nothing more will come, and why: a sentence fragment without a full stop. */
  onGivenUp(reason: string): void;
}

export interface ReadingsLimits {
  /** Milliseconds between two looks at what has come. */
  tick: number;
  /** Ticks without a reading after which nvidia-smi is taken for hung; a host with eight idle GPUs needs ten seconds. */
  silence: number;
  /** Characters within a tick that no machine's GPUs need. */
  flood: number;
  /** Milliseconds before nvidia-smi is started again; twice as many each time after that. */
  pause: number;
  /** Times in a row that nvidia-smi may end before it is given up. */
  attempts: number;
  /** Ticks with readings that make up for earlier ends. */
  proof: number;
}

const LIMITS: ReadingsLimits = { tick: 1000, silence: 15, flood: 256 * 1024, pause: 1000, attempts: 5, proof: 15 };

/** Rounds of `--loop`, in seconds, are flushed one by one also into a pipe. */
const ARGUMENTS = [
  '--query-gpu=index,uuid,memory.used,memory.total,utilization.gpu',
  '--format=csv,noheader,nounits',
  '--loop=2',
];

const LONGEST_LINE = 1024;

/**
 * Follows memory and utilisation of all NVIDIA GPUs by one nvidia-smi, which runs until the signal ends it at once. One
 * that ends, hangs or floods is started again, after longer and longer pauses, and given up when it keeps doing so.
 * Never throws; done when the last process is gone, so that whoever waits for that never has two.
 *
 * Where this process dies without a chance to clean up, nvidia-smi's next line finds nobody to read it, which ends it;
 * on Windows, Node.js has the system end its children with it.
 */
export async function followReadings(
  program: string,
  { onReadings, onGivenUp }: ReadingsListener,
  signal: AbortSignal,
  limits: ReadingsLimits = LIMITS,
): Promise<void> {
  for (let failures = 1; !signal.aborted; failures++) {
    const { reason, ticks, gone } = await readUntilEnd(program, onReadings, signal, limits);
    if (signal.aborted) return gone;
    if (ticks >= limits.proof) failures = 1;
    const isGone = await Promise.race([gone.then(() => true), setTimeout(FUNERAL, false)]);
    if (signal.aborted) return gone;
    if (!isGone || failures >= limits.attempts) {
      onGivenUp(reason);
      return gone;
    }
    await setTimeout(limits.pause * 2 ** (failures - 1), undefined, { signal }).catch(() => {});
  }
}

interface Ending {
  reason: string;
  /** How many had readings. */
  ticks: number;
  /** Resolves when the process is no more. */
  gone: Promise<void>;
}

function readUntilEnd(
  program: string,
  onReadings: ReadingsListener['onReadings'],
  signal: AbortSignal,
  limits: ReadingsLimits,
): Promise<Ending> {
  const { stdout, stderr, ended, end, ...child } = startOwned(program, ARGUMENTS);
  const gone = child.gone.then(child.release);
  // Nobody reads what it complains of, and it must not wait for that.
  stderr.resume();
  const readings = new Map<number, GpuReading>();
  /** What else was printed last: why it ended, if it did. */
  let said = '';
  let rest = '';
  let published = '';
  let characters = 0;
  let fresh = false;
  let ticks = 0;
  let silentTicks = 0;

  return new Promise((resolve) => {
    const finish = (reason: string) => {
      clearInterval(timer);
      signal.removeEventListener('abort', abort);
      end();
      for (const stream of [stdout, stderr]) stream.destroy();
      resolve({ reason, ticks, gone });
    };
    const abort = () => finish('called off');
    const look = () => {
      characters = 0;
      if (!fresh && ++silentTicks >= limits.silence) finish('nvidia-smi has stopped answering');
      if (!fresh) return;
      fresh = false;
      silentTicks = 0;
      ticks++;
      const all = [...readings.values()].sort((left, right) => left.index - right.index);
      const news = JSON.stringify(all);
      if (news === published) return;
      published = news;
      onReadings(all);
    };
    const timer = setInterval(look, limits.tick);
    signal.addEventListener('abort', abort);
    stdout.setEncoding('latin1').on('data', (text: string) => {
      characters += text.length;
      if (characters > limits.flood) return finish('nvidia-smi printed without end');
      const lines = (rest + text).split('\n');
      rest = lines.pop()?.slice(-LONGEST_LINE) ?? '';
      for (const line of lines) {
        const reading = parseReading(line);
        if (reading !== undefined) readings.set(reading.index, reading);
        else if (line.trim() !== '') said = line.slice(0, LONGEST_LINE);
        fresh ||= reading !== undefined;
      }
    });
    void ended.then((ending) => {
      const failure = failureOfCommand(ending);
      const trouble = failureOf({ stdout: said, stderr: '', exitCode: ending.exitCode, failure });
      finish(trouble?.reason ?? 'nvidia-smi ended by itself');
    });
  });
}

/** One line for one GPU, or undefined for anything else. */
export function parseReading(line: string): GpuReading | undefined {
  const [index = '', uuid, used, total, utilization, ...others] = line.trim().split(/,\s+/);
  if (!/^\d{1,3}$/.test(index) || utilization === undefined || others.length > 0) return undefined;
  return {
    index: Number(index),
    uuid: textCell(uuid),
    memoryUsed: numberCell(used),
    memoryTotal: numberCell(total),
    utilization: numberCell(utilization),
  };
}
