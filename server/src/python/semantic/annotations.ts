/** What the binder notes on the nodes of a syntax tree, whose places for it know no types of the semantic model. */
import type { Attribute, Expression, Name, Node, Subscript } from '../syntax/nodes.ts';
import type { PathConditions } from './pathConditions.ts';
import type { Definition, Scope } from './scopes.ts';

/** A use of a name, or of an attribute or item by the path that leads to it. */
export type Reference = Name | Attribute | Subscript;

/** The conditions under which an expression is evaluated. */
export const conditionsOf = (expression: Expression): PathConditions => expression.conditions as PathConditions;

/** The definitions that may reach a reference; undefined where none of its own scope does. */
export const reachingDefinitions = (reference: Reference): readonly Definition[] | undefined =>
  reference.definitions as readonly Definition[] | undefined;

/** The scope whose code an expression is; undefined for what is no expression, and for what the binder did not come to. */
export const ownScope = (node: Node): Scope | undefined =>
  'scope' in node ? (node.scope as Scope | undefined) : undefined;

/** The scope that a definition, a lambda or a comprehension makes. */
export const scopeMadeBy = (node: Node): Scope | undefined =>
  'inner' in node ? (node.inner as Scope | undefined) : undefined;
