/** A program as rules ask about it: its semantic model, and what makes sure of a GPU in it. */

import { once } from '../python/semantic/memoise.ts';
import { type SemanticModel, semanticModelOf } from '../python/semantic/semanticModel.ts';
import type { Source } from '../python/semantic/source.ts';
import type { GuardNames } from './conditions.ts';
import { createGuards, type Guards } from './guards.ts';
import type { ProjectView } from './projectView.ts';

export interface Program extends SemanticModel {
  readonly guards: Guards;
  /** The rest of the project, where it is known. */
  project(): ProjectView | undefined;
}

export interface ParseOptions {
  /** Names that the project declares to mean "a GPU is there". */
  readonly guardNames?: GuardNames;
  /** Shows a program of this source the rest of its project. */
  readonly projectOf?: ((program: Program) => ProjectView | undefined) | undefined;
}

const NO_GUARD_NAMES: GuardNames = { decorators: new Set(), functions: new Set(), variables: new Set() };

/** Reads a source. The same source, names and project make the same program. */
export function parseProgram(source: Source, { guardNames = NO_GUARD_NAMES, projectOf }: ParseOptions = {}): Program {
  const model = semanticModelOf(source);
  const project = once(() => projectOf?.(program));
  const guards = createGuards(model.index, model.names, model.values, guardNames, project);
  const program: Program = { ...model, guards, project };
  return program;
}
