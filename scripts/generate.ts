/** Writes what is generated from schemas: those of the files in JSON, and the documentation's table of settings. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { jsonSchema, markdownTable } from '../server/src/project/configurationSchema.ts';
import { recordJsonSchema } from '../server/src/stack/record/recordedStack.ts';
import { root } from './root.ts';

const TABLE = /(?<=<!-- settings -->\n)[\s\S]*?(?=\n<!-- \/settings -->)/;

/** The generated files, by path from the root, as they are now and as they should be. */
export async function generatedFiles(): Promise<{ file: string; now: string; wanted: string }[]> {
  const schema = 'schemas/gpu-doctor.schema.json';
  const page = 'docs/configuration.md';
  const stack = 'schemas/gpu-stack.schema.json';
  const [schemaNow, pageNow, stackNow] = await Promise.all([read(schema), read(page), read(stack)]);
  return [
    { file: schema, now: schemaNow, wanted: `${JSON.stringify(jsonSchema(), null, 2)}\n` },
    { file: stack, now: stackNow, wanted: `${JSON.stringify(recordJsonSchema(), null, 2)}\n` },
    { file: page, now: pageNow, wanted: pageNow.replace(TABLE, () => `\n${markdownTable()}\n`) },
  ];
}

function read(file: string): Promise<string> {
  return readFile(path.join(root, file), 'utf8').catch(() => '');
}

if (import.meta.main) {
  for (const { file, now, wanted } of await generatedFiles()) {
    if (now === wanted) continue;
    await writeFile(path.join(root, file), wanted);
    console.log(`wrote ${file}`);
  }
}
