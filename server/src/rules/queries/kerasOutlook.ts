/** One sentence about the expected result of loading a Keras model. */

import type { Program } from '../../guards/program.ts';
import { kerasRefusal } from '../../loading/kerasVersions.ts';
import { firstKerasWith, kerasHas } from '../../published/releases/kerasReleases.ts';
import { firstTensorflowWith, tensorflowHas, tensorflowStillHas } from '../../published/releases/tensorflowReleases.ts';
import { keepsOut, onlyVersion } from '../../published/specifier.ts';
import { isAtLeast } from '../../published/versions.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import { keywordOf } from '../../python/semantic/arguments.ts';
import { filePathOf } from '../../python/semantic/filePaths.ts';
import { numberOf } from '../../python/semantic/literals.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Call, Expression, Node } from '../../python/syntax/nodes.ts';
import type { Knowledge, RelatedPlace } from '../engine/contract.ts';
import { fitted, message, quoted, withCause } from '../engine/message.ts';
import { areExclusive } from './exclusiveBranches.ts';
import { frameworksOnGpu } from './gpuFrameworks.ts';
import { isTensorflow1, type KerasBackend, kerasBackendOf } from './kerasBackend.ts';
import { usesLegacyKeras } from './legacyKeras.ts';
import { readerCallOf } from './readerCalls.ts';

interface KerasOutlook {
  readonly message: string;
  /** True if the load is known to fail or misbehave. */
  readonly isTrouble: boolean;
  readonly related: readonly RelatedPlace[];
}

/** Returns the outlook of a load without an earlier check of the devices. */
export function outlookOf(load: Call, program: Program, known: Knowledge): KerasOutlook {
  const trouble =
    unreadFormat(load, program, known) ??
    choosesTooLate(load, program) ??
    sharedGpu(program, known) ??
    severalProcesses(load, program) ??
    cpuInsteadOfGpu(known);
  if (trouble) return { isTrouble: true, related: [], ...trouble };
  const message = ofFile(load, program, known) ?? ofMachine(program, known) ?? ofBackend(program, known);
  return { message, isTrouble: false, related: [] };
}

type Trouble = Pick<KerasOutlook, 'message'> & Partial<Pick<KerasOutlook, 'related'>>;

// Failures and misbehavior

/**
 * Returns the problem if the required or installed Keras does not read the format, judging by the file or by the path's
 * suffix.
 */
function unreadFormat(load: Call, program: Program, known: Knowledge): Trouble | undefined {
  if (usesLegacyKeras(program)) return undefined;
  const { tensorflowVersion: installed, tensorflowRequirement: required } = known;
  const isThree =
    installed !== undefined
      ? tensorflowHas('keras_3', installed)
      : isAllAbove(required, firstTensorflowWith('keras_3'));
  const version = installed ?? (required === undefined ? undefined : onlyVersion(required));
  const reader = readerCallOf(load, program);
  const files = reader && known.checkpointsAt ? known.checkpointsAt(reader.path) : [];
  for (const { summary } of files) {
    const keras =
      version !== undefined && !tensorflowHas('keras_3', version) && kerasHas('tensorflow_number', version)
        ? version
        : undefined;
    const refusal = keras === undefined ? undefined : kerasRefusal(summary, keras);
    if (refusal) return withCause(spanOf(load), ['`load_model` fails.'], refusal.because);
  }
  const [path] = load.args;
  const text = path && filePathOf(path, program)?.text;
  if (text === undefined) return undefined;
  const who = quoted(`TensorFlow ${version ?? required}`);
  if (isThree && /(^|\/)[^./]+\/?$/.test(text))
    return {
      message: message`\`load_model\` fails: Keras 3 in ${who} reads \`.keras\` and \`.h5\` files, not SavedModel folders.`,
    };
  const isOld =
    installed !== undefined
      ? !kerasHas('keras_files', installed)
      : required !== undefined && keepsOut(required, firstKerasWith('keras_files'));
  if (isOld && text.endsWith('.keras'))
    return { message: message`\`load_model\` fails: ${who} does not read \`.keras\` files.` };
  return undefined;
}

