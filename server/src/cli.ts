#!/usr/bin/env node
/**
 * The command `gpu-doctor`. V8's compiled code is cached between runs, as `tsc` does, which halves the start-up time.
 */
import module from 'node:module';

// Available from Node 22.8 on. Without a writable folder, nothing is cached.
module.enableCompileCache?.();
void import('./cli/commandLine.ts');
