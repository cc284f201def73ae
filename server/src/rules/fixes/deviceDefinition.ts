/** Defines the variable `device` for a fix if the program has none. */

import type { Program } from '../../guards/program.ts';
import type { FunctionDef, Node, Statement } from '../../python/syntax/nodes.ts';
import { startOf } from '../../python/syntax/walk.ts';
import type { Edit } from '../edits/fix.ts';
import { endsLine, indentOf, lineEnd, lineStartAfterMark, newlineAt, startsLine } from '../edits/layout.ts';
import { insertion } from '../edits/placement.ts';
import {
  blockAround,
  doneBefore,
  mayRunBefore,
  moduleBlock,
  statementAround,
  topStatementAround,
} from '../queries/blocks.ts';
import { isFreeAtTopLevel } from './bindings.ts';
import { firstInNeed, outermostFunction } from './devicePlaces.ts';
import { settingsOf } from './environment.ts';
import { mayChooseAtTop } from './importSafety.ts';
import { isDocumentation, isImport, lastOfImports } from './imports.ts';
import { moduleNameAt, TORCH } from './moduleNames.ts';
import { torchAt } from './modules.ts';
import { ownSwitchAt } from './ownSwitch.ts';
import { quotedLikeFile } from './quotes.ts';
import { isReachedBefore, placeAfterImport, type TopPlace, writeAt } from './topLevel.ts';

interface NewVariable {
  readonly name: string;
  readonly edits: readonly Edit[];
}

/** The form of the device: a `torch.device`, or a device name, which other libraries also accept. */
export type DeviceForm = 'object' | 'string';

const NAMES = ['device', 'torch_device', 'default_device'];

/** The variable to define, and its form. */
interface VariableSpec {
  readonly name: string;
  readonly form: DeviceForm;
}

/**
 * Returns the variable that the edits define, which holds CUDA if it is available; undefined if none can be defined
 * before `node`.
 */
export function defineDevice(program: Program, node: Node, form: DeviceForm): NewVariable | undefined {
  const name = NAMES.find((each) => isFreeAtTopLevel(program, each, node));
  if (name === undefined) return undefined;
  const spec = { name, form };
  return (
    bySwitch(program, node, spec) ??
    (mayChooseAtTop(program, node) ? atTopLevel(program, node, spec) : undefined) ??
    inBlock(program, node, spec) ??
    inFunction(program, node, spec)
  );
}

function definition(
  program: Program,
  { name, form }: VariableSpec,
  torch: string,
  test = `${torch}.cuda.is_available()`,
) {
  const choice = `${quotedLikeFile(program, 'cuda')} if ${test} else ${quotedLikeFile(program, 'cpu')}`;
  return `${name} = ${form === 'string' ? choice : `${torch}.device(${choice})`}`;
}

/** Defines the device from the program's own switch, after the switch has received its value. */
function bySwitch(program: Program, node: Node, spec: VariableSpec): NewVariable | undefined {
  const own = ownSwitchAt(program, node);
  const torch = moduleNameAt(program, node, TORCH);
  if (!own || !torch?.isCertain) return undefined;
  const line = definition(program, spec, torch.name, own.text);
  const home = program.names.functionOf(node);
  const isHere = (statement: Statement) => own.setBy.includes(statement);
  const last = own.isGlobal ? lastAtTop(program, node, own.setBy) : doneBefore(program, node, isHere, home);
  if (last && (own.isGlobal || own.setBy.every(({ end }) => end <= last.end)))
    return afterStatement(program, node, last, spec.name, line);
  if (!home || (own.setBy.length > 0 && !own.isGlobal)) return undefined;
  return atStartOf(program, home, node, spec.name, line);
}

/** Returns the last of these top-level statements if all of them run before the node is reached. */
function lastAtTop(program: Program, node: Node, setBy: readonly Statement[]): Statement | undefined {
  const last = setBy.toSorted((a, b) => a.end - b.end).at(-1);
  if (!last || !moduleBlock(program).includes(last) || mayRunBefore(program, node, last.end)) return undefined;
  return last;
}

