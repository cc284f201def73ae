/** A program as seen by rules: its semantic model and its guards. */

import { type SemanticModel, semanticModelOf } from '../python/semantic/semanticModel.ts';
import type { Source } from '../python/semantic/source.ts';
import { createGuards, type Guards } from './guards.ts';
import type { ProjectView } from './projectView.ts';
import type { GuardNames } from './testEvidence.ts';

export interface Program extends SemanticModel {
  readonly guards: Guards;
  /** The rest of the project, if known. */
  readonly project?: ProjectView;
  /** Returns the same program with access to the rest of its project. */
  inProject(project: ProjectView): Program;
}

export interface ProgramOptions {
  /** Names that the project declares to mean "a GPU is available". */
  readonly guardNames?: GuardNames;
}

const NO_GUARD_NAMES: GuardNames = { decorators: new Set(), functions: new Set(), variables: new Set() };

/** Parses a source. The result is cached for the same source and names. */
export function parseProgram(source: Source, { guardNames = NO_GUARD_NAMES }: ProgramOptions = {}): Program {
  const model = semanticModelOf(source);
  const programOf = (project?: ProjectView): Program => ({
    ...model,
    guards: createGuards(model.index, model.names, model.values, guardNames, project),
    project,
    inProject: programOf,
  });
  return programOf();
}
