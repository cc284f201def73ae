/** Programs that measure GPUs: code that times GPU work runs only on a GPU. */

import type { Program } from '../../guards/program.ts';
import { keywordOf } from '../../python/semantic/arguments.ts';
import { isBoolean } from '../../python/semantic/literals.ts';
import type { Call, FunctionDef } from '../../python/syntax/nodes.ts';
import { type GpuSign, runsAlways } from './gpuReach.ts';

const BECAUSE = 'it measures GPUs';
const SYNCHRONIZING = new Set(['torch.cuda.synchronize', 'torch.accelerator.synchronize']);
const EVENTS = new Set(['torch.cuda.Event']);
const LOADS = new Set(['torch.load', 'torch.save']);
const CLOCKS = new Set([
  'time.time',
  'time.time_ns',
  'time.perf_counter',
  'time.perf_counter_ns',
  'time.monotonic',
  'time.monotonic_ns',
  'time.process_time',
  'timeit.default_timer',
  'datetime.datetime.now',
]);
/** Calls with which a program trains, reads a trained model, or writes results. */
const PURPOSES = new Set([
  'backward',
  'step',
  'fit',
  'load_state_dict',
  'load_from_checkpoint',
  'save_pretrained',
  'save_image',
  'imwrite',
  'imsave',
]);
/** Matches the name of a file that measures something. */
const NAMED = /(^|[\W_])(bench(mark(s|ing)?)?|profil(e|er|ing)|latency|throughput|speed(_?test)?|timing)([\W_]|$)/i;

/** Returns the functions that only time GPU work, and the whole program if it only calls them. */
export function measuredIn(program: Program): GpuSign[] {
  const { index, names, source } = program;
  const homeOf = (call: Call) => names.functionOf(call);
  const purposeful = new Set([...index.callsSpelled(PURPOSES), ...callsNamed(LOADS, program)].map(homeOf));
  const isNamed = NAMED.test(source.path.split(/[\\/]/).pop() ?? '');
  const isAll = (home: FunctionDef | undefined) =>
    isNamed || (purposeful.size === 0 && (home === undefined || runsAlways(program, home)));
  const timed = new Set(callsNamed(CLOCKS, program).map(homeOf));
  const measuring = [
    ...[...callsNamed(SYNCHRONIZING, program), ...streamsAwaited(program)].filter((call) => timed.has(homeOf(call))),
    ...callsNamed(EVENTS, program).filter((call) => isBoolean(keywordOf(call, 'enable_timing'), true)),
  ];
  return measuring.flatMap((node): GpuSign[] => {
    const within = homeOf(node);
    if (isAll(within)) return [{ because: BECAUSE, node, reach: {} }];
    return within && !purposeful.has(within) ? [{ because: BECAUSE, node, reach: { within } }] : [];
  });
}

/** `torch.cuda.current_stream().synchronize()` */
const streamsAwaited = ({ index, names }: Program): readonly Call[] =>
  index.callsSpelled(['synchronize']).filter(({ func }) => {
    const stream = func.kind === 'Attribute' && func.value.kind === 'Call' ? func.value.func : undefined;
    return stream !== undefined && names.qualify(stream).some((name) => name.startsWith('torch.cuda.'));
  });

const lastPart = (name: string) => name.slice(name.lastIndexOf('.') + 1);

const callsNamed = (wanted: ReadonlySet<string>, { index, names }: Program): readonly Call[] =>
  index
    .callsReaching(new Set([...wanted].map(lastPart)))
    .filter((call) => names.qualify(call.func).some((name) => wanted.has(name)));
