/** Library calls that need a GPU: because of an argument, or in any case. */

import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { argumentFor, argumentsOf, keywordOf } from '../../python/semantic/arguments.ts';
import { isBoolean, isDisplay, isNone, isNumber, isString, stringOf } from '../../python/semantic/literals.ts';
import { type Span, spanOf } from '../../python/semantic/source.ts';
import type { Call, Dict, Expression } from '../../python/syntax/nodes.ts';
import { type GpuNeed, gpuNeeds } from '../catalogue/catalogue.ts';
import { lastPart, type Selector } from '../engine/selector.ts';

/** One place that requests a GPU. */
export interface GpuNeedSite {
  readonly need: GpuNeed;
  /** The value that requests a GPU, or the call if it always needs one. */
  readonly node: Expression;
  /** The reported span: the argument with its name, or the callee. */
  readonly span: Span;
  /** The call; absent if the value is in a dictionary of parameters. */
  readonly call?: Call;
}

const byCallable = new Map<string, GpuNeed[]>();
for (const need of gpuNeeds)
  for (const name of need.names) byCallable.set(name, [...(byCallable.get(name) ?? []), need]);

const inDictionaries = gpuNeeds.filter((need) => need['in-dictionary'] && Array.isArray(need.values));
const VALUES = new Set(
  inDictionaries.flatMap(({ values }) => (Array.isArray(values) ? values.filter((each) => each !== true) : [])),
);

/** All places where a call in the catalogue requests a GPU, without duplicates. */
export const gpuNeedSites: Selector<GpuNeedSite> = {
  calls: {
    names: new Set([...byCallable.keys()].map(lastPart)),
    resolve(call, program) {
      const needs = new Set(program.names.calleeOf(call).qualified.flatMap((name) => byCallable.get(name) ?? []));
      return [...needs].flatMap((need) => siteOf(call, need) ?? []);
    },
  },
  strings: {
    values: VALUES,
    resolve(string, program) {
      const dictionary = string.parent;
      if (dictionary?.kind !== 'Dict') return [];
      const key = stringOf(dictionary.keys[dictionary.values.indexOf(string)]);
      const need = inDictionaries.find(
        ({ argument, values, names }) =>
          argument === key &&
          Array.isArray(values) &&
          values.includes(stringOf(string) ?? '') &&
          names.some((name) => isImported(name, program)),
      );
      return need ? [{ need, node: string, span: entryOf(dictionary, string) }] : [];
    },
  },
  triggers: {
    calls: [...byCallable.keys()],
    keywords: keywordsOf(byCallable),
    words: [...VALUES].filter((value) => value.includes('_')),
    patterns: [/["'](?:task_type|device_type|device)["']\s*:\s*["'](?:GPU|gpu|cuda)["']/],
  },
};

/** Keywords that have no position and that make calls need a GPU. */
function keywordsOf(needsOf: ReadonlyMap<string, readonly GpuNeed[]>): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const [name, needs] of needsOf) {
    const keywords = needs.flatMap(({ argument, position }) => (position === undefined ? (argument ?? []) : []));
    if (keywords.length === needs.length) found.set(name, new Set(keywords));
  }
  return found;
}

function siteOf(call: Call, need: GpuNeed): GpuNeedSite | undefined {
  if (need.argument === undefined) return { need, node: call, span: { start: call.func.start, end: call.end }, call };
  const { argument } = argumentFor(argumentsOf(call), need.argument, need.position);
  if (!argument || argument.call !== call || !requestsGpu(argument.value, need)) return undefined;
  // A list of indices pins GPUs, which another rule reports.
  if (need.argument === 'accelerator' && isDisplay(keywordOf(call, 'devices'))) return undefined;
  return { need, node: argument.value, span: spanOf(argument), call };
}

function requestsGpu(value: Expression, { values, lacks }: GpuNeed): boolean {
  if (lacks !== undefined) {
    if (!isDisplay(value)) return false;
    const items = value.elts.map((item) => stringOf(isDisplay(item) ? item.elts[0] : item));
    // A computed item may be anything.
    if (items.includes(undefined) || items.includes(lacks)) return false;
    return items.some((item) => item !== undefined && Array.isArray(values) && values.includes(item));
  }
  if (values === 'positive') return isPositive(value);
  return (values ?? []).some((each) => (each === true ? isBoolean(value, true) : stringOf(value) === each));
}

function isPositive(value: Expression): boolean {
  if (isNone(value)) return false;
  if (isNumber(value)) return Number(value.value) > 0;
  if (isString(value)) return !/^(|0)$/.test(stringOf(value) ?? '');
  if (value.kind === 'UnaryOp') return value.op === '-' && isNumber(value.operand);
  return isDisplay(value) && value.elts.length > 0 && value.elts.every(isNumber);
}

/** True if the program imports the module of a qualified name, or something from it. */
function isImported(name: string, { index }: Program): boolean {
  const [module = ''] = name.split('.');
  return [...index.module.definitions.values()]
    .flat()
    .some(({ kind, qualified }) => kind === 'import' && qualified?.split('.')[0] === module);
}

function entryOf(dictionary: Dict, value: Expression): Span {
  const key = dictionary.keys[dictionary.values.indexOf(value)];
  return { start: key?.start ?? value.start, end: value.end };
}

/** Returns the reasons why a place is only a hint, whatever the program checks. */
export function reasonsOfNeed({ need, node, call }: GpuNeedSite, program: Program): readonly Reason[] {
  if (need.hint !== undefined) return [{ because: need.hint, at: spanOf(node) }];
  if (need.argument !== 'backend') return [];
  if (isLaunched(program))
    return [{ because: 'a launcher such as torchrun starts this program on GPUs', at: spanOf(node) }];
  const test = call && testOfSize(call, program);
  return test ? [{ because: 'this test is true only for several processes', at: spanOf(test) }] : [];
}

/** Returns the test around a call that compares its `world_size`: `if count > 1:`. */
function testOfSize(call: Call, program: Program): Expression | undefined {
  const size = keywordOf(call, 'world_size');
  const text = size && program.text.slice(size.start, size.end);
  for (let at = conditionsOf(call); at && at.kind !== 'body'; at = at.outer)
    if (
      at.kind === 'test' &&
      at.test.kind === 'Compare' &&
      program.text.slice(at.test.left.start, at.test.left.end) === text
    )
      return at.test;
  return undefined;
}

/** True for a program that reads variables that a launcher sets. */
const isLaunched = ({ index }: Program): boolean =>
  index.stringsOf('LOCAL_RANK').length > 0 ||
  index.stringsOf('RANK').length > 0 ||
  index.stringsOf('SLURM_PROCID').length > 0 ||
  index.usesOf('local_rank').length > 0 ||
  index.callsSpelled(['spawn']).length > 0;
