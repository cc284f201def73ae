#!/usr/bin/env node
/** The command `gpu-doctor`. */
import { isMainThread } from 'node:worker_threads';
import { main } from './cli/main.ts';
import { untilWritten } from './cli/untilWritten.ts';

if (isMainThread) void untilWritten(() => main(process.argv.slice(2)));
else import('./cli/checkWorker.ts').then(({ runCheckWorker }) => runCheckWorker());
