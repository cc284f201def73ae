#!/usr/bin/env node
/** The command `gpu-doctor`. */
import { isMainThread } from 'node:worker_threads';
import { main } from './cli/main.ts';

// Who reads only the first lines closes the pipe; that is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

if (isMainThread) {
  main(process.argv.slice(2)).then((exitCode) => {
    process.exitCode = exitCode;
  });
} else import('./cli/checkWorker.ts').then(({ runCheckWorker }) => runCheckWorker());
