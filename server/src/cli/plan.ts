import { existsSync } from 'node:fs';
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
  const facts = await (values.from === undefined
    ? import('./explainHere.ts').then(async ({ factsHere }) => withNamedPython(await factsHere(python), python))
    : (await import('./describedMachine.ts')).factsFromFile(values.from));
  const form = values.for ?? formOfProject(process.cwd());
  const needs = await needsFrom(positionals, facts, form);
  if (needs.packages.length === 0)
    throw new UsageError('nothing here says what the environment is for: name it, as in `gpu-doctor plan torch`');
  const write = (json: unknown, text: string) =>
    written(format === 'json' ? `${printableJson(json, 2)}\n` : text, values['output-file']);
  if (check) {
    const { checkInstalled } = await import('../provision/check.ts');
    const installed = values.from === undefined ? await installedHere(facts, needs) : undefined;
    const checked = checkInstalled(facts, needs, installed);
    await write(checked, environmentCheckText(checked));
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

export async function installedHere(facts: StackFacts, needs: Needs) {
  const [{ readInstalledEnvironment }, { thisMachine }] = await Promise.all([
    import('../provision/installedEnvironment.ts'),
    import('../stack/machine/machine.ts'),
  ]);
  return readInstalledEnvironment(thisMachine(), facts, needs);
}

/**
 * Returns the needs in the named requirements and files, otherwise those of the project. Throws a `UsageError` for an
 * invalid requirement, a file without requirements, and a name that is probably misspelled.
 */
export async function needsFrom(operands: readonly string[], facts: StackFacts, form: Form): Promise<Needs> {
  const [{ ASKED_FOR, needOf }, { needsOfProject, needsOfNamedFile, kindOfList }, { joinedNeeds, unknownName }] =
    await Promise.all([
      import('../solver/needs.ts'),
      import('../provision/environmentNeeds.ts'),
      import('../provision/completeNeeds.ts'),
    ]);
  if (operands.length === 0) return needsOfProject(process.cwd(), facts, isOfContainer(form));
  const needs = operands.map((operand): Needs => {
    if (existsSync(operand) || kindOfList(operand) !== undefined || /[\\/]/.test(operand)) {
      const read = needsOfNamedFile(process.cwd(), operand, facts, isOfContainer(form));
      if ('trouble' in read) throw new UsageError(`\`${operand}\` ${read.trouble}`);
      return read;
    }
    const need = needOf(operand, ASKED_FOR);
    if (need === undefined) throw new UsageError(`\`${operand}\` is not a requirement, such as \`torch==2.6\``);
    return { python: null, packages: [need] };
  });
  const all = joinedNeeds(needs);
  const trouble = unknownName(all);
  if (trouble !== undefined) throw new UsageError(trouble);
  return all;
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

export function environmentCheckText({
  isSatisfied,
  python,
  findings,
  notLookedAt,
}: import('../provision/check.ts').EnvironmentCheck): string {
  const first = isSatisfied ? `${python} has what is needed, in builds that work here.` : findings.join('\n');
  const rest = notLookedAt.length > 0 ? `\nNot checked: ${notLookedAt.join(', ')}.` : '';
  return `${first}${rest}\n`;
}
