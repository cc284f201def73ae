/** Entry of each command line thread: the first one runs the command, the others run parts of a `check`. */
import { isMainThread } from 'node:worker_threads';
import { main } from './main.ts';
import { untilWritten } from './untilWritten.ts';

if (isMainThread) void untilWritten(() => main(process.argv.slice(2)));
else import('./checkWorker.ts').then(({ runCheckWorker }) => runCheckWorker());
