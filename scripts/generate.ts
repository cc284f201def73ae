/** Writes what is generated: JSON schemas of files and outputs, tables of settings and rules, and the rules' settings. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createGenerator, type SchemaGenerator } from 'ts-json-schema-generator';
import { COMMANDS } from '../server/src/cli/commands.ts';
import { version } from '../server/src/cli/version.ts';
import { recordJsonSchema } from '../server/src/diagnosis/record/recordedStack.ts';
import { explanationJsonSchema } from '../server/src/explain/explanation.ts';
import { baselineJsonSchema } from '../server/src/lint/baselineSchema.ts';
import { jsonSchema, markdownTable } from '../server/src/settings/configurationSchema.ts';
import { withAgentTools } from './agentManifest.ts';
import { errorPages } from './errorPages.ts';
import { formatTable, withFormatPatterns } from './formatTables.ts';
import { optionTable } from './optionTables.ts';
import { root } from './root.ts';
import { rulesPage, ruleTable, withRuleSettings } from './ruleTables.ts';
import { verdictPages, withMessages } from './verdictPages.ts';

/** What programs read of the command line's output: the schema's name, and the type that says what it is. */
const OUTPUTS = [
  ['check', 'server/src/report/json.ts', 'CheckReport'],
  ['statistics', 'server/src/report/statistics.ts', 'StatisticsReport'],
  ['stack', 'server/src/cli/stack.ts', 'StackReport'],
  ['stack-compare', 'server/src/report/stackComparison.ts', 'ComparisonReport'],
  ['inspect', 'server/src/cli/inspect.ts', 'InspectReport'],
  ['inspect-compare', 'server/src/report/checkpointComparison.ts', 'CheckpointComparisonReport'],
  ['plan', 'server/src/provision/environmentPlan.ts', 'EnvironmentPlan'],
  ['agent-tools', 'server/src/cli/agents/results.ts', 'GeneratedResults'],
  ['plan-check', 'server/src/provision/check.ts', 'EnvironmentCheck'],
] as const;

/** Where the type of the stack's facts stands. */
const FACTS = 'server/src/stack/facts/facts.ts';

/** Makes JSON schemas of types in the sources, with their comments as descriptions. Fields may be added to what they describe. */
function outputSchemas(): SchemaGenerator {
  return createGenerator({
    // All at once: reading the sources is what takes the time.
    path: path.join(root, `{${[FACTS, ...OUTPUTS.map(([, file]) => file)].join(',')}}`),
    tsconfig: path.join(root, 'tsconfig.json'),
    // Generic types have no names that stay the same, so all of them are written out where they stand.
    expose: 'none',
    topRef: false,
    additionalProperties: true,
    // The house test checks them.
    skipTypeCheck: true,
  });
}

function outputSchema(generator: SchemaGenerator, name: string, type: string): string {
  const { $schema, ...schema } = generator.createSchema(type);
  const title = `gpu-doctor ${name}`;
  return `${JSON.stringify({ $schema, $id: addressOf(name), title, ...schema }, null, 2)}\n`;
}

/** Where the schema of this very version stays to be found. */
function addressOf(name: string): string {
  return `https://raw.githubusercontent.com/gpu-doctor/gpu-doctor/v${version}/schemas/${name}.schema.json`;
}

/** What facts of another machine are held against when they are read: the schema of their type, without its words. */
function factsSchema(generator: SchemaGenerator): string {
  const WORDS = ['$schema', 'description'];
  const text = JSON.stringify(generator.createSchema('StackFacts'), (key, value) =>
    WORDS.includes(key) && typeof value === 'string' ? undefined : value,
  );
  return `${text}\n`;
}

/** A document with a table between its marks, `<!-- rules -->` and `<!-- /rules -->`. */
function withTable(document: string, mark: string, table: string): string {
  const between = new RegExp(`(?<=<!-- ${mark} -->\\n)[\\s\\S]*?(?=\\n<!-- /${mark} -->)`);
  return document.replace(between, () => `\n${table}\n`);
}

/** The generated files, by path from the root, as they are now and as they should be. */
export async function generatedFiles(): Promise<{ file: string; now: string; wanted: string }[]> {
  const generator = outputSchemas();
  const outputs = OUTPUTS.map(async ([name, , type]) => {
    const schemaFile = `schemas/${name}.schema.json`;
    return { file: schemaFile, now: await read(schemaFile), wanted: outputSchema(generator, name, type) };
  });
  const facts = 'server/src/stack/facts/factsSchema.json';
  const schema = 'schemas/gpu-doctor.schema.json';
  const page = 'docs/configuration.md';
  const stack = 'schemas/gpu-stack.schema.json';
  const explanation = 'schemas/explanation.schema.json';
  const baseline = 'schemas/baseline.schema.json';
  const manifest = 'package.json';
  const readme = 'README.md';
  const rulesFile = 'docs/rules/README.md';
  const formats = 'docs/checkpoints.md';
  const [schemaNow, pageNow, stackNow] = await Promise.all([read(schema), read(page), read(stack)]);
  const [manifestNow, readmeNow, formatsNow] = await Promise.all([read(manifest), read(readme), read(formats)]);
  const commandLine = 'docs/command-line.md';
  const commandLineNow = await read(commandLine);
  const pages = [...errorPages()].map(async ([file, wanted]) => ({ file, now: await read(file), wanted }));
  const verdicts = verdictPages().map(async (file) => {
    const now = await read(file);
    return { file, now, wanted: withMessages(file, now) };
  });
  return [
    ...(await Promise.all([...pages, ...verdicts])),
    {
      file: explanation,
      now: await read(explanation),
      wanted: `${JSON.stringify({ $id: addressOf('explanation'), ...explanationJsonSchema() }, null, 2)}\n`,
    },
    {
      file: baseline,
      now: await read(baseline),
      wanted: `${JSON.stringify({ $id: addressOf('baseline'), ...baselineJsonSchema() }, null, 2)}\n`,
    },
    ...(await Promise.all(outputs)),
    { file: facts, now: await read(facts), wanted: factsSchema(generator) },
    { file: schema, now: schemaNow, wanted: `${JSON.stringify(jsonSchema(), null, 2)}\n` },
    { file: stack, now: stackNow, wanted: `${JSON.stringify(recordJsonSchema(), null, 2)}\n` },
    { file: page, now: pageNow, wanted: withTable(pageNow, 'settings', markdownTable()) },
    {
      file: commandLine,
      now: commandLineNow,
      wanted: Object.entries(COMMANDS).reduce(
        (text, [name, command]) => withTable(text, `options of ${name}`, optionTable(command)),
        commandLineNow,
      ),
    },
    { file: manifest, now: manifestNow, wanted: withAgentTools(withFormatPatterns(withRuleSettings(manifestNow))) },
    { file: readme, now: readmeNow, wanted: withTable(readmeNow, 'rules', ruleTable('docs/rules/')) },
    { file: formats, now: formatsNow, wanted: withTable(formatsNow, 'formats', formatTable()) },
    { file: rulesFile, now: await read(rulesFile), wanted: rulesPage() },
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
