/** What a thread of the command line does: the first one what its arguments say, any other one a part of a `check`. */
import { isMainThread } from 'node:worker_threads';
import { main } from './main.ts';
import { untilWritten } from './untilWritten.ts';

if (isMainThread) void untilWritten(() => main(process.argv.slice(2)));
else import('./checkWorker.ts').then(({ runCheckWorker }) => runCheckWorker());
