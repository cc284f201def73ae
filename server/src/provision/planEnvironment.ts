import { addToProject } from '../commands/installers.ts';
import { PROJECT_TOOLS, type ProjectToolName } from '../commands/projectTools.ts';
import { joinedCommands, type Shell, shellOf } from '../commands/shells.ts';
import { type PlanTarget, targetOf } from '../fit/target.ts';
import { gpuPackageFiles } from '../published/gpuPackages.ts';
import { markerHolds } from '../published/marker.ts';
import { wheelSystemOf } from '../published/platforms.ts';
import { type Choice, choose } from '../solver/choose.ts';
import { type LeftOut, type Need, type Needs, withOrigin, written } from '../solver/needs.ts';
import { knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { listOf } from '../stack/facts/gpuName.ts';
import { pythonMinor } from '../stack/facts/installed.ts';
import { completeNeeds, isKnown } from './completeNeeds.ts';
import { plannedInstallations } from './draft.ts';
import {
  type Draft,
  type EnvironmentPlan,
  type Form,
  isOfContainer,
  type PlannedChange,
  type PlannedInstallation,
} from './environmentPlan.ts';
import { type CommandPlace, commandScript, condaCommands, pipCommands, uvCommands } from './forms/commands.ts';
import { devcontainer, dockerfile, pixi, RUN_WITH_GPUS } from './forms/files.ts';
import {
  commented,
  exportLibraries,
  indexOf,
  opening,
  pipArguments,
  pythonReason,
  reasonLines,
  trying,
  withoutWheels,
} from './forms/lines.ts';
import { LOCKS } from './locks.ts';

/** Plans the installation of an environment that works on that machine; a pure function of facts and needs. */
export function planEnvironment(facts: StackFacts, needs: Needs, form: Form): EnvironmentPlan {
  const inContainer = isOfContainer(form);
  const target = targetOf(facts, inContainer);
  const draft =
    'trouble' in target ? impossible('this machine', needs, target.trouble) : draftOf(facts, target, needs, form);
  const noted =
    form === 'dockerfile' && draft.outcome !== 'impossible' && 'gpu' in target && target.gpu.kind === 'cuda'
      ? { ...draft, notes: [...draft.notes, RUN_WITH_GPUS] }
      : draft;
  const text = textOf(facts, target, noted, form);
  return { version: 1, for: form, ...noted, command: commandOf(facts, noted, form, text), text };
}

function draftOf(facts: StackFacts, target: PlanTarget, given: Needs, form: Form): Draft {
  const inUse = pythonMinor(facts);
  const { needs, included, chosen, leftOut } = chooseAll(target, given, inUse);
  const changes = chosen.changes.map(({ pins, choice }): PlannedChange => ({ pins, summary: inWords(choice) }));
  const conda = given.conda ?? [];
  const keepsConda = form === 'conda' || form === 'pixi';
  const others: LeftOut[] = [
    ...(given.leftOut ?? []),
    ...leftOut,
    ...(keepsConda
      ? []
      : conda.map(({ name }) => ({ requirement: name, reason: 'a conda package: PyPI may lack it' }))),
  ];
  if ('trouble' in chosen) return { ...impossible(target.words, needs, chosen.trouble), changes, leftOut: others };
  const { choice } = chosen;
  const { installations, systemCuda, libraries, notes } = plannedInstallations(target, needs, choice);
  const left = included.length === 0 ? [] : [`Omitted, because the builds already include it: ${included.join(', ')}.`];
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
    libraries,
    compilesKernels: needs.packages.find(({ name }) => gpuPackageFiles()[name]?.compiles_kernels)?.name ?? null,
    conda: keepsConda ? conda.filter(({ name }) => name !== 'pip') : [],
    condaChannels: (given.condaChannels ?? []).filter((each) => !OF_THE_STACK.test(each)),
    leftOut: others.filter(({ requirement }) => requirement !== 'pip'),
    notes: [...notes, ...left, ...lockNote(given)],
  };
}

/** conda channels of packages that a plan installs with pip, and names that only select the default channels. */
const OF_THE_STACK = /(?:^|\/)(?:pytorch|nvidia|defaults|nodefaults|conda-forge)$/;

