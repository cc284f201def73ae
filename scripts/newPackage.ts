/**
 * Begins a package: `npm run new-package -- some-name` writes the file that says everything of it. All checks pass right after it;
 * what the file says is then made that of the package.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { normalized } from '../server/src/published/packageName.ts';
import { root } from './root.ts';
import { run } from './run.ts';

await run(async () => {
  const [name = ''] = process.argv.slice(2);
  if (!/^[a-z]/.test(name) || name !== normalized(name) || !/^[a-z0-9-]+$/.test(name))
    throw new Error('Name the package as package indexes spell it: npm run new-package -- some-name');
  const file = `server/src/published/packages/${name}.yaml`;
  if (existsSync(path.join(root, file))) throw new Error(`There is ${file} already.`);
  await writeFile(path.join(root, file), packageFile(name));
  console.log(`wrote ${file}`);
});

function packageFile(name: string): string {
  const module = name.replaceAll('-', '_');
  return `# What it is, and where what stands here comes from. packageSchema.ts explains each key; vllm.yaml has most of them.
as_of: "${new Date().toISOString().slice(0, 7)}"
# The modules that Python imports of it; by_name: installing ${name} is all that whoever lacks them has to do.
imports: [${module}]
by_name: true
# The framework that it computes with; related: it is among the facts of a machine; computes: a project that imports it needs a plan with it.
needs: torch
related: true
computes: true
release_messages: all
`;
}
