#!/usr/bin/env node
/** The command `gpu-doctor`. What V8 compiles of it is kept between runs, as that of `tsc` is: starting takes half as long. */
import module from 'node:module';

// Node knows this from 22.8 on. Where nothing can be written, nothing is kept.
module.enableCompileCache?.();
void import('./cli/commandLine.ts');
