#!/usr/bin/env node
/** The command `gpu-doctor`. */
import { main } from './cli/main.ts';

// Who reads only the first lines closes the pipe; that is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

main(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
