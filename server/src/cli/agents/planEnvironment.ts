import { describeSystemError } from '../../files/trouble.ts';
import { readProjectFile } from '../../projectFile.ts';
import { checkInstalled } from '../../provision/check.ts';
import { formOfProject } from '../../provision/environmentNeeds.ts';
import { planEnvironment as planFor } from '../../provision/planEnvironment.ts';
import { factsInText } from '../describedMachine.ts';
import { environmentCheckText, installedHere, needsFrom } from '../plan.ts';
import type { Answered, Context } from './context.ts';
import { factsWith } from './python.ts';
import { Refusal, requireReadable } from './refusal.ts';
import type { InputOf } from './tools.ts';

/** Plans an environment for this machine or a recorded one, or checks the current environment. */
export async function planForAgent(
  { requirements = [], for: form, from, check = false, python }: InputOf<'plan_environment'>,
  context: Context,
): Promise<Answered<'plan_environment'>> {
  if (from !== undefined && python !== undefined)
    throw new Refusal('Pass either from or python: from already describes a machine.');
  if (check && form !== undefined) throw new Refusal('Pass either `check` or `for`, not both: `check` plans nothing.');
  const facts = from === undefined ? await factsWith(python, context) : await factsIn(from, context);
  const wanted = form ?? formOfProject(process.cwd());
  const needs = await needsFrom(requirements, facts, wanted);
  if (needs.packages.length === 0)
    throw new Refusal('No file of the project says which packages the environment is for: pass requirements.');
  if (!check) {
    const plan = planFor(facts, needs, wanted);
    return { text: plan.text, structured: { plan, check: null } };
  }
  const installed = from === undefined ? await installedHere(facts, needs) : undefined;
  const checked = checkInstalled(facts, needs, installed);
  return { text: environmentCheckText(checked), structured: { plan: null, check: checked } };
}

async function factsIn(path: string, { access }: Context) {
  requireReadable(access, path);
  try {
    return await factsInText(readProjectFile(path, 'record').toString('utf8'), path);
  } catch (error) {
    throw new Refusal(`${path} ${describeSystemError(error)}.`);
  }
}
