/**
 * One walk through the program in the order in which it runs. It notes, at every use of a name, which definitions may
 * reach it, and at every expression under which conditions it runs. Function bodies are walked where they are defined;
 * names that they take from outside are resolved later, by `names.ts`.
 */

import type * as py from '../syntax.ts';
import { forEachChild } from '../syntax.ts';
import { calledName, lastPartOf, pathOf } from './accessPaths.ts';
import { assignedIn } from './assignedNames.ts';
import { Execution, type Loop, type Outcome } from './controlFlow.ts';
import { Definitions, push } from './definitions.ts';
import { afterTest, type Facts, insideBody, insideTry } from './pathConditions.ts';
import { createProgramIndex, nothingMet, type ProgramIndex, type Use } from './programIndex.ts';
import { createScope, type Definition, Environment, type Scope } from './scopes.ts';

/** Statements that never come back: the dotted spelling of the call that they make. */
const EXITS = new Set([
  'sys.exit',
  'exit',
  'quit',
  'os._exit',
  'os.abort',
  'pytest.skip',
  'pytest.exit',
  'pytest.fail',
]);
/** Methods that leave the function: `self.skipTest()`, `parser.error()`. */
const EXIT_METHODS = new Set(['skipTest', 'fail']);

/** What a value must be for a name to be another name of it. */
const STANDS_FOR_ANOTHER: ReadonlySet<py.Expression['kind']> = new Set(['Name', 'Attribute', 'IfExp', 'NamedExpr']);

/** `cells` are the statements of each cell: one list for a script. */
export function flowOf(cells: readonly (readonly py.Statement[])[]): ProgramIndex {
  const walker = new Walker();
  for (const statements of cells) walker.cell(statements);
  return walker.finish();
}

class Walker {
  readonly #module = createScope('module');
  readonly #met = nothingMet();
  readonly #at: Execution;
  readonly #definitions: Definitions;

