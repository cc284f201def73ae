/** The binder's annotations on syntax nodes, in fields that do not depend on the types of the semantic model. */
import type { Attribute, Expression, Name, Node, Subscript } from '../syntax/nodes.ts';
import type { PathConditions } from './pathConditions.ts';
import type { Definition, Scope } from './scopes.ts';

/** A use of a name, or of an attribute or item by its access path. */
export type Reference = Name | Attribute | Subscript;

/** The conditions under which an expression is evaluated. */
export const conditionsOf = (expression: Expression): PathConditions => expression.conditions as PathConditions;

/** The definitions that may reach a reference; undefined if none in its own scope does. */
export const reachingDefinitions = (reference: Reference): readonly Definition[] | undefined =>
  reference.definitions as readonly Definition[] | undefined;

/** The scope in which an expression runs; undefined for other nodes and for those that the binder did not visit. */
export const ownScope = (node: Node): Scope | undefined =>
  'scope' in node ? (node.scope as Scope | undefined) : undefined;

/** The scope that a definition, a lambda or a comprehension creates. */
export const scopeMadeBy = (node: Node): Scope | undefined =>
  'inner' in node ? (node.inner as Scope | undefined) : undefined;
