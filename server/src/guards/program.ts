/** A program as rules ask about it: its semantic model, and what makes sure of a GPU in it. */

import { type SemanticModel, semanticModelOf } from '../python/semantic/semanticModel.ts';
import type { Source } from '../python/semantic/source.ts';
import type { GuardNames } from './conditions.ts';
import { createGuards, type Guards } from './guards.ts';
import type { ProjectView } from './projectView.ts';

export interface Program extends SemanticModel {
  readonly guards: Guards;
  /** The rest of the project, where it is known. */
  readonly project?: ProjectView;
  /** The same program with the rest of its project in sight. */
  inProject(project: ProjectView): Program;
}

export interface ParseOptions {
  /** Names that the project declares to mean "a GPU is there". */
  readonly guardNames?: GuardNames;
}

const NO_GUARD_NAMES: GuardNames = { decorators: new Set(), functions: new Set(), variables: new Set() };

/** Reads a source. The same source and names make the same program. */
export function parseProgram(source: Source, { guardNames = NO_GUARD_NAMES }: ParseOptions = {}): Program {
  const model = semanticModelOf(source);
  const programOf = (project?: ProjectView): Program => ({
    ...model,
    guards: createGuards(model.index, model.names, model.values, guardNames, project),
    ...(project && { project }),
    inProject: programOf,
  });
  return programOf();
}
