/** The place for a new import or definition at the top level of a program. */

import type { Program } from '../../guards/program.ts';
import { memoize, memoizeBy } from '../../python/semantic/memoize.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Node, Statement } from '../../python/syntax/nodes.ts';
import { isStatement, startOf } from '../../python/syntax/walk.ts';
import type { Edit } from '../edits/fix.ts';
import { cellAround, lineEnd, lineStartAfterMark, newlineAt } from '../edits/layout.ts';
import { insertion } from '../edits/placement.ts';
import { mayRunBefore, moduleBlock, waysThrough } from '../queries/blocks.ts';
import { scopeBinding } from './bindings.ts';
import { cellBlock, firstImport, isDocumentation, lastOfImports } from './imports.ts';
import type { Library } from './moduleNames.ts';

export interface TopPlace {
  /** The end of the line after which to insert, or for `before` the start of the line before which to insert. */
  readonly offset: number;
  readonly side: 'after' | 'before';
  /** True next to other imports, where no blank line is needed. */
  readonly isBesideImports: boolean;
  /** The module's name at the place; absent if an import is needed first. */
  readonly moduleName?: string;
}

/**
 * Returns the place after a library's import, or a place for that import; undefined if the library's name has another
 * meaning.
 */
export function placeAfterImport(program: Program, library: Library, near: Node): TopPlace | undefined {
  const { alias } = library;
  const place = placeAfterOwnImport(program, library);
  if (place) return place;
  if (program.index.module.definitions.has(alias) || scopeBinding(program, near, alias)) return undefined;
  return placeOfNewImport(program, near);
}

const placeAfterOwnImport = memoizeBy((program: Program, library: Library): TopPlace | undefined => {
  const imported = topImportOf(program, library);
  if (!imported) return undefined;
  const block = cellBlock(program, imported.statement);
  const offset = endOfLines(program, block, lastOfImports(block, imported.statement));
  return { offset, side: 'after', isBesideImports: true, moduleName: imported.name };
});

/** Returns an import of the library that the top level always runs, under a name without other meanings. */
function topImportOf(program: Program, { modules }: Library): { name: string; statement: Statement } | undefined {
  const found: { name: string; statement: Statement }[] = [];
  for (const [name, definitions] of program.index.module.definitions) {
    if (!definitions.every(({ kind, qualified }) => kind === 'import' && modules.includes(qualified ?? ''))) continue;
    const imports = definitions.flatMap(({ node }) => (node?.parent && isStatement(node.parent) ? [node.parent] : []));
    const block = moduleBlock(program);
    const [first = -1] = waysThrough(program, new Set(imports)).get(block) ?? [];
    const statement = block[first];
    if (statement) found.push({ name, statement });
  }
  return found.sort((a, b) => a.statement.start - b.statement.start)[0];
}

const blockWithImports = memoize(({ cells }: Program) => cells.find((block) => firstImport(block)));

function placeOfNewImport(program: Program, near: Node): TopPlace | undefined {
  const { cell } = program.toCell(spanOf(near));
  const block = blockWithImports(program) ?? program.cells[cell] ?? [];
  const first = firstImport(block);
  if (first)
    return { offset: endOfLines(program, block, lastOfImports(block, first)), side: 'after', isBesideImports: true };
  // The beginning of a text that cannot be parsed is uncertain.
  if (program.modules[cell]?.errors.length !== 0) return undefined;
  const [top] = block;
  if (top && isDocumentation(top))
    return { offset: endOfLines(program, block, top), side: 'after', isBesideImports: false };
  const begin = block.find((statement) => statement.kind !== 'Expr' || statement.value.kind !== 'Magic');
  return {
    offset: lineStartAfterMark(program, begin ? startOf(begin) : near.start),
    side: 'before',
    isBesideImports: false,
  };
}

/** Returns the end of the last line that a statement shares with other statements of its block. */
function endOfLines(program: Program, block: readonly Statement[], statement: Statement): number {
  let end = lineEnd(program, statement.end);
  for (let index = block.indexOf(statement) + 1; index < block.length; index++) {
    const next = block[index];
    if (!next || startOf(next) >= end) break;
    end = lineEnd(program, next.end);
  }
  return end;
}

/** True if top-level code may reach `node` before it reaches the place. */
export function isReachedBefore(program: Program, node: Node, place: TopPlace): boolean {
  return mayRunBefore(program, node, place.offset);
}

/** Writes an import, a paragraph of other lines, or both, at the place. */
export function writeAt(
  program: Program,
  place: TopPlace,
  importLine: string | undefined,
  lines: readonly string[],
): Edit {
  const newline = newlineAt(program, place.offset);
  const paragraphs = [...(importLine ? [importLine] : []), ...(lines.length > 0 ? [lines.join(newline)] : [])];
  if (place.side === 'before')
    return insertion(place.offset, `${paragraphs.join(newline + newline)}${newline}${newline}`);
  const { text, base } = cellAround(program, place.offset);
  const isFollowed = /^(\r\n|\n|\r)[ \t]*[^\s]/.test(text.slice(place.offset - base));
  const lead = importLine && place.isBesideImports ? newline : newline + newline;
  const trail = isFollowed && (lines.length > 0 || !place.isBesideImports) ? newline : '';
  return insertion(place.offset, lead + paragraphs.join(newline + newline) + trail);
}
