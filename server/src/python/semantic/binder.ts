/**
 * The binder: one walk through the program in execution order. It records, at every use of a name, the definitions that
 * may reach it, and at every expression, the conditions under which it runs. Function bodies are walked where they are
 * defined; `nameResolution.ts` later resolves the names that they take from outside.
 */
import type * as py from '../syntax/nodes.ts';
import { calledName, lastPartOf, pathOf } from './accessPaths.ts';
import type { Reference } from './annotations.ts';
import { assignedIn } from './assignedNames.ts';
import { type BranchOutcome, ControlFlow, type Loop } from './controlFlow.ts';
import { Definitions } from './definitions.ts';
import { Environment } from './environment.ts';
import { isExit } from './exits.ts';
import { isBoolean, isDisplay } from './literals.ts';
import { matchesAll, testOf } from './matchTests.ts';
import { afterTest, type BodyOwner, insideBody, insideTry, without } from './pathConditions.ts';
import { CollectedNodes, createProgramIndex, type ProgramIndex } from './programIndex.ts';
import { type Comprehended, createScope, type Definition, type Scope } from './scopes.ts';

/** Binds a program. `cells` holds the statements of each cell; a script consists of one cell. */
export function bind(cells: readonly (readonly py.Statement[])[]): ProgramIndex {
  const binder = new Binder();
  for (const statements of cells) binder.cell(statements);
  return binder.finish();
}

