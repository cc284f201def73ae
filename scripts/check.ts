/** The checks that a developer runs after each change: types, style and the quick tests, in under a minute. */
import { build } from './build.ts';
import { run } from './run.ts';
import { runTests } from './runTests.ts';

await run(async () => {
  await build();
  await runTests(['static', 'unit']);
});
