/** Defines the variable `device` where a fix needs one and the program has none. */

import type { Program } from '../../guards/program.ts';
import type { Node, Statement } from '../../python/syntax/nodes.ts';
import { startOf } from '../../python/syntax/walk.ts';
import type { Edit } from '../engine/contract.ts';
import { blockAround, doneBefore, moduleBlock, statementAround, topStatementAround } from '../queries/blocks.ts';
import { isFreeAtTopLevel } from './bindings.ts';
import { settingsOf } from './environment.ts';
import { isDocumentation, isImport, lastOfImports } from './imports.ts';
import { endsLine, indentOf, lineEnd, newlineAt, startsLine } from './layout.ts';
import { moduleNameAt, TORCH } from './moduleNames.ts';
import { insertion } from './placement.ts';
import { quoted } from './quotes.ts';
import { isReachedBefore, placeAfterImport, type TopPlace, writeAt } from './topLevel.ts';

export interface NewVariable {
  readonly name: string;
  readonly edit: Edit;
}

const NAMES = ['device', 'torch_device', 'default_device'];

/** The variable that the edit defines: CUDA where there is one; undefined where none can be defined before `node`. */
export function defineDevice(program: Program, node: Node): NewVariable | undefined {
  const name = NAMES.find((each) => isFreeAtTopLevel(program, each, node));
  return name === undefined
    ? undefined
    : (atTopLevel(program, node, name) ?? inBlock(program, node, name) ?? inFunction(program, node, name));
}

const definition = (program: Program, name: string, torch: string) =>
  `${name} = ${torch}.device(${quoted(program, 'cuda')} if ${torch}.cuda.is_available() else ${quoted(program, 'cpu')})`;

/** After the imports, and after what has to be set before CUDA is looked at. */
function atTopLevel(program: Program, node: Node, name: string): NewVariable | undefined {
  if (moduleNameAt(program, node, TORCH)?.scope.kind === 'function') return undefined;
  const place = placeAfterImport(program, TORCH, node);
  if (!place) return undefined;
  const line = definition(program, name, place.moduleName ?? 'torch');
  const later = settingsOf(program).filter(({ end }) => end > place.offset);
  if (later.length === 0) {
    if (isReachedBefore(program, node, place)) return undefined;
    return { name, edit: writeAt(program, place, place.moduleName ? undefined : 'import torch', [line]) };
  }
  if (!place.moduleName || later.some(({ statement }) => statement && program.names.functionOf(statement)))
    return undefined;
  const ends = later.map(({ statement, end }) => (statement && topStatementAround(statement)?.end) ?? end);
  const offset = lineEnd(program, Math.max(...ends));
  const after: TopPlace = { offset, side: 'after', isBesideImports: false };
  if (
    isReachedBefore(program, node, after) ||
    moduleBlock(program).some((each) => startOf(each) < offset && offset < each.end)
  )
    return undefined;
  return { name, edit: insertion(offset, newlineAt(program, offset) + line) };
}

function startAround(node: Node): number {
  const statement = statementAround(node);
  return statement ? startOf(statement) : 0;
}

/** In the block, or one around it, that imports torch for itself or sets what CUDA reads. */
function inBlock(program: Program, node: Node, name: string): NewVariable | undefined {
  const torch = moduleNameAt(program, node, TORCH);
  const home = program.names.functionOf(node);
  if (!torch?.isCertain) return undefined;
  const settings = settingsOf(program).map(({ statement }) => statement);
  const imports =
    torch.scope.kind === 'function'
      ? (torch.scope.definitions.get(torch.name) ?? []).map((each) => each.node?.parent)
      : [];
  const needed = new Set<Node | undefined>([...settings, ...imports]);
  const last = doneBefore(program, node, (statement: Statement) => needed.has(statement), home);
  const isOrdered = settings.every((setting) => setting && last && setting.end <= last.end);
  if (!last || !isOrdered || !startsLine(program, last.start) || !endsLine(program, last.end)) return undefined;
  // Other imports may follow.
  const end = isImport(last) ? lastOfImports(blockAround(program, last), last) : last;
  const offset = lineEnd(program, end.end);
  if (!endsLine(program, end.end) || offset > startAround(node)) return undefined;
  const line = indentOf(program, last.start) + definition(program, name, torch.name);
  return { name, edit: insertion(offset, newlineAt(program, offset) + line) };
}

/** At the start of the function: what CUDA reads is set elsewhere, before the function is called. */
function inFunction(program: Program, node: Node, name: string): NewVariable | undefined {
  const home = program.names.functionOf(node);
  const torch = moduleNameAt(program, node, TORCH);
  if (!home || torch?.scope.kind !== 'module' || !torch.isCertain) return undefined;
  if (settingsOf(program).some(({ end }) => home.start < end && end <= home.end)) return undefined;
  const first = home.body.find((statement) => !isDocumentation(statement));
  if (!first) return undefined;
  const start = startOf(first);
  if (!startsLine(program, start)) return undefined;
  const line = definition(program, name, torch.name) + newlineAt(program, start) + indentOf(program, start);
  return { name, edit: insertion(start, line) };
}
