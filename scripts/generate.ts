/**
 * Writes the generated files: JSON schemas for files and outputs, tables of settings and rules, and the rules'
 * settings.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createGenerator, type SchemaGenerator } from 'ts-json-schema-generator';
import { prettifyError } from 'zod';
import { COMMANDS } from '../server/src/cli/commands.ts';
import { version } from '../server/src/cli/version.ts';
import { recordJsonSchema } from '../server/src/diagnosis/record/recordedStack.ts';
import { explanationJsonSchema } from '../server/src/explain/explanation.ts';
import { baselineJsonSchema } from '../server/src/lint/baselineSchema.ts';
import { gpuPackageFiles } from '../server/src/published/gpuPackages.ts';
import { gpuPackageSchema } from '../server/src/published/packageSchema.ts';
import { jsonSchema, markdownTable } from '../server/src/settings/configurationSchema.ts';
import { withAgentTools } from './agentManifest.ts';
import { CONDITIONS, conditionIndex } from './conditionIndex.ts';
import { diagnosisPages, withMessageList } from './diagnosisPages.ts';
import { errorPages } from './errorPages.ts';
import { formatTable, withFormatPatterns } from './formatTables.ts';
import { optionTable } from './optionTables.ts';
import { requiredWordsTable } from './requiredWords.ts';
import { root } from './root.ts';
import { ruleIndex } from './ruleIndex.ts';
import { rulesPage, withRuleSettings } from './ruleTables.ts';

/** The command line's JSON outputs: the schema's name, and the type that defines it. */
const OUTPUTS = [
  ['check', 'server/src/report/json.ts', 'CheckReport'],
  ['statistics', 'server/src/report/statistics.ts', 'StatisticsReport'],
  ['stack', 'server/src/cli/stack.ts', 'StackReport'],
  ['stack-compare', 'server/src/report/stackComparison.ts', 'ComparisonReport'],
  ['inspect', 'server/src/cli/inspect.ts', 'InspectReport'],
  ['inspect-compare', 'server/src/report/checkpointComparison.ts', 'CheckpointComparisonReport'],
  ['plan', 'server/src/provision/environmentPlan.ts', 'EnvironmentPlan'],
  ['plan-check', 'server/src/provision/check.ts', 'EnvironmentCheck'],
] as const;

/** The file that defines the type of the stack's facts. */
const FACTS = 'server/src/stack/facts/facts.ts';

/**
 * Creates JSON schemas from types in the sources, with their comments as descriptions. Additional fields are allowed.
 */
function outputSchemas(): SchemaGenerator {
  return createGenerator({
    // One generator for all: reading the sources takes most of the time.
    path: path.join(root, `{${[FACTS, ...OUTPUTS.map(([, file]) => file)].join(',')}}`),
    tsconfig: path.join(root, 'tsconfig.json'),
    // Names of generic types are not stable, so those types are inlined.
    expose: 'none',
    topRef: false,
    additionalProperties: true,
    // `npm run check` checks types.
    skipTypeCheck: true,
  });
}

function outputSchema(generator: SchemaGenerator, name: string, type: string): string {
  const { $schema, ...schema } = generator.createSchema(type);
  const title = `gpu-doctor ${name}`;
  return `${JSON.stringify({ $schema, $id: addressOf(name), title, ...schema }, null, 2)}\n`;
}

/** The permanent address of a schema in this version. */
function addressOf(name: string): string {
  return `https://raw.githubusercontent.com/gpu-doctor/gpu-doctor/v${version}/schemas/${name}.schema.json`;
}

/** The schema that validates facts recorded on another machine, without descriptions. */
function factsSchema(generator: SchemaGenerator): string {
  const DESCRIPTIVE_KEYS = ['$schema', 'description'];
  const text = JSON.stringify(generator.createSchema('StackFacts'), (key, value) =>
    DESCRIPTIVE_KEYS.includes(key) && typeof value === 'string' ? undefined : value,
  );
  return `${text}\n`;
}

/** Returns the document with the table between its markers, such as `<!-- rules -->` and `<!-- /rules -->`. */
function withTable(document: string, mark: string, table: string): string {
  const between = new RegExp(`(?<=<!-- ${mark} -->\\n)[\\s\\S]*?(?=\\n<!-- /${mark} -->)`);
  return document.replace(between, () => `\n${table}\n`);
}

/** Rejects a package's file with an unknown or invalid key. */
function validatePackages(): void {
  for (const [name, file] of Object.entries(gpuPackageFiles())) {
    const { error } = gpuPackageSchema.safeParse(file);
    if (error !== undefined) throw new Error(`packages/${name}.yaml: ${prettifyError(error)}`);
  }
}

/** Returns the generated files by path from the root, with their current and their expected content. */
export async function generatedFiles(): Promise<{ file: string; now: string; wanted: string }[]> {
  validatePackages();
  const generator = outputSchemas();
  const outputs = OUTPUTS.map(async ([name, , type]) => {
    const schemaFile = `schemas/${name}.schema.json`;
    return { file: schemaFile, now: await read(schemaFile), wanted: outputSchema(generator, name, type) };
  });
  const facts = 'server/src/stack/facts/factsSchema.json';
  const words = 'server/src/messages/requiredWords.json';
  const schema = 'schemas/gpu-doctor.schema.json';
  const page = 'docs/configuration.md';
  const stack = 'schemas/gpu-stack.schema.json';
  const explanation = 'schemas/explanation.schema.json';
  const baseline = 'schemas/baseline.schema.json';
  const manifest = 'package.json';
  const rulesFile = 'docs/rules/README.md';
  const indexFile = 'server/src/rules/README.md';
  const conditionsFile = `${CONDITIONS}/README.md`;
  const formats = 'docs/checkpoints.md';
  const [schemaNow, pageNow, stackNow] = await Promise.all([read(schema), read(page), read(stack)]);
  const [manifestNow, formatsNow] = await Promise.all([read(manifest), read(formats)]);
  const commandLine = 'docs/command-line.md';
  const commandLineNow = await read(commandLine);
  const pages = [...errorPages()].map(async ([file, wanted]) => ({ file, now: await read(file), wanted }));
  const verdicts = diagnosisPages().map(async (file) => {
    const now = await read(file);
    return { file, now, wanted: withMessageList(file, now) };
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
    { file: words, now: await read(words), wanted: requiredWordsTable() },
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
    { file: formats, now: formatsNow, wanted: withTable(formatsNow, 'formats', formatTable()) },
    { file: rulesFile, now: await read(rulesFile), wanted: rulesPage() },
    { file: indexFile, now: await read(indexFile), wanted: ruleIndex() },
    { file: conditionsFile, now: await read(conditionsFile), wanted: conditionIndex() },
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