/** Defines the device after the imports, and after settings that must precede the first use of CUDA. */
function atTopLevel(program: Program, node: Node, spec: VariableSpec): NewVariable | undefined {
  if (moduleNameAt(program, node, TORCH)?.scope.kind === 'function') return undefined;
  const place = placeAfterImport(program, TORCH, node);
  if (!place) return undefined;
  const { name } = spec;
  const line = definition(program, spec, place.moduleName ?? 'torch');
  const later = settingsOf(program).filter(({ end }) => end > place.offset);
  if (later.length === 0) {
    if (isReachedBefore(program, node, place)) return undefined;
    return { name, edits: [writeAt(program, place, place.moduleName ? undefined : 'import torch', [line])] };
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
  return { name, edits: [insertion(offset, newlineAt(program, offset) + line)] };
}

function startAround(node: Node): number {
  const statement = statementAround(node);
  return statement ? startOf(statement) : 0;
}

/**
 * Defines the device in the block, or in an enclosing one, that imports torch itself or sets variables that CUDA reads.
 */
function inBlock(program: Program, node: Node, spec: VariableSpec): NewVariable | undefined {
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
  if (!last || !isOrdered) return undefined;
  // More imports may follow.
  const end = isImport(last) ? lastOfImports(blockAround(program, last), last) : last;
  return afterStatement(program, node, end, spec.name, definition(program, spec, torch.name));
}

/** Inserts a line after a statement that ends before the one with the node begins. */
function afterStatement(
  program: Program,
  node: Node,
  last: Statement,
  name: string,
  line: string,
): NewVariable | undefined {
  const offset = lineEnd(program, last.end);
  const isBefore = program.names.functionOf(last) !== program.names.functionOf(node) || offset <= startAround(node);
  if (!startsLine(program, startOf(last)) || !endsLine(program, last.end) || !isBefore) return undefined;
  return { name, edits: [insertion(offset, newlineAt(program, offset) + indentOf(program, last.start) + line)] };
}

/**
 * Defines the device at the start of the function, if variables that CUDA reads are set before the function is called.
 */
function inFunction(program: Program, node: Node, spec: VariableSpec): NewVariable | undefined {
  const home = outermostFunction(node);
  const known = moduleNameAt(program, node, TORCH);
  if (!home || (known && (known.scope.kind !== 'module' || !known.isCertain))) return undefined;
  const torch = torchAt(program, node);
  if (!torch || settingsOf(program).some(({ end }) => home.start < end && end <= home.end)) return undefined;
  const defined = atStartOf(program, home, node, spec.name, definition(program, spec, torch.text));
  return defined && { ...defined, edits: [...torch.edits, ...defined.edits] };
}

/** Inserts a line before the first statement of a function that needs the device, and before the comments above it. */
function atStartOf(
  program: Program,
  home: FunctionDef,
  node: Node,
  name: string,
  line: string,
): NewVariable | undefined {
  const first =
    firstInNeed(program, home, node) ??
    home.body.find((statement) => !isDocumentation(statement) && !isHead(statement));
  if (!first || !startsLine(program, startOf(first))) return undefined;
  const indent = indentOf(program, startOf(first));
  const start = startOfComments(program, startOf(first), indent);
  return { name, edits: [insertion(start, line + newlineAt(program, start) + indent)] };
}

/** Returns the start of the comments right above a statement; a line of dashes does not belong to it. */
function startOfComments(program: Program, start: number, indent: string): number {
  let first = start;
  for (let at = lineBefore(program, start); at < first; at = lineBefore(program, at)) {
    const line = program.text.slice(at, lineEnd(program, at));
    if (!line.startsWith(`${indent}#`) || !/\w/.test(line)) break;
    first = at + indent.length;
  }
  return first;
}

/** Returns the offset of the start of the previous line. */
function lineBefore(program: Program, offset: number): number {
  const start = lineStartAfterMark(program, offset);
  return start === 0 ? 0 : lineStartAfterMark(program, start - (program.text.startsWith('\r\n', start - 2) ? 2 : 1));
}

/** Statements that usually come first in functions. */
const isHead = ({ kind }: Statement) =>
  kind === 'Global' || kind === 'Nonlocal' || kind === 'Import' || kind === 'ImportFrom';
