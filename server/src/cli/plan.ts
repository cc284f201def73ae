import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { describeSystemError } from '../files/trouble.ts';
import { writeWhole } from '../files/write.ts';
import { printableJson } from '../printable.ts';
import { type EnvironmentPlan, type Form, isOfContainer } from '../provision/environmentPlan.ts';
import type { Needs } from '../solver/needs.ts';
import type { StackFacts } from '../stack/facts/facts.ts';
import { FAILED, FOUND } from './exitStatus.ts';
import { withNamedPython } from './namedPython.ts';
import { writeError } from './standardError.ts';
import { readArguments, UsageError } from './usage.ts';

/** `gpu-doctor plan`: plans an environment that works, or checks the current one. */
export async function plan(args: readonly string[]): Promise<number> {
  const read = readArguments('plan', args);
  if (!read) return 0;
  const { values, positionals } = read;
  const { 'output-format': format, check, python } = values;
  if (values.from !== undefined && python !== undefined)
    throw new UsageError('`--python` selects a Python of this machine and cannot be combined with `--from`');
  if (check && values.for !== undefined) throw new UsageError('`--check` plans nothing, so `--for` has no effect');
  const { formOfProject } = await import('../provision/environmentNeeds.ts');
  const facts = await (values.from === undefined ? factsHere(python) : factsFrom(values.from));
  const form = values.for ?? formOfProject(process.cwd());
  const needs = await needsFrom(positionals, facts, form);
  if (needs.packages.length === 0)
    throw new UsageError('nothing here says what the environment is for: name it, as in `gpu-doctor plan torch`');
  const write = (json: unknown, text: string) =>
    written(format === 'json' ? `${printableJson(json, 2)}\n` : text, values['output-file']);
  if (check) {
    const { checkEnvironment } = await import('../provision/check.ts');
    const installed = values.from === undefined ? await installedHere(facts, needs) : undefined;
    const checked = checkEnvironment(facts, needs, installed);
    await write(checked, checkText(checked));
    return checked.isSatisfied === null ? FAILED : checked.isSatisfied ? 0 : FOUND;
  }
  const { planEnvironment } = await import('../provision/planEnvironment.ts');
  const planned = planEnvironment(facts, needs, form);
  if (planned.outcome !== 'impossible') {
    await write(planned, planned.text);
    return 0;
  }
  // If nothing fits, the plan would do nothing, so it is not written to a file that will be run or built.
  if (format === 'json' || values['output-file'] === undefined) await write(planned, planned.text);
  writeError(`gpu-doctor: ${await whatWouldFit(planned)}\n`);
  return FOUND;
}

/** Why there is no plan, and the smallest change to pinned versions that makes one possible. */
async function whatWouldFit({ trouble, changes }: EnvironmentPlan): Promise<string> {
  const { changeSentences } = await import('../provision/forms/lines.ts');
  const [smallest] = changeSentences(changes, null);
  return `no environment fits: ${smallest === undefined ? trouble : lowered(smallest)}`;
}

function lowered(sentence: string): string {
  return `${sentence[0]?.toLowerCase()}${sentence.slice(1)}`;
}

/** Reading files is sufficient: no framework is imported, and no Python is started. */
async function factsHere(interpreter: string | undefined): Promise<StackFacts> {
  const [{ readStack }, { thisMachine }] = await Promise.all([
    import('../stack/readStack.ts'),
    import('../stack/machine/machine.ts'),
  ]);
  const facts = await readStack({
    machine: thisMachine(),
    folders: [process.cwd()],
    ...(interpreter !== undefined && { interpreter }),
  });
  return withNamedPython(facts, interpreter);
}

export async function installedHere(facts: StackFacts, needs: Needs) {
  const [{ readInstalledEnvironment }, { thisMachine }] = await Promise.all([
    import('../provision/installedEnvironment.ts'),
    import('../stack/machine/machine.ts'),
  ]);
  return readInstalledEnvironment(thisMachine(), facts, needs);
}

async function factsFrom(path: string): Promise<StackFacts> {
  const name = path === '-' ? 'standard input' : path;
  const text = await (path === '-' ? readAll(process.stdin) : readFile(path, 'utf8')).catch((error) => {
    throw new UsageError(`${name} ${describeSystemError(error)}`);
  });
  return factsInFile(text, name);
}

/**
 * Returns the facts in a file that describes a machine. Throws a `UsageError` whose message starts with the file's
 * name.
 */
export async function factsInFile(text: string, name: string): Promise<StackFacts> {
  const { factsFromJson, parsedJson } = await import('../stack/facts/factsFromJson.ts');
  if (/^\ufeff?\s*[[{]/.test(text)) {
    const read = factsFromJson(parsedJson(text));
    if ('trouble' in read) throw new UsageError(`${name} ${read.trouble}`);
    return read.facts;
  }
  const [{ readRecord, troubleOf }, { factsOfRecord }] = await Promise.all([
    import('../diagnosis/record/readRecord.ts'),
    import('../diagnosis/record/factsOfRecord.ts'),
  ]);
  const { record, problems } = readRecord(text);
  if (record === undefined)
    throw new UsageError(`${name}:${troubleOf(text, problems) ?? ' does not describe a machine'}`);
  return factsOfRecord(record);
}

/**
 * Returns the requested packages, otherwise those in the project's files. Throws a `UsageError` for an invalid
 * requirement.
 */
export async function needsFrom(requirements: readonly string[], facts: StackFacts, form: Form): Promise<Needs> {
  const [{ needOf }, { needsOfProject }] = await Promise.all([
    import('../solver/needs.ts'),
    import('../provision/environmentNeeds.ts'),
  ]);
  if (requirements.length > 0) {
    const packages = requirements.map((requirement) => {
      const need = needOf(requirement, 'asked for');
      if (need === undefined) throw new UsageError(`\`${requirement}\` is not a requirement, such as \`torch==2.6\``);
      return need;
    });
    return { python: null, packages };
  }
  return needsOfProject(process.cwd(), facts, isOfContainer(form));
}

async function written(text: string, path: string | undefined): Promise<void> {
  if (path === undefined) {
    process.stdout.write(text);
    return;
  }
  await writeWhole(path, text).catch((error) => {
    throw new UsageError(`${path} ${describeSystemError(error)}`);
  });
  writeError(`Wrote ${path}.\n`);
}

/** Returns the check of an environment as text. */
export function checkText({
  isSatisfied,
  python,
  findings,
  notLookedAt,
}: import('../provision/check.ts').EnvironmentCheck): string {
  const first = isSatisfied ? `${python} has what is needed, in builds that work here.` : findings.join('\n');
  const rest = notLookedAt.length > 0 ? `\nNot checked: ${notLookedAt.join(', ')}.` : '';
  return `${first}${rest}\n`;
}
