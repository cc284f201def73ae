import type { Access } from '../access.ts';
import type { Results } from './results.ts';
import type { ToolName } from './tools.ts';

/** What the answers to all tools work with. */
export interface Context {
  readonly access: Access;
  readonly python: string | undefined;
}

/** The result of a tool in words, and as data. */
export interface Answered<Name extends ToolName = ToolName> {
  readonly text: string;
  readonly structured: Results[Name];
}