class Binder {
  readonly #module = createScope('module');
  readonly #collected = new CollectedNodes();
  readonly #flow = new ControlFlow(this.#module);
  readonly #definitions = new Definitions(this.#flow, this.#module, (definition, name) =>
    this.#noteAlias(definition, name),
  );

  constructor() {
    this.#collected.scopes.push(this.#module);
  }

  /** Walks one cell. An exception does not end a notebook, because the user runs the next cell anyway. */
  cell(statements: readonly py.Statement[]): void {
    const before = this.#flow.conditions;
    this.#block(statements, undefined);
    if (!this.#flow.isLive) {
      this.#flow.isLive = true;
      this.#flow.conditions = before;
    }
  }

  finish(): ProgramIndex {
    this.#module.atEnd = this.#flow.environment;
    return createProgramIndex(this.#module, this.#collected);
  }

  // Statements

  #block(statements: readonly py.Statement[], parent: py.Node | undefined): void {
    for (const statement of statements) {
      statement.parent = parent;
      this.#statement(statement);
    }
  }

  #statement(node: py.Statement): void {
    switch (node.kind) {
      case 'Expr':
        this.#visit(node.value, node);
        if (isExit(node.value)) this.#flow.end();
        return;
      case 'Assign':
        this.#visit(node.value, node);
        for (const target of node.targets) this.#bind(target, node.value, node, node);
        return;
      case 'AugAssign':
        return this.#augmentedAssign(node);
      case 'AnnAssign':
        this.#visit(node.annotation, node);
        if (node.value) {
          this.#visit(node.value, node);
          this.#bind(node.target, node.value, node, node);
        } else this.#visitTarget(node.target, node);
        return;
      case 'Return':
        this.#visitOne(node.value, node);
        return this.#flow.end();
      case 'Raise':
        this.#visitOne(node.exc, node);
        this.#visitOne(node.cause, node);
        this.#visitOne(node.inst, node);
        this.#visitOne(node.tback, node);
        return this.#flow.end();
      case 'Assert':
        this.#visit(node.test, node);
        this.#visitOne(node.msg, node);
        this.#flow.conditions = afterTest(this.#flow.conditions, node.test, true);
        return;
      case 'Break':
        return this.#flow.jump('break');
      case 'Continue':
        return this.#flow.jump('continue');
      case 'Global':
      case 'Nonlocal':
        for (const name of node.names)
          this.#flow.scope.declared.set(name, node.kind === 'Global' ? 'global' : 'nonlocal');
        return;
      case 'Import':
        for (const alias of node.names) alias.parent = node;
        return this.#definitions.defineImport(node);
      case 'ImportFrom':
        for (const alias of node.names) alias.parent = node;
        return this.#definitions.defineImportFrom(node);
      case 'If':
        return this.#if(node);
      case 'While':
        return this.#while(node);
      case 'For':
        return this.#for(node);
      case 'With':
        return this.#with(node);
      case 'Try':
        return this.#try(node);
      case 'Match':
        return this.#match(node);
      case 'FunctionDef':
        return this.#function(node);
      case 'ClassDef':
        return this.#class(node);
      case 'TypeAlias':
        this.#visitTarget(node.name, node);
        return this.#visit(node.value, node);
      case 'Delete':
        return this.#visitAll(node.targets, node);
      case 'Print':
        this.#visitOne(node.dest, node);
        return this.#visitAll(node.values, node);
      case 'Exec':
        this.#visit(node.body, node);
        this.#visitOne(node.globals, node);
        return this.#visitOne(node.locals, node);
      case 'Broken':
        return this.#block(node.body, node);
      case 'Pass':
        return;
    }
  }

  #if(node: py.If): void {
    this.#visit(node.test, node);
    const { conditions } = this.#flow;
    const body = this.#flow.branch(afterTest(conditions, node.test, true), () => this.#block(node.body, node));
    const orelse = this.#flow.branch(afterTest(conditions, node.test, false), () => this.#block(node.orelse, node));
    this.#flow.merge([body, orelse]);
  }

  #while(node: py.While): void {
    const endIteration = this.#flow.startIteration(assignedIn(node.body));
    this.#visit(node.test, node);
    const { conditions } = this.#flow;
    const isEndless = isBoolean(node.test, true);
    const loop: Loop = { base: this.#flow.environment, breaks: [], continues: [] };
    this.#flow.loops.push(loop);
    const body = this.#flow.branch(afterTest(conditions, node.test, true), () => this.#block(node.body, node));
    this.#flow.loops.pop();
    endIteration([body, ...loop.continues]);
    const notEntered: BranchOutcome = { set: new Map(), conditions, live: !isEndless };
    const iterated = [body, ...loop.continues].map((outcome) => ({
      ...outcome,
      conditions,
      live: outcome.live && !isEndless,
    }));
    const completed = this.#flow.branch(conditions, () => {
      this.#flow.merge([notEntered, ...iterated]);
      if (this.#flow.isLive) this.#flow.conditions = afterTest(conditions, node.test, false);
      this.#block(node.orelse, node);
    });
    this.#flow.merge([completed, ...loop.breaks]);
  }

  #for(node: py.For): void {
    this.#visit(node.iter, node);
    const { conditions } = this.#flow;
    const endIteration = this.#flow.startIteration(assignedIn(node.body));
    const loop: Loop = { base: this.#flow.environment, breaks: [], continues: [] };
    this.#flow.loops.push(loop);
    // A loop over `range(n)` does not run if `n` is 0, and one over a list does not run if it is empty.
    const isTest = node.iter.kind === 'Call' || node.iter.kind === 'Name' || node.iter.kind === 'Attribute';
    const inside = isTest ? afterTest(conditions, node.iter, true) : conditions;
    const body = this.#flow.branch(inside, () => {
      this.#bindElements(node.target, node.iter, node);
      this.#block(node.body, node);
    });
    this.#flow.loops.pop();
    endIteration([body, ...loop.continues]);
    const notEntered: BranchOutcome = { set: new Map(), conditions, live: true };
    const completed = this.#flow.branch(conditions, () => {
      this.#flow.merge([notEntered, body, ...loop.continues]);
      this.#block(node.orelse, node);
    });
    this.#flow.merge([completed, ...loop.breaks]);
  }

  #with(node: py.With): void {
    for (const item of node.items) {
      item.parent = node;
      this.#visit(item.context_expr, item);
      if (item.optional_vars) this.#bind(item.optional_vars, undefined, item, item);
    }
    const own = insideTry(this.#flow.conditions, node);
    this.#flow.conditions = own;
    this.#block(node.body, node);
    // A condition that an exit in the block established still holds after it; the handling of exceptions does not.
    if (this.#flow.isLive) this.#flow.conditions = without(this.#flow.conditions, own);
  }

  #try(node: py.Try): void {
    const { conditions } = this.#flow;
    const own = insideTry(conditions, node);
    const body = this.#flow.branch(own, () => this.#block(node.body, node));
    const after = { ...body, conditions: body.live ? without(body.conditions, own) : body.conditions };
    const raisedAnywhere = new Map(
      [...body.set].map(([name, definitions]) => [
        name,
        [...new Set([...(this.#flow.environment.get(name) ?? [this.#flow.unbound(name)]), ...definitions])],
      ]),
    );
    const handlers = node.handlers.map((handler) =>
      this.#flow.branch(
        conditions,
        () => {
          handler.parent = node;
          this.#visitOne(handler.type, handler);
          if (handler.name !== undefined) this.#definitions.define('unknown', handler.name, handler);
          this.#block(handler.body, handler);
        },
        raisedAnywhere,
      ),
    );
    const completed = this.#flow.branch(
      after.conditions,
      () => {
        if (!after.live) this.#flow.end();
        this.#block(node.orelse, node);
      },
      after.set,
    );
    if (node.finalbody.length === 0) return this.#flow.merge([completed, ...handlers]);
    // The final block is walked once, from the merged outcomes, and is dead if all of them are.
    const anyLive = [completed, ...handlers].some((outcome) => outcome.live);
    if (anyLive) this.#flow.merge([completed, ...handlers]);
    this.#block(node.finalbody, node);
    if (!anyLive) this.#flow.end();
  }

  #match(node: py.Match): void {
    this.#visit(node.subject, node);
    let { conditions } = this.#flow;
    const outcomes: BranchOutcome[] = [];
    let isExhaustive = false;
    for (const clause of node.cases) {
      clause.parent = node;
      const isCatchAll = matchesAll(clause.pattern);
      const test = isCatchAll ? undefined : testOf(node.subject, clause.pattern);
      const inside = test ? afterTest(conditions, test, true) : conditions;
      outcomes.push(
        this.#flow.branch(inside, () => {
          this.#pattern(clause.pattern, clause);
          if (clause.guard) {
            this.#visit(clause.guard, clause);
            this.#flow.conditions = afterTest(this.#flow.conditions, clause.guard, true);
          }
          this.#block(clause.body, clause);
        }),
      );
      if (test && !clause.guard) conditions = afterTest(conditions, test, false);
      if (isCatchAll && !clause.guard) isExhaustive = true;
    }
    if (!isExhaustive) outcomes.push({ set: new Map(), conditions, live: true });
    this.#flow.merge(outcomes);
  }

  #pattern(node: py.Pattern, parent: py.Node): void {
    node.parent = parent;
    switch (node.kind) {
      case 'MatchValue':
        return this.#visit(node.value, node);
      case 'MatchClass':
        this.#visit(node.cls, node);
        for (const pattern of node.patterns) this.#pattern(pattern, node);
        for (const pattern of node.kwd_patterns) this.#pattern(pattern, node);
        return;
      case 'MatchMapping':
        this.#visitAll(node.keys, node);
        for (const pattern of node.patterns) this.#pattern(pattern, node);
        if (node.rest !== undefined) this.#definitions.define('unknown', node.rest, node);
        return;
      case 'MatchSequence':
      case 'MatchOr':
        for (const pattern of node.patterns) this.#pattern(pattern, node);
        return;
      case 'MatchAs':
        if (node.pattern) this.#pattern(node.pattern, node);
        if (node.name !== undefined) this.#definitions.define('unknown', node.name, node);
        return;
      case 'MatchStar':
        if (node.name !== undefined) this.#definitions.define('unknown', node.name, node);
        return;
      case 'MatchSingleton':
        return;
    }
  }

  // Functions and classes

  /** Walks a body in its own scope; definitions inside it do not leak into the enclosing scope. */
  #body(scope: Scope, environment: Environment, owner: BodyOwner, walk: () => void): void {
    const at = this.#flow;
    const { scope: outerScope, environment: outerEnvironment, conditions, isLive, loops } = at;
    owner.inner = scope;
    this.#collected.scopes.push(scope);
    if (owner.kind === 'ClassDef') this.#collected.classes.push(owner);
    at.scope = scope;
    at.environment = environment;
    at.conditions = insideBody(conditions, owner);
    at.isLive = true;
    at.loops = [];
    walk();
    if (at.isLive) {
      scope.atEnd = at.environment;
      scope.conditionsAtEnd = at.conditions;
    }
    at.scope = outerScope;
    at.environment = outerEnvironment;
    at.conditions = conditions;
    at.isLive = isLive;
    at.loops = loops;
  }

  #function(node: py.FunctionDef): void {
    this.#visitAll(node.decorator_list, node);
    this.#typeParams(node.type_params, node);
    this.#signature(node.args, node);
    this.#visitOne(node.returns, node);
    this.#collected.functions.push(node);
    this.#definitions.define('function', node.name, node);
    this.#body(createScope('function', this.#flow.scope, node), new Environment(), node, () => {
      this.#parameters(node.args);
      this.#block(node.body, node);
    });
  }

  /** Visits the parts of a function's parameters that run at its definition: annotations and defaults. */
  #signature(node: py.Arguments, parent: py.Node): void {
    node.parent = parent;
    const parameter = (arg: py.Arg | undefined) => {
      if (!arg) return;
      arg.parent = node;
      this.#visitOne(arg.annotation, arg);
    };
    node.posonlyargs.forEach(parameter);
    node.args.forEach(parameter);
    parameter(node.vararg);
    node.kwonlyargs.forEach(parameter);
    parameter(node.kwarg);
    this.#visitAll(node.defaults, node);
    for (const value of node.kw_defaults) this.#visitOne(value, node);
  }

  #parameters({ posonlyargs, args, vararg, kwonlyargs, kw_defaults, kwarg, defaults }: py.Arguments): void {
    const define = (arg: py.Arg, value?: py.Expression) => this.#definitions.define('parameter', arg.arg, arg, value);
    const first = posonlyargs.length + args.length - defaults.length;
    posonlyargs.forEach((arg, index) => {
      define(arg, defaults[index - first]);
    });
    args.forEach((arg, index) => {
      define(arg, defaults[posonlyargs.length + index - first]);
    });
    if (vararg) define(vararg);
    kwonlyargs.forEach((arg, index) => {
      define(arg, kw_defaults[index]);
    });
    if (kwarg) define(kwarg);
  }

  #typeParams(nodes: readonly py.TypeParam[], parent: py.Node): void {
    for (const node of nodes) {
      node.parent = parent;
      if (node.kind === 'TypeVar') this.#visitOne(node.bound, node);
      this.#visitOne(node.default_value, node);
    }
  }

  #class(node: py.ClassDef): void {
    this.#visitAll(node.decorator_list, node);
    this.#typeParams(node.type_params, node);
    this.#visitAll(node.bases, node);
    this.#keywords(node.keywords, node);
    this.#definitions.define('class', node.name, node);
    const environment = new Environment(this.#flow.environment);
    this.#body(createScope('class', this.#flow.scope, node), environment, node, () => this.#block(node.body, node));
  }

  // Assignments

  #augmentedAssign(node: py.AugAssign): void {
    const { start, end, target, op } = node;
    this.#visit(node.value, node);
    this.#visit(target, node);
    // `a &= b` is `a = a & b`; the copy keeps what `a` meant before.
    const left = { ...target };
    const { scope, conditions } = this.#flow;
    const value: py.BinOp = { kind: 'BinOp', start, end, parent: node, scope, conditions, op, left, right: node.value };
    this.#bind(target, value, node, node);
  }

  /**
   * Binds a target to a value, element by element if both sides are displays. `node` becomes the node of the
   * definitions.
   */
  #bind(target: py.Expression, value: py.Expression | undefined, node: py.Node, parent: py.Node): void {
    switch (target.kind) {
      case 'Name':
        this.#definitions.define(value ? 'value' : 'unknown', target.id, node, value);
        this.#annotate(target, parent);
        target.definitions = this.#flow.environment.get(target.id);
        return;
      case 'Attribute':
      case 'Subscript': {
        this.#visitTarget(target, parent);
        const path = pathOf(target);
        if (path === undefined) return;
        const lastPart = lastPartOf(target) ?? '';
        this.#collected.paths.push({ definition: this.#definitions.definePath(path, lastPart, value, node), lastPart });
        return;
      }
      case 'Tuple':
      case 'List': {
        this.#annotate(target, parent);
        const isAligned =
          isDisplay(value) &&
          value.elts.length === target.elts.length &&
          !target.elts.some((item) => item.kind === 'Starred');
        target.elts.forEach((item, index) => {
          this.#bind(item, isAligned ? value.elts[index] : undefined, node, target);
        });
        return;
      }
      case 'Starred':
        this.#annotate(target, parent);
        return this.#bind(target.value, undefined, node, target);
      default:
        return this.#visit(target, parent);
    }
  }

  #bindElements(target: py.Expression, iter: py.Expression, node: py.Node): void {
    if (target.kind !== 'Name') return this.#bind(target, undefined, node, node);
    target.parent = node;
    this.#definitions.define('element', target.id, node, iter);
  }

  /** Visits the parts of an assignment's target that are read: `x` in `x.y = …`, `x` and `i` in `x[i] = …`. */
  #visitTarget(target: py.Expression, parent: py.Node): void {
    this.#annotate(target, parent);
    if (target.kind === 'Attribute') {
      this.#collected.uses.push(target);
      this.#visit(target.value, target);
    } else if (target.kind === 'Subscript') {
      this.#visit(target.value, target);
      this.#visit(target.slice, target);
    }
  }

  // Expressions

  #noteAlias({ kind, value, qualified }: Definition, name: string): void {
    if (kind === 'import') {
      if (qualified !== undefined && qualified !== name && !qualified.endsWith(`.${name}`))
        this.#collected.aliases.push({ name, madeBy: undefined });
    } else if (kind === 'value' && value) {
      switch (value.kind) {
        case 'Call':
          this.#collected.aliases.push({ name, madeBy: calledName(value) });
          return;
        case 'Name':
        case 'Attribute':
        case 'IfExp':
        case 'NamedExpr':
          this.#collected.aliases.push({ name, madeBy: undefined });
      }
    }
  }

  /** Annotates an expression with the current scope and conditions. */
  #annotate(node: py.Expression, parent: py.Node): void {
    node.parent = parent;
    node.scope = this.#flow.scope;
    node.conditions = this.#flow.conditions;
  }

  #visitAll(nodes: readonly (py.Expression | undefined)[], parent: py.Node): void {
    for (const node of nodes) if (node) this.#visit(node, parent);
  }

  #visitOne(node: py.Expression | undefined, parent: py.Node): void {
    if (node) this.#visit(node, parent);
  }

  #visit(node: py.Expression, parent: py.Node): void {
    this.#annotate(node, parent);
    switch (node.kind) {
      case 'Name':
        this.#collected.uses.push(node);
        node.definitions = this.#flow.environment.get(node.id);
        return;
      case 'Attribute':
        this.#collected.uses.push(node);
        this.#visit(node.value, node);
        node.definitions = this.#definitionsOfPath(node, node.attr);
        return;
      case 'Constant':
        if (node.type === 'str') this.#collected.strings.push(node);
        return;
      case 'Call':
        this.#collected.calls.push(node);
        this.#visit(node.func, node);
        this.#visitAll(node.args, node);
        return this.#keywords(node.keywords, node);
      case 'Subscript':
        this.#visit(node.value, node);
        this.#visit(node.slice, node);
        node.definitions = this.#definitionsOfPath(node, lastPartOf(node));
        return;
      case 'Tuple':
      case 'List':
      case 'Set':
        return this.#visitAll(node.elts, node);
      case 'BinOp':
        this.#visit(node.left, node);
        return this.#visit(node.right, node);
      case 'UnaryOp':
        return this.#visit(node.operand, node);
      case 'Compare':
        this.#visit(node.left, node);
        return this.#visitAll(node.comparators, node);
      case 'BoolOp':
        return this.#boolean(node);
      case 'IfExp':
        return this.#conditional(node);
      case 'JoinedStr':
        this.#collected.strings.push(node);
        return this.#formattedValues(node.values, node);
      case 'TemplateStr':
        return this.#formattedValues(node.values, node);
      case 'Dict':
        for (let index = 0; index < node.values.length; index++) {
          this.#visitOne(node.keys[index], node);
          this.#visitOne(node.values[index], node);
        }
        return;
      case 'Lambda':
        return this.#lambda(node);
      case 'ListComp':
      case 'SetComp':
      case 'GeneratorExp':
      case 'DictComp':
        return this.#comprehension(node);
      case 'NamedExpr':
        this.#visit(node.value, node);
        return this.#bind(node.target, node.value, node, node);
      case 'FormattedValue':
      case 'Interpolation':
        this.#visit(node.value, node);
        return this.#visitOne(node.format_spec, node);
      case 'Slice':
        this.#visitOne(node.lower, node);
        this.#visitOne(node.upper, node);
        return this.#visitOne(node.step, node);
      case 'Starred':
      case 'Await':
      case 'YieldFrom':
      case 'Repr':
        return this.#visit(node.value, node);
      case 'Yield':
        return this.#visitOne(node.value, node);
      case 'BrokenExpression':
        return this.#visitAll(node.children, node);
      case 'Magic':
        return;
    }
  }

  #keywords(keywords: readonly py.Keyword[], parent: py.Node): void {
    for (const keyword of keywords) {
      keyword.parent = parent;
      this.#visit(keyword.value, keyword);
    }
  }

  /** Visits the parts of an f-string; the text between its fields is not a string literal. */
  #formattedValues(values: readonly py.Expression[], parent: py.Node): void {
    for (const value of values) {
      if (value.kind === 'Constant') this.#annotate(value, parent);
      else this.#visit(value, parent);
    }
  }

  /** Visits operands, each under the condition that those before it did not short-circuit. */
  #boolean(node: py.BoolOp): void {
    const before = this.#flow.conditions;
    const last = node.values.length - 1;
    node.values.forEach((value, index) => {
      this.#visit(value, node);
      if (index < last) this.#flow.conditions = afterTest(this.#flow.conditions, value, node.op === 'and');
    });
    this.#flow.conditions = before;
  }

  #conditional(node: py.IfExp): void {
    this.#visit(node.test, node);
    const before = this.#flow.conditions;
    this.#flow.conditions = afterTest(before, node.test, true);
    this.#visit(node.body, node);
    this.#flow.conditions = afterTest(before, node.test, false);
    this.#visit(node.orelse, node);
    this.#flow.conditions = before;
  }

  #lambda(node: py.Lambda): void {
    this.#signature(node.args, node);
    const environment = new Environment(this.#flow.environment);
    this.#body(createScope('lambda', this.#flow.scope, node), environment, node, () => {
      this.#parameters(node.args);
      this.#visit(node.body, node);
    });
  }

  #definitionsOfPath(node: Reference, lastPart: string | undefined): readonly Definition[] | undefined {
    if (lastPart === undefined || !this.#definitions.assignedParts.has(lastPart)) return undefined;
    const path = pathOf(node);
    return path === undefined ? undefined : this.#flow.environment.get(path);
  }

  #comprehension(node: Comprehended): void {
    const at = this.#flow;
    const { scope: outerScope, environment, conditions } = at;
    const scope = createScope('comprehension', outerScope, node);
    node.inner = scope;
    this.#collected.scopes.push(scope);
    for (const generator of node.generators) {
      generator.parent = node;
      this.#visit(generator.iter, generator);
      if (at.scope !== scope) {
        at.scope = scope;
        at.environment = new Environment(environment);
      }
      this.#bindElements(generator.target, generator.iter, generator);
      if (generator.iter.kind === 'Call') at.conditions = afterTest(at.conditions, generator.iter, true);
      for (const test of generator.ifs) {
        this.#visit(test, generator);
        at.conditions = afterTest(at.conditions, test, true);
      }
    }
    if (node.kind === 'DictComp') {
      this.#visit(node.key, node);
      this.#visit(node.value, node);
    } else this.#visit(node.elt, node);
    at.scope = outerScope;
    at.environment = environment;
    at.conditions = conditions;
  }
}
