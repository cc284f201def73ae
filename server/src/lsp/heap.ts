import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Number of programs that are read before their memory is released. */
const PROGRAMS = 16;

interface Heap {
  /** Called for each program that is read, but not for a keystroke, which leaves little garbage. */
  grew(): void;
}

/**
 * Releases memory while an editor opens files. Without this the server takes 193 MB for 500 files instead of 128: by
 * the time programs are no longer needed, they are too old for V8's frequent small collections.
 */
export function createHeap(): Heap {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  let programs = 0;
  return {
    grew() {
      programs++;
      if (programs % PROGRAMS === 0 && typeof collect === 'function') setImmediate(() => collect());
    },
  };
}