/** True for a requirement that admits nothing older than the release. */
function isAllAbove(requirement: string | undefined, release: string): boolean {
  return (requirement ?? '').split(',').some((clause) => {
    const [, version] = /^\s*(?:==|>=|~=|>)\s*(\d[\w.]*)/.exec(clause) ?? [];
    return version !== undefined && isAtLeast(version, release);
  });
}

const CHOOSES =
  /^tensorflow\.config\.(experimental\.)?(set_memory_growth|set_visible_devices|set_virtual_device_configuration|set_logical_device_configuration)$/;

/** Returns the problem if devices are configured below the load, which has initialized them by then. */
function choosesTooLate(load: Call, program: Program): Trouble | undefined {
  const home = program.names.functionOf(load);
  const choice = program.index.calls.find(
    (call) =>
      call.start > load.end &&
      program.names.functionOf(call) === home &&
      !areExclusive(call, load) &&
      program.names.qualify(call.func).some((name) => CHOOSES.test(name)),
  );
  if (!choice) return undefined;
  const name = quoted(`\`${calledName(choice)}\``);
  return {
    message: message`${name} below fails on machines with a GPU: \`load_model\` has initialized it by then.`,
    related: [{ span: spanOf(choice), message: 'The devices are configured here, too late.' }],
  };
}

/** Returns the problem if another framework uses the GPU whose memory TensorFlow takes. */
function sharedGpu(program: Program, known: Knowledge): Trouble | undefined {
  if (kerasBackendOf(program, known) !== 'tensorflow') return undefined;
  const [own] = frameworksOnGpu(program);
  const [other] = own ? [] : (program.project?.gpuUses() ?? []);
  const framework = own?.framework ?? other?.framework;
  if (framework === undefined) return undefined;
  const use = `${framework} uses a GPU here.`;
  return {
    message: `\`load_model\` lets TensorFlow take all GPU memory, but ${framework} also uses a GPU in this program.`,
    related: [
      ...(own ? [{ span: spanOf(own.place), message: use }] : []),
      ...(other ? [{ elsewhere: other.place, message: use }] : []),
    ],
  };
}

const PROCESSES = /(^|\.)(Process|Pool|ProcessPoolExecutor)$/;
const MAPS = /^(map|imap|imap_unordered|starmap|map_async|starmap_async|apply|apply_async|submit)$/;

/** Returns the problem if several processes load the model and each takes the whole memory. */
function severalProcesses(load: Call, program: Program): Trouble | undefined {
  const { index, names } = program;
  const text = '`load_model` runs in several processes, and each takes all the memory of the same GPU.';
  const home = names.functionOf(load);
  const makers = index.calls.filter(({ func }) => names.qualify(func).some((name) => PROCESSES.test(name)));
  if (home && makers.length > 0) {
    const isWorker = (value: Expression | undefined) => value !== undefined && names.declarationOf(value) === home;
    const start =
      makers.find((call) => isWorker(keywordOf(call, 'target')) || isWorker(keywordOf(call, 'initializer'))) ??
      index.calls.find(
        (call) => MAPS.test(calledName(call)) && call.func.kind === 'Attribute' && isWorker(call.args[0]),
      );
    if (start && (calledName(start) !== 'Process' || isRepeated(start) || makers.length > 1))
      return { message: text, related: [{ span: spanOf(start), message: 'The processes are started here.' }] };
  }
  const server = index.callsWithKeyword('workers').find((call) => {
    const count = numberOf(keywordOf(call, 'workers'));
    return (
      count !== undefined &&
      count > 1 &&
      names.qualify(call.func).some((name) => /^(uvicorn\.run|waitress\.|gunicorn)/.test(name))
    );
  });
  return server && { message: text, related: [{ span: spanOf(server), message: 'The workers are started here.' }] };
}

