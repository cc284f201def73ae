import { joined, shellOf } from '../commands/shells.ts';
import { type PlanTarget, targetOf } from '../fit/target.ts';
import { gpuPackageFiles } from '../published/gpuPackages.ts';
import { type Choice, choose, type PossibleChange } from '../solver/choose.ts';
import { type Needs, written } from '../solver/needs.ts';
import { knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { completeNeeds } from './completeNeeds.ts';
import { installationsOf } from './draft.ts';
import { type Draft, type EnvironmentPlan, type Form, isOfContainer, type PlannedChange } from './environmentPlan.ts';
import { type CommandPlace, condaCommands, pipCommands, script, uvCommands } from './forms/commands.ts';
import { devcontainer, dockerfile, pixi, RUN_WITH_GPUS } from './forms/files.ts';
import { commented, opening } from './forms/lines.ts';
import { projectCommands } from './forms/projectTools.ts';

/** Plans the installation of an environment that works on that machine; a pure function of facts and needs. */
export function planEnvironment(facts: StackFacts, needs: Needs, form: Form): EnvironmentPlan {
  const inContainer = isOfContainer(form);
  const target = targetOf(facts, inContainer);
  const draft = 'trouble' in target ? impossible('this machine', needs, target.trouble) : draftOf(facts, target, needs);
  const noted =
    form === 'dockerfile' && draft.outcome !== 'impossible' && 'gpu' in target && target.gpu.kind === 'cuda'
      ? { ...draft, notes: [...draft.notes, RUN_WITH_GPUS] }
      : draft;
  const text = textOf(facts, target, noted, form);
  return { version: 1, for: form, ...noted, command: commandOf(facts, noted, form, text), text };
}

function draftOf(facts: StackFacts, target: PlanTarget, given: Needs): Draft {
  const { needs, leftOut } = completeNeeds(given);
  const inUse = knownValue(facts.interpreter)?.version?.match(/^\d+\.\d+/)?.[0];
  const chosen = choose(target, needs, inUse);
  const changes = chosen.changes.map(planned);
  if ('trouble' in chosen) return { ...impossible(target.words, needs, chosen.trouble), changes };
  const { choice } = chosen;
  const { installations, systemCuda, notes } = installationsOf(target, needs, choice);
  const left = leftOut.length === 0 ? [] : [`Omitted, because the builds already include it: ${leftOut.join(', ')}.`];
  return {
    machine: target.words,
    hasGpu: target.gpu.kind !== 'cpu',
    outcome: choice.driver === undefined ? 'works' : 'driverFirst',
    needs: asked(needs),
    trouble: null,
    summary: inWords(choice),
    changes,
    driver: choice.driver ?? null,
    python: { version: choice.python, reason: pythonReasonOf(choice.python, inUse, needs) },
    installations,
    systemCuda,
    compilesKernels: needs.packages.find(({ name }) => gpuPackageFiles()[name]?.compiles_kernels)?.name ?? null,
    notes: [...notes, ...left, ...(given.unread ?? [])],
  };
}

/** A change of pins, and its result. */
function planned({ pins, choice }: PossibleChange): PlannedChange {
  return { pins, summary: inWords(choice) };
}

function inWords({ builds, python }: Choice): string {
  return [`Python ${python}`, ...builds.map(({ title }) => title)].join(', ');
}

function asked({ packages }: Needs): Draft['needs'] {
  return packages.map((need) => ({ requirement: written(need), because: need.because }));
}

function pythonReasonOf(python: string, inUse: string | undefined, needs: Needs): string {
  if (python === inUse) return 'the one in use, for which all required packages have wheels.';
  if (needs.python !== null)
    return `within ${needs.python.specifier} (${needs.python.because}), and all required packages have wheels for it.`;
  return 'all required packages have wheels for it.';
}

function impossible(machine: string, needs: Needs, trouble: string): Draft {
  const nothing = {
    hasGpu: false,
    driver: null,
    python: null,
    installations: [],
    systemCuda: null,
    compilesKernels: null,
    notes: [],
    changes: [],
    summary: null,
  };
  return { machine, outcome: 'impossible', needs: asked(needs), trouble, ...nothing };
}

function textOf(facts: StackFacts, target: PlanTarget | { trouble: string }, draft: Draft, form: Form): string {
  const file = (lines: readonly string[]) => script(draft, lines);
  switch (form) {
    case 'pip':
      return file(pipCommands(draft, placeOf(facts)));
    case 'uv':
      return file(uvCommands(draft, placeOf(facts)));
    case 'poetry':
    case 'pdm':
    case 'pipenv':
      return file(projectCommands(draft, form, shellOf(facts)));
    case 'conda':
      return file(condaCommands(draft, placeOf(facts)));
    case 'pixi':
      return file(pixi(draft, platformOf(target)));
    case 'dockerfile':
      return file(dockerfile(draft));
    case 'devcontainer':
      return `${(draft.outcome === 'impossible' ? commented(opening(draft), '//') : devcontainer(draft)).join('\n')}\n`;
  }
}

/** Forms that are files instead of commands. */
const FILES: readonly Form[] = ['pixi', 'dockerfile', 'devcontainer'];

/** The installation commands, without the test command: VS Code has its own command for that. */
function commandOf(facts: StackFacts, { outcome }: Draft, form: Form, text: string): string | null {
  if (outcome === 'impossible' || FILES.includes(form)) return null;
  const lines = text.split('\n').filter((line) => line !== '' && !/^(#|(\w+ run )?gpu-doctor )/.test(line));
  return joined(lines, shellOf(facts));
}

/** An existing environment is kept, and the new one gets another name. */
function placeOf(facts: StackFacts): CommandPlace {
  const interpreter = knownValue(facts.interpreter);
  const isThere = interpreter?.environment === 'venv' && /[\\/]\.venv$/.test(interpreter.prefix);
  return {
    shell: shellOf(facts),
    folder: isThere ? '.venv-gpu' : '.venv',
    isUvProject: knownValue(facts.projectTool) === 'uv',
  };
}

/** The platform's name in conda and pixi. */
function platformOf(target: PlanTarget | { trouble: string }): string {
  if ('trouble' in target) return 'linux-64';
  const { os, architecture } = target;
  if (os === 'windows') return 'win-64';
  if (os === 'macos') return architecture === 'arm64' ? 'osx-arm64' : 'osx-64';
  return architecture === 'arm64' ? 'linux-aarch64' : 'linux-64';
}
