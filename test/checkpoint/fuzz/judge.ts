/** Python's own readers as a reference for ours: `judge.py` in a process that answers one stream after another. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Debian's Python comes first, because it has the PyTorch of the tests. */
const PYTHONS = [...(process.env.FUZZ_PYTHON ? [process.env.FUZZ_PYTHON] : []), '/usr/bin/python3', 'python3'];

export type Kind = 'pickle' | 'tar' | 'numpy' | 'torch' | 'joblib';

const LETTERS: Readonly<Record<Kind, string>> = { pickle: 'p', tar: 't', numpy: 'n', torch: 'l', joblib: 'j' };
const MODULES: Readonly<Partial<Record<Kind, string>>> = { numpy: 'numpy', torch: 'torch', joblib: 'joblib' };

/** An import with module and name, or a call with the callee's name and its number of arguments. */
export type Event =
  | readonly ['import', module: string, name: string]
  | readonly ['call', callee: string, count: number];

/** The outcome of unpickling a stream: `stop`, `limit` if the judge's limit was reached, or the error. */
export interface Unpickled {
  readonly end: string;
  readonly events: readonly Event[];
}

export interface Judge {
  /** The answers to streams, in order. */
  ask<T>(kind: Kind, streams: readonly Buffer[]): Promise<T[]>;
  stop(): void;
}

/** Starts a judge; undefined if no Python on this machine has the required packages. */
export function startJudge(kind: Kind): Judge | undefined {
  const question = `import ${MODULES[kind] ?? 'pickle'}, resource`;
  const python = PYTHONS.find((each) => spawnSync(each, ['-c', question], { stdio: 'ignore' }).status === 0);
  if (python === undefined) return undefined;
  const child: ChildProcess = spawn(python, ['-I', join(import.meta.dirname, 'judge.py')], {
    // It warns about escapes, and about buffers still in use after a failed stream.
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('The judge has no pipes.');
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return {
    async ask<T>(asked: Kind, streams: readonly Buffer[]): Promise<T[]> {
      for (const stream of streams) {
        const head = Buffer.alloc(5);
        head.write(LETTERS[asked], 0);
        head.writeUInt32LE(stream.length, 1);
        stdin.write(Buffer.concat([head, stream]));
      }
      const answers: T[] = [];
      while (answers.length < streams.length) {
        const { value, done } = await lines.next();
        if (done) throw new Error('The judge has ended.');
        answers.push(JSON.parse(value) as T);
      }
      return answers;
    },
    stop: () => stdin.end(),
  };
}