/** True in a loop or a comprehension. */
function isRepeated(call: Call): boolean {
  for (let at: Node | undefined = call.parent; at; at = at.parent) {
    if (at.kind === 'For' || at.kind === 'While' || at.kind === 'ListComp' || at.kind === 'GeneratorExp') return true;
    if (at.kind === 'FunctionDef') return false;
  }
  return false;
}

/** Returns the problem if the project requires TensorFlow's GPU build but no GPU is visible. */
function cpuInsteadOfGpu({ wantsTensorflowGpu, visibleGpus }: Knowledge): Trouble | undefined {
  if (!wantsTensorflowGpu || visibleGpus?.count !== 0) return undefined;
  return {
    message:
      '`load_model` runs on the CPU here: no GPU is visible, but the project requires TensorFlow with GPU support.',
  };
}

// Known facts

/** Returns the outlook, as determined by the file itself: its writer and its size. */
function ofFile(load: Call, program: Program, known: Knowledge): string | undefined {
  const { checkpointsAt, visibleGpus } = known;
  const reader = checkpointsAt && readerCallOf(load, program);
  const [file, more] = reader ? checkpointsAt(reader.path) : [];
  if (!file || more) return undefined;
  const { writtenBy, size } = file.summary;
  const bytes = sizeText(size);
  const facts = [writtenBy ?? [], bytes].flat().join(', ');
  const name = file.path.replace(/^.*[/\\]/, '');
  const place = `loads onto ${placeOf(visibleGpus, kerasBackendOf(program, known))}: no check was found.`;
  return fitted(
    `\`${name}\` (${facts}) ${place}`,
    `\`${name}\` (${bytes}) ${place}`,
    `This file (${facts}) ${place}`,
    `This file ${place}`,
  );
}

/** Returns a size in decimal units, as file managers show it. */
function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

function placeOf(visibleGpus: Knowledge['visibleGpus'], backend: KerasBackend): string {
  if (visibleGpus === undefined) return 'GPU 0, or onto the CPU without saying so';
  if (visibleGpus.count === 0) return 'the CPU, because no GPU is visible';
  return backend === 'tensorflow' ? 'the first GPU, and TensorFlow takes its memory' : 'the first GPU';
}

/** Returns the outlook, as determined by the installed TensorFlow and this machine's GPUs. */
function ofMachine(program: Program, known: Knowledge): string | undefined {
  const { tensorflowVersion: version, visibleGpus, here } = known;
  if (version === undefined || kerasBackendOf(program, known) !== 'tensorflow') return undefined;
  if (here?.system === 'windows' && !tensorflowStillHas('windows_cuda', version))
    return `\`load_model\` runs on the CPU here: TensorFlow ${version} does not use GPUs on Windows.`;
  if (visibleGpus === undefined) return undefined;
  if (visibleGpus.count === 0) return `\`load_model\` runs on the CPU here: TensorFlow ${version} sees no GPU.`;
  return message`\`load_model\` runs on the first GPU (${quoted(visibleGpus.names)}), and TensorFlow ${version} takes all of its memory.`;
}

/** Returns the outlook if nothing else is known. */
function ofBackend(program: Program, known: Knowledge): string {
  if (kerasBackendOf(program, known) === 'tensorflow' && isTensorflow1(program, known))
    return '`load_model` takes all memory of all GPUs, or runs on the CPU without saying so: no check was found.';
  const backend = kerasBackendOf(program, known);
  if (backend === 'torch') return '`load_model` runs on GPU 0, or on the CPU without saying so: no check was found.';
  const share = backend === 'jax' ? 'most' : 'all';
  return `\`load_model\` takes ${share} memory of GPU 0, or runs on the CPU without saying so: no check was found.`;
}
