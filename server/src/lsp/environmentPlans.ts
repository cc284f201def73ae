import { type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { PLAN_ENVIRONMENT, type PlanAnswer, type PlanRequest } from '../protocol.ts';
import type { EnvironmentPlan, Form } from '../provision/environmentPlan.ts';
import type { Needs } from '../solver/needs.ts';
import { knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { onRequest } from './messages.ts';
import type { Stack } from './stack.ts';

/** Answers requests for environment plans. */
export function provideEnvironmentPlans(connection: Connection, stack: Stack): void {
  onRequest(connection, PLAN_ENVIRONMENT, async (request) => {
    const facts = await stack.whole();
    if (!facts) throw new ResponseError(LSPErrorCodes.RequestFailed, 'The GPU stack could not be read. See the log.');
    const [{ formOfProject }, { planEnvironment }, { FORMS, isOfContainer }] = await Promise.all([
      import('../provision/environmentNeeds.ts'),
      import('../provision/planEnvironment.ts'),
      import('../provision/environmentPlan.ts'),
    ]);
    const here = await needsOf(request, facts, false);
    // On Linux, a plan for an image would be the same.
    const isLinux = knownValue(facts.os)?.family === 'linux';
    const inContainer = isLinux ? here : await needsOf(request, facts, true);
    const own = request.folder === undefined ? 'pip' : formOfProject(request.folder);
    const forms = [own, ...FORMS.filter((form) => form !== own)];
    const all = forms.flatMap((form) => {
      const needs = isOfContainer(form) ? inContainer : here;
      return needs.packages.length === 0 ? [] : planEnvironment(facts, needs, form);
    });
    // If nothing fits the machine, an image may still work.
    const plans = all.filter(({ outcome }) => outcome !== 'impossible');
    const shown = plans[0] ?? all[0];
    return {
      isNeedless: shown === undefined,
      purpose: (shown?.needs ?? []).map(({ requirement }) => requirement).join(', '),
      machine: shown?.machine ?? '',
      summary: shown?.summary ?? null,
      driver: shown?.driver ?? null,
      trouble: shown?.trouble ?? null,
      changes: shown?.changes ?? [],
      plans: plans.map(offer),
    };
  });
}

async function needsOf(request: PlanRequest, facts: StackFacts, inContainer: boolean): Promise<Needs> {
  const needs = await askedNeeds(request, facts, inContainer);
  if (request.change === undefined) return needs;
  return (await import('../provision/changedNeeds.ts')).changedNeeds(needs, request.change.pins);
}

async function askedNeeds(
  { folder, requirements }: PlanRequest,
  facts: StackFacts,
  inContainer: boolean,
): Promise<Needs> {
  const [{ ASKED_FOR, needOf }, { needsOfProject }] = await Promise.all([
    import('../solver/needs.ts'),
    import('../provision/environmentNeeds.ts'),
  ]);
  if (requirements === undefined)
    return folder === undefined ? { python: null, packages: [] } : needsOfProject(folder, facts, inContainer);
  const packages = requirements.split(/\s+/).flatMap((one) => needOf(one, ASKED_FOR) ?? []);
  return { python: null, packages };
}

/** The label of each form, and its language in VS Code. */
const FACES: Readonly<Record<Form, readonly [label: string, language: string]>> = {
  pip: ['pip', 'shellscript'],
  uv: ['uv', 'shellscript'],
  poetry: ['Poetry', 'shellscript'],
  pdm: ['PDM', 'shellscript'],
  pipenv: ['Pipenv', 'shellscript'],
  conda: ['conda', 'shellscript'],
  pixi: ['pixi.toml', 'toml'],
  dockerfile: ['Dockerfile', 'dockerfile'],
  devcontainer: ['devcontainer.json', 'jsonc'],
};

function offer({ for: form, text, command }: EnvironmentPlan): PlanAnswer['plans'][number] {
  const [label, language] = FACES[form];
  return { label, text, language, command };
}