/** Chooses builds, and again with the packages whose condition holds for the chosen Python. */
function chooseAll(target: PlanTarget, given: Needs, inUse: string | undefined) {
  const { needs, leftOut: included } = completeNeeds(given);
  const chosen = choose(target, needs, inUse);
  const { conditional = [] } = given;
  if ('trouble' in chosen || conditional.length === 0) {
    const leftOut = conditional.map((need) => withoutBuild(need, 'its condition depends on the Python'));
    return { needs, included, chosen, leftOut };
  }
  const { python } = chosen.choice;
  const system = wheelSystemOf(target.os, target.architecture);
  const holding = conditional.filter(({ marker = '' }) => markerHolds(marker, { system, python }) === true);
  const more = completeNeeds({
    ...given,
    python: { specifier: `==${python}.*`, because: given.python?.because ?? 'chosen' },
    packages: [...given.packages, ...holding],
  });
  const again = choose(target, more.needs, inUse);
  if ('trouble' in again) {
    const leftOut = holding.map((need) => withoutBuild(need, 'no release of it fits the others'));
    return { needs, included, chosen, leftOut };
  }
  return { needs: { ...more.needs, python: given.python }, included: more.leftOut, chosen: again, leftOut: [] };
}

function withoutBuild(need: Need, reason: string): LeftOut {
  return { requirement: `${written(need)} (where ${need.marker})`, reason };
}

/** The project's lock file still has its earlier builds. */
function lockNote({ lock }: Needs): string[] {
  const command = LOCKS.find(([file]) => file === lock)?.[1];
  return command === undefined ? [] : [`${lock} has the project's earlier builds: redo it with \`${command}\`.`];
}

function inWords({ builds, python }: Choice): string {
  return [`Python ${python}`, ...builds.map(({ title }) => title)].join(', ');
}

function asked({ packages }: Needs): Draft['needs'] {
  return packages.map((need) => ({ requirement: written(need), because: need.because }));
}

/** GPU Doctor does not know packages without GPU code, so it promises nothing for them. */
function pythonReasonOf(python: string, inUse: string | undefined, { python: needed, packages }: Needs): string {
  const known = packages.filter(({ name }) => isKnown(name)).map(({ name }) => name);
  const wheels =
    known.length > 3
      ? 'the packages with GPU code have wheels'
      : `${listOf(known)} ha${known.length > 1 ? 've' : 's'} wheels`;
  if (python === inUse) return `the one in use, and ${wheels} for it.`;
  if (needed !== null) return `within ${withOrigin(needed.specifier, needed.because)}, and ${wheels} for it.`;
  return `${wheels} for it.`;
}

function impossible(machine: string, needs: Needs, trouble: string): Draft {
  const nothing = {
    hasGpu: false,
    driver: null,
    python: null,
    installations: [],
    systemCuda: null,
    libraries: [],
    compilesKernels: null,
    conda: [],
    condaChannels: [],
    leftOut: needs.leftOut ?? [],
    notes: [],
    changes: [],
    summary: null,
  };
  return { machine, outcome: 'impossible', needs: asked(needs), trouble, ...nothing };
}

function textOf(facts: StackFacts, target: PlanTarget | { trouble: string }, draft: Draft, form: Form): string {
  const file = (lines: readonly string[]) => commandScript(draft, lines);
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
  return joinedCommands(lines, shellOf(facts));
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

/** The commands of a plan for a tool that writes its packages into the project's own file. */
function projectCommands(draft: Draft, tool: ProjectToolName, shell: Shell): string[] {
  const { python, run } = PROJECT_TOOLS[tool];
  return [
    ...commented(pythonReason(draft)),
    python(draft.python?.version ?? ''),
    ...withoutWheels(draft),
    ...draft.installations.flatMap((each) => installing(each, tool, shell)),
    ...(draft.libraries.length === 0 ? [] : [`site=$(${run} python -c "import sys; print(sys.prefix)")`]),
    ...exportLibraries(draft, '$site'),
    ...trying(draft, `${run} gpu-doctor stack --smoke`),
  ];
}

function installing(installation: PlannedInstallation, tool: ProjectToolName, shell: Shell): string[] {
  const { page, requirements, reasons, isIsolated } = installation;
  // These tools do not support pages of wheels, and build each package in isolation.
  if (page !== null || !isIsolated)
    return [
      ...commented(reasonLines(installation)),
      ...commented(['The lock file does not contain it: install it again after each sync.']),
      `${PROJECT_TOOLS[tool].run} python -m pip install ${pipArguments(installation)}`,
    ];
  // The lock file keeps packages from another index.
  return [...commented(reasons), ...addToProject(tool, { requirements, index: indexOf(installation) }, shell)];
}
