/** Prints the seconds that judging the files of a list takes: `timeLint.ts LIST.json`. */
import { readFileSync } from 'node:fs';
import { lint } from '../../server/src/lint/lint.ts';
import { script } from '../../server/src/python/semantic/source.ts';

const files: string[] = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const sources = files.map((file) => script(file, readFileSync(file, 'utf8')));
const start = performance.now();
for (const source of sources) lint(source);
console.log((performance.now() - start) / 1000);