  constructor() {
    this.#met.scopes.push(this.#module);
    this.#at = new Execution(this.#module);
    this.#definitions = new Definitions(this.#at, this.#module, (definition, name) =>
      this.#noteAlias(definition, name),
    );
  }

  /** A cell that raises does not end the notebook: the next one is run by a person. */
  cell(statements: readonly py.Statement[]): void {
    const before = this.#at.facts;
    this.#block(statements);
    if (!this.#at.isLive) {
      this.#at.isLive = true;
      this.#at.facts = before;
    }
  }

  finish(): ProgramIndex {
    this.#module.atEnd = this.#at.environment;
    return createProgramIndex(this.#module, this.#met);
  }

  // Statements

  #block(statements: readonly py.Statement[]): void {
    for (const statement of statements) this.#statement(statement);
  }

  #statement(node: py.Statement): void {
    switch (node.kind) {
      case 'ExpressionStatement':
        this.#visit(node.value);
        if (isExit(node.value)) this.#at.end();
        return;
      case 'Assign':
        return this.#assign(node);
      case 'Return':
      case 'Raise':
        this.#visitAll(node);
        return this.#at.end();
      case 'Assert':
        this.#visit(node.test);
        if (node.message) this.#visit(node.message);
        this.#at.facts = afterTest(this.#at.facts, node.test, true);
        return;
      case 'Jump':
        return this.#at.jump(node);
      case 'ScopeDeclaration':
        for (const name of node.names) this.#at.scope.declared.set(name, node.of);
        return;
      case 'Import':
        return this.#definitions.defineImport(node);
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
      case 'Delete':
        return this.#visitAll(node);
      case 'Broken':
        return this.#block(node.children);
      case 'Pass':
        return;
    }
  }

  #if(node: py.If): void {
    this.#visit(node.test);
    const facts = this.#at.facts;
    const body = this.#at.branch(afterTest(facts, node.test, true), () => this.#block(node.body));
    const orelse = this.#at.branch(afterTest(facts, node.test, false), () => this.#block(node.orelse));
    this.#at.merge([body, orelse]);
  }

  #while(node: py.While): void {
    const endTurn = this.#at.startTurn(assignedIn(node.body));
    this.#visit(node.test);
    const facts = this.#at.facts;
    const isEndless = node.test.kind === 'Constant' && node.test.value === true;
    const loop: Loop = { base: this.#at.environment, breaks: [], continues: [] };
    this.#at.loops.push(loop);
    const body = this.#at.branch(afterTest(facts, node.test, true), () => this.#block(node.body));
    this.#at.loops.pop();
    endTurn([body, ...loop.continues]);
    const notEntered: Outcome = { set: new Map(), facts, live: !isEndless };
    const turned = [body, ...loop.continues].map((outcome) => ({
      ...outcome,
      facts,
      live: outcome.live && !isEndless,
    }));
    const through = this.#at.branch(facts, () => {
      this.#at.merge([notEntered, ...turned]);
      this.#at.facts = this.#at.isLive ? afterTest(facts, node.test, false) : this.#at.facts;
      this.#block(node.orelse);
    });
    this.#at.merge([through, ...loop.breaks]);
  }

  #for(node: py.For): void {
    this.#visit(node.iter);
    const facts = this.#at.facts;
    const endTurn = this.#at.startTurn(assignedIn(node.body));
    const loop: Loop = { base: this.#at.environment, breaks: [], continues: [] };
    this.#at.loops.push(loop);
    // A loop over `range(torch.cuda.device_count())` has no turn without a GPU.
    const inside = node.iter.kind === 'Call' ? afterTest(facts, node.iter, true) : facts;
    const body = this.#at.branch(inside, () => {
      this.#bindElements(node.target, node.iter, node);
      this.#block(node.body);
    });
    this.#at.loops.pop();
    endTurn([body, ...loop.continues]);
    const notEntered: Outcome = { set: new Map(), facts, live: true };
    const through = this.#at.branch(facts, () => {
      this.#at.merge([notEntered, body, ...loop.continues]);
      this.#block(node.orelse);
    });
    this.#at.merge([through, ...loop.breaks]);
  }

  #with(node: py.With): void {
    for (const item of node.items) {
      this.#visit(item.context);
      if (item.target) this.#bind(item.target, undefined, item);
    }
    const before = this.#at.facts;
    const own = insideTry(before, node);
    this.#at.facts = own;
    this.#block(node.body);
    // What an exit inside the block established holds after it; that exceptions are looked at does not.
    if (this.#at.isLive) this.#at.facts = withoutFact(this.#at.facts, own);
  }

  #try(node: py.Try): void {
    const facts = this.#at.facts;
    const own = insideTry(facts, node);
    const body = this.#at.branch(own, () => this.#block(node.body));
    const after = { ...body, facts: body.live ? withoutFact(body.facts, own) : body.facts };
    const raisedAnywhere = new Map(
      [...body.set].map(([name, definitions]) => [
        name,
        [...new Set([...(this.#at.environment.get(name) ?? [this.#at.unbound(name)]), ...definitions])],
      ]),
    );
    const handlers = node.handlers.map((handler) =>
      this.#at.branch(
        facts,
        () => {
          if (handler.type) this.#visit(handler.type);
          if (handler.name) this.#definitions.define(handler.name, { kind: 'unknown', node: handler });
          this.#block(handler.body);
        },
        raisedAnywhere,
      ),
    );
    const through = this.#at.branch(
      after.facts,
      () => {
        if (!after.live) this.#at.end();
        this.#block(node.orelse);
      },
      after.set,
    );
    if (node.finalbody.length === 0) return this.#at.merge([through, ...handlers]);
    // The final block is walked once, from whatever came before it, and ends the way that ended there.
    const anyLive = [through, ...handlers].some((outcome) => outcome.live);
    if (anyLive) this.#at.merge([through, ...handlers]);
    this.#block(node.finalbody);
    if (!anyLive) this.#at.end();
  }

  #match(node: py.Match): void {
    this.#visit(node.subject);
    let facts = this.#at.facts;
    const outcomes: Outcome[] = [];
    let isExhaustive = false;
    for (const clause of node.cases) {
      for (const alternative of clause.alternatives) this.#visit(alternative);
      const test = clause.isCatchAll ? undefined : matchTest(node.subject, clause);
      const inside = test ? afterTest(facts, test, true) : facts;
      outcomes.push(
        this.#at.branch(inside, () => {
          if (clause.guard) {
            this.#visit(clause.guard);
            this.#at.facts = afterTest(this.#at.facts, clause.guard, true);
          }
          this.#block(clause.body);
        }),
      );
      if (test && !clause.guard) facts = afterTest(facts, test, false);
      if (clause.isCatchAll && !clause.guard) isExhaustive = true;
    }
    if (!isExhaustive) outcomes.push({ set: new Map(), facts, live: true });
    this.#at.merge(outcomes);
  }

  // Functions and classes

  /** Walks a body with its own scope; definitions inside do not leak into the scope around it. */
  #body(scope: Scope, environment: Environment, of: py.FunctionDef | py.Lambda | py.ClassDef, walk: () => void): void {
    const before = {
      scope: this.#at.scope,
      environment: this.#at.environment,
      facts: this.#at.facts,
      live: this.#at.isLive,
      loops: this.#at.loops,
    };
    of.inner = scope;
    this.#met.scopes.push(scope);
    if (of.kind === 'ClassDef') this.#met.classes.push(of);
    this.#at.scope = scope;
    this.#at.environment = environment;
    this.#at.facts = insideBody(this.#at.facts, of);
    this.#at.isLive = true;
    this.#at.loops = [];
    walk();
    if (this.#at.isLive) {
      scope.atEnd = this.#at.environment;
      scope.factsAtEnd = this.#at.facts;
    }
    this.#at.scope = before.scope;
    this.#at.environment = before.environment;
    this.#at.facts = before.facts;
    this.#at.isLive = before.live;
    this.#at.loops = before.loops;
  }

  #function(node: py.FunctionDef): void {
    for (const decorator of node.decorators) this.#visit(decorator);
    for (const param of node.params) {
      if (param.annotation) this.#visit(param.annotation);
      if (param.default) this.#visit(param.default);
    }
    if (node.returns) this.#visit(node.returns);
    this.#met.functions.push(node);
    this.#definitions.define(node.name, { kind: 'function', node });
    this.#functionBody(node);
  }

  #functionBody(node: py.FunctionDef): void {
    const scope = createScope('function', this.#at.scope, node);
    this.#body(scope, new Environment(), node, () => {
      this.#params(node.params);
      this.#block(node.body);
    });
  }

  #params(params: readonly py.Parameter[]): void {
    for (const param of params) {
      const value = param.default;
      this.#definitions.define(param.name, { kind: 'parameter', node: param, ...(value && { value }) });
    }
  }

  #class(node: py.ClassDef): void {
    for (const decorator of node.decorators) this.#visit(decorator);
    for (const arg of node.args) this.#visit(arg.value);
    this.#definitions.define(node.name, { kind: 'class', node });
    this.#body(createScope('class', this.#at.scope, node), new Environment(this.#at.environment), node, () =>
      this.#block(node.body),
    );
  }

  // Assignments

  #assign(node: py.Assign): void {
    if (node.annotation) this.#visit(node.annotation);
    if (node.value) this.#visit(node.value);
    for (const target of node.targets) {
      if (node.operator !== undefined && node.value) {
        this.#visit(target);
        // `a &= b` is `a = a & b`; the copy keeps what `a` meant before.
        const value: py.BinOp = {
          kind: 'BinOp',
          span: node.span,
          op: node.operator,
          left: { ...target },
          right: node.value,
        };
        this.#bind(target, value, node);
      } else if (node.value) this.#bind(target, node.value, node);
      else this.#visitTarget(target);
    }
  }

  /** Binds a target to a value, part by part where both sides are displays. */
  #bind(target: py.Expression, value: py.Expression | undefined, node: py.Node): void {
    switch (target.kind) {
      case 'Name':
        this.#definitions.define(target.id, value ? { kind: 'value', node, value } : { kind: 'unknown', node });
        this.#note(target);
        target.definitions = this.#at.environment.get(target.id) ?? [];
        return;
      case 'Attribute':
      case 'Subscript': {
        this.#visitTarget(target);
        const path = pathOf(target);
        if (path === undefined) return;
        const lastPart = lastPartOf(target) ?? '';
        this.#met.paths.push({ definition: this.#definitions.definePath(path, lastPart, value, node), lastPart });
        return;
      }
      case 'Sequence': {
        const isDisplay = value?.kind === 'Sequence' && value.items.length === target.items.length;
        const hasStar = target.items.some((item) => item.kind === 'Starred');
        target.items.forEach((item, index) => {
          this.#bind(item, isDisplay && !hasStar ? value.items[index] : undefined, node);
        });
        return;
      }
      case 'Starred':
        return this.#bind(target.value, undefined, node);
      default:
        return this.#visit(target);
    }
  }

  #bindElements(target: py.Expression, iter: py.Expression, node: py.Node): void {
    if (target.kind === 'Name') this.#definitions.define(target.id, { kind: 'element', node, value: iter });
    else this.#bind(target, undefined, node);
  }

  /** The parts of an assignment's target that are read: `x` of `x.y = …`, `x` and `i` of `x[i] = …`. */
  #visitTarget(target: py.Expression): void {
    this.#note(target);
    if (target.kind === 'Attribute') {
      this.#noteUse(target.attr, target);
      this.#visit(target.value);
    } else if (target.kind === 'Subscript') {
      this.#visit(target.value);
      this.#visit(target.index);
    }
  }

  // Expressions

  #noteUse(name: string, use: Use): void {
    push(this.#met.uses, name, use);
  }

  #noteAlias({ kind, value, qualified }: Definition, name: string): void {
    const { aliases } = this.#met;
    if (kind === 'import') {
      if (qualified !== undefined && qualified !== name && !qualified.endsWith(`.${name}`)) aliases.push({ name });
    } else if (kind !== 'value' || !value) return;
    else if (value.kind === 'Call') aliases.push({ name, madeBy: calledName(value) });
    else if (STANDS_FOR_ANOTHER.has(value.kind)) aliases.push({ name });
  }

  /** Notes where the walk stands. */
  #note(node: py.Expression): void {
    node.facts = this.#at.facts;
    node.scope = this.#at.scope;
  }

  #visitAll(node: py.Node): void {
    forEachChild(node, (child) => this.#visit(child as py.Expression));
  }

  #visit(node: py.Expression): void {
    this.#note(node);
    switch (node.kind) {
      case 'Name':
        this.#noteUse(node.id, node);
        node.definitions = this.#at.environment.get(node.id);
        return;
      case 'Attribute':
        this.#noteUse(node.attr, node);
        this.#visit(node.value);
        node.definitions = this.#definitionsOfPath(node);
        return;
      case 'Subscript':
        this.#visit(node.value);
        this.#visit(node.index);
        node.definitions = this.#definitionsOfPath(node);
        return;
      case 'Call':
        this.#met.calls.push(node);
        push(this.#met.callsByName, calledName(node), node);
        this.#visit(node.func);
        for (const arg of node.args) this.#visit(arg.value);
        return;
      case 'Str':
        this.#met.strings.push(node);
        for (const part of node.parts) this.#visit(part);
        return;
      case 'BoolOp':
        this.#visit(node.left);
        return this.#under(node.left, node.op === 'and', () => this.#visit(node.right));
      case 'IfExp':
        this.#visit(node.test);
        this.#under(node.test, true, () => this.#visit(node.body));
        return this.#under(node.test, false, () => this.#visit(node.orelse));
      case 'NamedExpr':
        this.#visit(node.value);
        return this.#bind(node.target, node.value, node);
      case 'Lambda': {
        for (const param of node.params) if (param.default) this.#visit(param.default);
        const scope = createScope('lambda', this.#at.scope, node);
        return this.#body(scope, new Environment(this.#at.environment), node, () => {
          this.#params(node.params);
          this.#visit(node.body);
        });
      }
      case 'Comprehension':
        return this.#comprehension(node);
      case 'Dict':
        for (const entry of node.entries) {
          if (entry.key) this.#visit(entry.key);
          this.#visit(entry.value);
        }
        return;
      default:
        return this.#visitAll(node);
    }
  }

  #definitionsOfPath(node: py.Attribute | py.Subscript): readonly Definition[] | undefined {
    if (!this.#definitions.assignedParts.has(lastPartOf(node) ?? '')) return undefined;
    const path = pathOf(node);
    return path === undefined ? undefined : this.#at.environment.get(path);
  }

  #under(test: py.Expression, truth: boolean, visit: () => void): void {
    const before = this.#at.facts;
    this.#at.facts = afterTest(before, test, truth);
    visit();
    this.#at.facts = before;
  }

  #comprehension(node: py.Comprehension): void {
    const before = { scope: this.#at.scope, environment: this.#at.environment, facts: this.#at.facts };
    const scope = createScope('comprehension', this.#at.scope, node);
    node.inner = scope;
    this.#met.scopes.push(scope);
    for (const generator of node.generators) {
      this.#visit(generator.iter);
      if (this.#at.scope !== scope) {
        this.#at.scope = scope;
        this.#at.environment = new Environment(before.environment);
      }
      this.#bindElements(generator.target, generator.iter, generator);
      if (generator.iter.kind === 'Call') this.#at.facts = afterTest(this.#at.facts, generator.iter, true);
      for (const condition of generator.conditions) {
        this.#visit(condition);
        this.#at.facts = afterTest(this.#at.facts, condition, true);
      }
    }
    for (const element of node.elements) this.#visit(element);
    this.#at.scope = before.scope;
    this.#at.environment = before.environment;
    this.#at.facts = before.facts;
  }
}

