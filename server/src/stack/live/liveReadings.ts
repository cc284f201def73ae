import { setTimeout } from 'node:timers/promises';
import type { Gpu } from '../facts/facts.ts';
import { commandFailure as failureOfCommand } from '../machine/command.ts';
import { FUNERAL, startOwned } from '../machine/ownedProcess.ts';
import { numberCell, nvidiaSmiFailure, textCell } from '../readers/nvidiaSmi.ts';

/** The values of a GPU that change every second. */
export type GpuReading = Pick<Gpu, 'index' | 'uuid' | 'memoryUsed' | 'memoryTotal' | 'utilization'>;

interface ReadingsListener {
  /** All GPUs, at most once per `tick` and only after a change. */
  onReadings(readings: GpuReading[]): void;
  /** No more readings will follow; includes the reason, a sentence fragment without a period. */
  onGivenUp(reason: string): void;
}

export interface ReadingsLimits {
  /** Milliseconds between two updates. */
  tick: number;
  /** Ticks without a reading after which nvidia-smi counts as hung; a host with eight idle GPUs needs ten seconds. */
  silence: number;
  /** Characters per tick, more than any machine's GPUs need. */
  flood: number;
  /** Milliseconds before nvidia-smi is restarted, doubled after each failure. */
  pause: number;
  /** Consecutive exits of nvidia-smi before giving up. */
  attempts: number;
  /** Ticks with readings that reset the count of exits. */
  proof: number;
}

const LIMITS: ReadingsLimits = { tick: 1000, silence: 15, flood: 256 * 1024, pause: 1000, attempts: 5, proof: 15 };

/** With `--loop`, rounds are flushed one by one even into a pipe; in seconds. */
const ARGUMENTS = [
  '--query-gpu=index,uuid,memory.used,memory.total,utilization.gpu',
  '--format=csv,noheader,nounits',
  '--loop=2',
];

const LONGEST_LINE = 1024;

/**
 * Follows memory and load of all NVIDIA GPUs with one nvidia-smi process until the signal stops it. A process that
 * exits, hangs or floods is restarted after increasing pauses, and given up if it keeps failing. Never throws; resolves
 * when the last process is gone, so that callers never run two.
 *
 * If this process dies without cleaning up, nvidia-smi's next line fails because nobody reads it, which ends it; on
 * Windows, the system ends Node.js's children with it.
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
  /** The number of GPUs with readings. */
  ticks: number;
  /** Resolves when the process is gone. */
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
  // Errors are not read, and must not block the process.
  stderr.resume();
  const readings = new Map<number, GpuReading>();
  /** The last other output: the reason if it exits. */
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
      if (characters > limits.flood) return finish('nvidia-smi produced endless output');
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
      const trouble = nvidiaSmiFailure({ stdout: said, stderr: '', exitCode: ending.exitCode, failure });
      finish(trouble?.reason ?? 'nvidia-smi exited by itself');
    });
  });
}

/** Parses one line for one GPU; undefined for anything else. */
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
