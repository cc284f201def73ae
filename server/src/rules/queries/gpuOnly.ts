/** APIs that work only on a GPU: engines, kernels and quantized loads that a program uses on every path. */

import type { Program } from '../../guards/program.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { isBoolean, isDisplay, stringOf } from '../../python/semantic/literals.ts';
import type { PathConditions } from '../../python/semantic/pathConditions.ts';
import type { Call, Expression, Node } from '../../python/syntax/nodes.ts';
import { walk } from '../../python/syntax/walk.ts';
import { gpuOnly } from '../catalogue/catalogue.ts';
import { lastPart } from '../engine/selector.ts';
import { type GpuSign, reachOf } from './gpuReach.ts';

const MODULES = new Map(gpuOnly.modules.map(({ name, title }) => [name, title]));
const CALLABLES = new Map(gpuOnly.callables.map(({ name, title }) => [name, title]));
const METHODS = new Map(gpuOnly.methods.map(({ name, title }) => [name, title]));
const SWITCHES = new Map(gpuOnly.switches.map(({ name, title }) => [name, title]));
const EXTENSIONS = ['load', 'load_inline', 'CUDAExtension'];

const NAMES = [...MODULES.keys(), ...CALLABLES.keys(), ...METHODS.keys(), ...SWITCHES.keys(), 'cpp_extension'];
/** Matches a top-level statement that contains one of the names. */
const AT_TOP = new RegExp(String.raw`^[^\s#].*\b(?:${NAMES.map(lastPart).join('|')})\b`, 'm');

/** False for a text whose top level certainly uses no GPU-only API. */
export const mayNeedGpu = (text: string): boolean => AT_TOP.test(text);

/** Returns the places where the program uses GPU-only APIs. */
export function gpuOnlyIn(program: Program): GpuSign[] {
  const { index, names } = program;
  const found: GpuSign[] = [];
  const addAt = (node: Node, conditions: PathConditions, title: string) => {
    const reach = reachOf(program, node, conditions);
    found.push({ because: `it uses ${title}, which needs a GPU`, node, reach });
  };
  const add = (node: Expression, title: string) => addAt(node, conditionsOf(node), title);
  for (const definition of index.definitionsWhere(() => true)) {
    if (definition.kind !== 'import' || !definition.node) continue;
    const title = MODULES.get(moduleOf(definition.qualified ?? ''));
    if (title !== undefined) addAt(definition.node, definition.conditions, title);
  }
  for (const declaration of index.functions)
    for (const decorator of declaration.decorator_list) {
      const named = decorator.kind === 'Call' ? decorator.func : decorator;
      const title = names
        .qualify(named)
        .map((name) => CALLABLES.get(name))
        .find(Boolean);
      if (title !== undefined) addAt(declaration, conditionsOf(decorator), title);
    }
  for (const call of index.callsReaching(new Set([...CALLABLES.keys()].map(lastPart)))) {
    const title = names
      .qualify(call.func)
      .map((name) => CALLABLES.get(name))
      .find(Boolean);
    if (title !== undefined) add(call, title);
  }
  for (const call of index.callsSpelled(METHODS.keys())) {
    const title = call.func.kind === 'Attribute' ? METHODS.get(call.func.attr) : undefined;
    if (title !== undefined) add(call, title);
  }
  for (const call of index.callsSpelled(EXTENSIONS)) if (compilesCuda(call, program)) add(call, 'its own kernels');
  for (const [name, title] of SWITCHES)
    for (const call of index.callsWithKeyword(name)) {
      const value = call.keywords.find(({ arg }) => arg === name)?.value;
      if (isBoolean(value, true) || stringOf(value)?.startsWith('flash_attention')) add(call, title);
    }
  return found;
}

/**
 * Returns the top-level module of a dotted name; empty for a relative import, which refers to the program's own code.
 */
const moduleOf = (qualified: string) => qualified.split('.')[0] ?? '';

/** `torch.utils.cpp_extension.load(sources=["kernel.cu"])`, `load_inline(cuda_sources=...)` */
function compilesCuda(call: Call, { names }: Program): boolean {
  if (!names.qualify(call.func).some((name) => name.startsWith('torch.utils.cpp_extension.'))) return false;
  if (call.keywords.some(({ arg }) => arg === 'cuda_sources')) return true;
  let isCuda = false;
  walk(call, (node) => {
    isCuda ||= /\.cu$/.test(stringOf(node) ?? '');
    return !isDisplay(node) || node.elts.length < 500;
  });
  return isCuda;
}