/** True for a call that does not come back. */
export function isExit(node: py.Expression): boolean {
  if (node.kind !== 'Call') return false;
  const path = pathOf(node.func);
  if (path !== undefined && EXITS.has(path)) return true;
  if (node.func.kind !== 'Attribute') return false;
  return EXIT_METHODS.has(node.func.attr) || (node.func.attr === 'error' && /parser$/i.test(path?.slice(0, -6) ?? ''));
}

/** The facts without one of them, the inner ones built anew. */
function withoutFact(facts: Facts, gone: Facts): Facts {
  if (!facts || facts === gone) return gone?.outer;
  if (facts.depth <= (gone?.depth ?? 0)) return facts;
  const outer = withoutFact(facts.outer, gone);
  return { ...facts, outer, depth: (outer?.depth ?? 0) + 1 };
}

/** `case a | b:` as the test that it is: `subject == a or subject == b`. */
function matchTest(subject: py.Expression, clause: py.MatchCase): py.Expression {
  const tests = clause.alternatives.map(
    (alternative): py.Expression => ({
      kind: 'Compare',
      span: alternative.span,
      operands: [subject, alternative],
      ops: ['=='],
    }),
  );
  return tests.reduce((left, right) => ({ kind: 'BoolOp', span: left.span, op: 'or', left, right }));
}
