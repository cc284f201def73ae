/**
 * Measures the resources of `gpu-doctor inspect` for each kind of hostile file: `hostile.ts [PART OF A NAME] [CLI]`.
 * The bounds are the project's own; they are printed, not enforced, because machines differ.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOSTILE } from '../checkpoint/fuzz/hostileFiles.ts';
import { sized } from './size.ts';

const CLI = process.argv[3] ?? join(import.meta.dirname, '../../server/src/cli.ts');
const BOUNDS = { seconds: 2, megabytes: 300, output: 1024 * 1024 };
/** Timeout of a process in milliseconds. */
const TIMEOUT_MS = 30_000;

/** Reports the process's resource usage at exit, on a separate file descriptor. */
const PROBE = `data:text/javascript,${encodeURIComponent(`
  import { existsSync, readFileSync, writeSync } from 'node:fs';
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    // Under Linux, the most that was resident counts the process that started this one.
    const own = existsSync('/proc/self/status') && /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
    const kilobytes = own ? Number(own[1]) : maxRSS;
    writeSync(3, JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: kilobytes / 1024 }));
  });
`)}`;

interface Measured {
  readonly status: number | null;
  readonly seconds: number;
  readonly megabytes: number;
  readonly output: number;
  readonly safety: string;
}

function measure(path: string): Promise<Measured> {
  const child = spawn(process.execPath, ['--import', PROBE, CLI, 'inspect', '--no-live', '--all', path], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let output = 0;
  let start = '';
  let report = '';
  const take = (chunk: Buffer) => {
    output += chunk.length;
    if (start.length < 100_000) start += chunk;
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  child.stdio[3]?.on('data', (chunk) => (report += chunk));
  const hangs = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  return new Promise((resolve) =>
    child.on('close', (status) => {
      clearTimeout(hangs);
      const used = report === '' ? { seconds: Number.POSITIVE_INFINITY, megabytes: 0 } : JSON.parse(report);
      const safety = /^ {2}safety +(.*)$/m.exec(start)?.[1] ?? start.trim().split('\n')[0] ?? '';
      resolve({ status, ...used, output, safety: safety.slice(0, 90) });
    }),
  );
}

for (const [name, write] of Object.entries(HOSTILE).slice(0, sized(Number.POSITIVE_INFINITY, 1))) {
  if (!name.includes(process.argv[2] ?? '')) continue;
  const folder = mkdtempSync(join(tmpdir(), 'gpu-doctor-hostile-'));
  const { status, seconds, megabytes, output, safety } = await measure(await write(folder));
  rmSync(folder, { recursive: true });
  const isMet = seconds <= BOUNDS.seconds && megabytes <= BOUNDS.megabytes && output <= BOUNDS.output;
  const figures = `${seconds.toFixed(1).padStart(8)} s  ${megabytes.toFixed(0).padStart(5)} MB  ${(output / 1000).toFixed(0).padStart(7)} kB`;
  console.log(`${name.padEnd(46)} ${figures}  ${status ?? 'killed'}  ${isMet ? 'met' : 'MISSED'}  ${safety}`);
}
