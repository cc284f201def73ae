/**
 * Scaffolds a package: `npm run new-package -- some-name` writes the file that holds everything about it. All checks
 * pass afterwards; then replace the file's content with the facts about the package.
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
    throw new Error('Usage: npm run new-package -- some-name, with the name as package indexes spell it');
  const file = `server/src/published/packages/${name}.yaml`;
  if (existsSync(path.join(root, file))) throw new Error(`${file} already exists.`);
  await writeFile(path.join(root, file), packageFile(name));
  console.log(`wrote ${file}`);
});

function packageFile(name: string): string {
  const module = name.replaceAll('-', '_');
  return `# A short description and the sources of this data. packageSchema.ts explains each key; vllm.yaml uses most of them.
as_of: "${new Date().toISOString().slice(0, 7)}"
# The modules that Python imports; by_name: if they are missing, installing ${name} is enough.
imports: [${module}]
by_name: true
# The framework it uses; related: it is one of a machine's facts; computes: a project that imports it needs it in its environment plan.
needs: torch
related: true
computes: true
release_messages: all
`;
}
