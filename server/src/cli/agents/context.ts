import type { Access } from '../access.ts';
import type { Results } from './results.ts';
import type { ToolName } from './tools.ts';

/** The shared context of all tools' answers. */
export interface Context {
  readonly access: Access;
  readonly python: string | undefined;
}

/** The result of a tool as text and as data. */
export interface Answered<Name extends ToolName = ToolName> {
  readonly text: string;
  readonly structured: Results[Name];
}
