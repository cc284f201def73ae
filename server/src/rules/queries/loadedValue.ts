/** The uses of a loaded value: as a model or checkpoint, as data, or unknown. */

import type { Program } from '../../guards/program.ts';
import { calledName, lastPartOf } from '../../python/semantic/accessPaths.ts';
import { argumentOf, argumentsOf } from '../../python/semantic/arguments.ts';
import { createCallers } from '../../python/semantic/callGraph.ts';
import { isDisplay, isNumber, isString, stringOf } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import { enclosingClass } from '../../python/semantic/scopes.ts';
import type { Attribute, Call, ClassDef, Expression, FunctionDef, Node, Subscript } from '../../python/syntax/nodes.ts';
import { usesBound, usesInCallee, usesOfParameter } from './definedUses.ts';
import { deviceOfSaved } from './savedDevice.ts';

/**
 * `model`: a model, optimizer or checkpoint. `state`: the state of a scheduler, gradient scaler or sampler, which is
 * not on a device. `arrays`: NumPy arrays, or tensors that become arrays without a move, which is impossible for GPU
 * tensors. `data`: tensors, arrays, lists. `unknown`: the program does not show the use. `any`: any value can be used
 * this way.
 */
type Role = 'model' | 'state' | 'arrays' | 'data' | 'unknown' | 'any';

/** A use of a value on its path through the program. */
interface LoadedUse {
  readonly role: Role;
  /** The node around the value: what is done with it. */
  readonly node: Node;
  readonly value: Expression;
  readonly part: Part;
}

/** The maximum number of uses, calls and assignments to follow. */
const FARTHEST = 12;
const MOST = 400;

/**
 * The part of a loaded value that an expression holds: all of it, an element or attribute, or the entry under a key.
 * `held`: a container in which the program has put it.
 */
type Part = 'whole' | 'element' | 'entry' | 'held';

/** Returns all uses of a call's result, in no particular order, except uses that only show it, such as `print`. */
export function usesOfLoaded(load: Call, program: Program): readonly LoadedUse[] {
  return new UseSearch(load, program).found;
}

/** Follows a loaded value through the program, and collects its uses. */
class UseSearch {
  readonly found: LoadedUse[] = [];
  readonly #program: Program;
  readonly #seen = new Set<Node>();
  #at: Pick<LoadedUse, 'value' | 'part'>;

  constructor(load: Call, program: Program) {
    this.#program = program;
    this.#at = { value: load, part: 'whole' };
    this.follow(load, 'whole', 0);
  }

  #add(role: Role, node: Node): void {
    this.found.push({ role, node, ...this.#at });
  }

  follow(value: Expression, part: Part, steps: number): void {
    if (this.#seen.has(value)) return;
    this.#seen.add(value);
    this.#at = { value, part };
    if (steps > FARTHEST || this.#seen.size > MOST) return void this.#add('unknown', value);
    const next = (expression: Expression, of: Part = part) => this.follow(expression, of, steps + 1);
    const bound = (target: Expression, statement: Node, of: Part = part) =>
      this.#followBound(target, statement, of, steps);
    /** Follows the contents of a container; a container without further uses is data. */
    const opened = (node: Node, walk: () => void) => {
      const before = this.found.length;
      walk();
      if (this.found.slice(before).every(({ role }) => role === 'any')) this.#add('data', node);
    };
    const { parent } = value;
    switch (parent?.kind) {
      case 'Call':
        if (parent.func === value) return void this.#add('model', parent);
        return this.#followArgument(parent, value, part, steps);
      case 'keyword':
      case 'Starred': {
        const call = argumentOf(value)?.call;
        return call ? this.#followArgument(call, value, part, steps) : next(parent as Expression);
      }
      case 'Attribute':
        return this.#followAttribute(parent, part, steps);
      case 'Subscript':
        if (parent.value === value) return this.#followItem(parent, part, steps, opened);
        // Indices, such as those of a split.
        return part === 'entry' || part === 'whole' ? void this.#add('data', parent) : undefined;
      case 'BinOp': {
        const other = parent.left === value ? parent.right : parent.left;
        if (isString(other)) return;
        if (part === 'held') return next(parent);
        return void this.#add(parent.op === '|' || this.#isOnGpu(other) ? 'unknown' : 'data', parent);
      }
      case 'UnaryOp':
        return parent.op === 'not' ? undefined : void this.#add('data', parent);
      case 'AugAssign':
        return void this.#add('data', parent);
      case 'Compare':
        return void this.#add(
          parent.comparators.includes(value) && isModelKey(stringOf(parent.left)) ? 'model' : 'any',
          parent,
        );
      case 'IfExp':
        return parent.test === value ? undefined : next(parent);
      case 'BoolOp':
      case 'Await':
        return next(parent);
      case 'NamedExpr':
        next(parent);
        return bound(parent.target, parent);
      case 'AnnAssign':
        return parent.value === value ? bound(parent.target, parent) : undefined;
      case 'Assign':
        if (parent.value !== value) return;
        for (const target of parent.targets) bound(target, parent, isDisplay(target) ? 'element' : part);
        return;
      case 'For':
      case 'comprehension':
        if (parent.iter !== value) return;
        if (part === 'held') return bound(parent.target, parent, 'whole');
        return opened(parent, () => bound(parent.target, parent, 'element'));
      case 'ListComp':
      case 'SetComp':
      case 'GeneratorExp':
      case 'DictComp':
      case 'Dict':
        return next(parent, 'held');
      case 'Tuple':
      case 'List':
      case 'Set':
        return this.#followInDisplay(value, parent, part, steps);
      case 'Return':
      case 'Yield':
      case 'YieldFrom':
        return this.#followReturned(parent, part, steps);
      case 'Lambda':
        return void this.#add('unknown', parent);
      default:
        return;
    }
  }

  /** True for a value on the GPU: whatever it is calculated with is there too, or must be moved there. */
  #isOnGpu(operand: Expression): boolean {
    return deviceOfSaved(operand, this.#program) === 'gpu';
  }

  /** `[load(a), load(b)]`, `x, y = load(a), load(b)`, `return load(a), load(b)` */
  #followInDisplay(
    value: Expression,
    display: Expression & { elts: readonly Expression[] },
    part: Part,
    steps: number,
  ): void {
    const index = display.elts.indexOf(value);
    const around = display.parent;
    const target = around?.kind === 'Assign' && around.value === display ? around.targets[0] : undefined;
    if (around?.kind === 'Assign' && isDisplay(target) && target.elts[index])
      return this.#followBound(target.elts[index], around, part, steps);
    if (around?.kind === 'Return') return this.#followReturned(around, part, steps, index);
    this.follow(display, 'held', steps + 1);
  }

  #followBound(target: Expression, statement: Node, part: Part, steps: number): void {
    if (target.kind === 'Subscript') {
      // The value is stored in an unknown container.
      this.#add('unknown', target);
      return;
    }
    for (const use of usesBound(target, statement, this.#program)) this.follow(use, part, steps + 1);
  }

  #followAttribute(attribute: Attribute, part: Part, steps: number): void {
    const { attr } = attribute;
    const call =
      attribute.parent?.kind === 'Call' && attribute.parent.func === attribute ? attribute.parent : undefined;
    if (isTarget(attribute)) return;
    if (part === 'held')
      return call ? this.#followInContainer(call, attr, steps) : void this.#add('unknown', attribute);
    if (MODEL_ATTRIBUTES.has(attr)) {
      this.#add('model', attribute);
      return call && CHAINED.has(attr) ? this.follow(call, part, steps + 1) : undefined;
    }
    // Code that reads the value's device expects it to vary.
    if (attr === 'device' || attr === 'is_cuda') return void this.#add('unknown', attribute);
    if (DATA_ATTRIBUTES.has(attr)) return void this.#add('data', attribute);
    if (!call) return this.follow(attribute, 'element', steps + 1);
    if (attr === 'cpu') return void this.#add('model', attribute);
    if (attr === 'to' || attr === 'cuda') {
      if (part === 'whole') this.#add('model', attribute);
      else this.follow(call, part, steps + 1);
      return;
    }
    if (FLUENT.has(attr)) {
      this.#add('any', attribute);
      return this.follow(call, part, steps + 1);
    }
    if (attr === 'items' || attr === 'values') return this.follow(call, 'element', steps + 1);
    if (attr === 'keys') return;
    if (attr === 'get' || attr === 'pop' || attr === 'setdefault') {
      if (isModelKey(stringOf(call.args[0]))) this.#add('model', attribute);
      return this.follow(call, 'entry', steps + 1);
    }
    if (becomesArray(attribute)) return void this.#add(part === 'entry' ? 'data' : 'arrays', attribute);
    if (DATA_METHODS.has(attr)) return void this.#add('data', attribute);
    this.#add('unknown', attribute);
  }

  /** Follows a method call on a container that the program created. */
  #followInContainer(call: Call, method: string, steps: number): void {
    if (method === 'items' || method === 'values' || method === 'copy') this.follow(call, 'held', steps + 1);
    else if (method === 'pop' || method === 'get') this.follow(call, 'whole', steps + 1);
    else if (!/^(append|extend|insert|sort|reverse|keys|clear|remove|update|add)$/.test(method))
      this.#add('unknown', call);
  }

  #followItem(subscript: Subscript, part: Part, steps: number, opened: (node: Node, walk: () => void) => void): void {
    const { slice } = subscript;
    if (isTarget(subscript)) return;
    if (part === 'held') return this.follow(subscript, slice.kind === 'Slice' ? 'held' : 'whole', steps + 1);
    const key = stringOf(slice);
    if (key !== undefined) {
      if (isModelKey(key)) this.#add('model', subscript);
      return this.follow(subscript, 'entry', steps + 1);
    }
    if (isNumber(slice)) return opened(subscript, () => this.follow(subscript, 'element', steps + 1));
    if (becomesArray(subscript.parent)) return void this.#add('arrays', subscript);
    // An entry under a computed key, as in a dictionary of weights.
    if (slice.kind === 'JoinedStr' || (slice.kind === 'Name' && /^(k|key|n|name|param\w*|layer\w*)$/i.test(slice.id)))
      return void this.#add('unknown', subscript);
    opened(subscript, () => this.follow(subscript, 'element', steps + 1));
  }

  #followArgument(call: Call, value: Expression, part: Part, steps: number): void {
    const name = calledName(call);
    const names = this.#program.names.qualify(call.func);
    const keyword = call.keywords.find((each) => each.value === value)?.arg;
    if (keyword === 'state_dict') return void this.#add('model', call);
    const receiver = call.func.kind === 'Attribute' ? call.func.value : undefined;
    if (receiver && name === 'load_state_dict') return void this.#add(takesState(receiver) ? 'state' : 'model', call);
    if (receiver && (name === 'copy_' || name === 'update')) return void this.#add('model', call);
    const isBuiltIn = call.func.kind === 'Name' && this.#program.names.definitionsOf(call.func).length === 0;
    if (isBuiltIn) {
      if (CHECKS.has(name)) return;
      if (name === 'dict') return this.follow(call, part, steps + 1);
      if (name === 'enumerate' || name === 'zip') return this.#followLoop(call, value, part, steps);
      if (SELECTS.has(name)) return this.follow(call, part === 'held' ? 'whole' : 'element', steps + 1);
      if (part === 'held' && CONTAINERS.has(name)) return this.follow(call, 'held', steps + 1);
      if (part === 'held' && name !== 'sum' && MEASURES.has(name)) return;
      if (CONTAINERS.has(name) || MEASURES.has(name)) return void this.#add('data', call);
    }
    if (names.some((each) => COPIES.test(each))) return this.follow(call, part, steps + 1);
    if (names.includes('torch.from_numpy')) return void this.#add('arrays', call);
    if (argumentsOf(call).some((each) => each.value !== value && this.#isOnGpu(each.value)))
      return void this.#add('unknown', call);
    if (names.some((each) => DATA_FUNCTIONS.test(each) && !NO_CALCULATION.test(each)))
      return void this.#add('data', call);
    if (names.length === 0 && receiver && LOGS.test(name)) return;
    const declaration = this.#program.names.declarationOf(call.func);
    if (declaration) return this.#followInCallee(call, value, declaration, part, steps);
    if (receiver && (name === 'append' || name === 'extend' || name === 'add'))
      return this.#followInList(receiver, steps);
    if (/(Dataset|DataLoader|Sampler)$/.test(name)) return void this.#add('data', call);
    this.#add('unknown', call);
  }

  /** `for i, row in enumerate(rows)`, `for row, label in zip(rows, labels)` */
  #followLoop(call: Call, value: Expression, part: Part, steps: number): void {
    const loop = call.parent;
    const at = call.args.indexOf(value) + (calledName(call) === 'enumerate' ? 1 : 0);
    const isLoop = (loop?.kind === 'For' || loop?.kind === 'comprehension') && loop.iter === call;
    const target = isLoop && isDisplay(loop.target) ? loop.target.elts[at] : undefined;
    if (part !== 'held') this.#add('data', call);
    if (target && loop) this.#followBound(target, loop, part === 'held' ? 'whole' : 'element', steps);
  }

  /** In `rows.append(load(path))`, the list that stores the value is followed. */
  #followInList(list: Expression, steps: number): void {
    const uses =
      list.kind === 'Name'
        ? this.#program.names
            .definitionsOf(list)
            .flatMap(({ node, value }) =>
              node && (value === undefined || isDisplay(value)) ? usesOfParameter(node, list.id, this.#program) : [],
            )
        : [];
    if (uses.length === 0) return void this.#add('unknown', list);
    for (const use of uses) if (use !== list) this.follow(use, 'held', steps + 1);
  }
  #followInCallee(call: Call, value: Expression, to: FunctionDef | ClassDef, part: Part, steps: number): void {
    if (to.kind === 'ClassDef' && isDataset(to, this.#program)) return void this.#add('data', call);
    const uses = usesInCallee(call, value, to, this.#program);
    for (const use of uses) this.follow(use, part, steps + 1);
    if (uses.length === 0) this.#add('unknown', call);
  }

  #followReturned(statement: Node, part: Part, steps: number, index?: number): void {
    const home = this.#program.names.functionOf(statement);
    if (!home) return void this.#add('unknown', statement);
    const owner = enclosingClass(this.#program.names.scopeOf(statement));
    if (owner && isDataset(owner, this.#program) && ITEM_METHODS.has(home.name))
      return void this.#add('data', statement);
    const calls = callersOf(this.#program).callsOf(home);
    if (!calls || calls.length === 0 || home.decorator_list.length > 0) return void this.#add('unknown', statement);
    for (const call of calls) {
      const around = call.parent;
      const target = around?.kind === 'Assign' && around.value === call ? around.targets[0] : undefined;
      if (index !== undefined && around && isDisplay(target)) {
        const own = target.elts[index];
        if (own) this.#followBound(own, around, part, steps);
      } else this.follow(call, index === undefined ? part : 'element', steps + 1);
    }
  }
}

/** True for a scheduler, gradient scaler or sampler, judging by its name. */
function takesState(receiver: Expression): boolean {
  const isNamed = receiver.kind === 'Name' || receiver.kind === 'Attribute' || receiver.kind === 'Subscript';
  return /sched|scaler|sampler/i.test(isNamed ? (lastPartOf(receiver) ?? '') : '');
}

const callersOf = memoize((program: Program) => createCallers(program.index, program.names));

/** True at the start of a chain of methods that ends in `.numpy()`, without `.cpu()` before it. */
function becomesArray(start: Node | undefined): boolean {
  for (
    let at = start;
    at?.kind === 'Attribute' && at.parent?.kind === 'Call' && at.parent.func === at;
    at = at.parent.parent
  ) {
    if (at.attr === 'numpy') return true;
    if (at.attr === 'cpu' || at.attr === 'to') return false;
  }
  return false;
}

/** True for a target of an assignment or deletion. */
function isTarget(node: Attribute | Subscript): boolean {
  const { parent } = node;
  if (parent?.kind === 'Assign') return parent.targets.includes(node);
  if (parent?.kind === 'AugAssign' || parent?.kind === 'AnnAssign') return parent.target === node;
  return parent?.kind === 'Delete';
}

/** True for a class that derives from a dataset or a data loader, judging by its name or a base's name. */
function isDataset(owner: ClassDef, program: Program, seen = new Set<ClassDef>()): boolean {
  if (seen.has(owner)) return false;
  seen.add(owner);
  return owner.bases.some((base) => {
    const parent = program.names.declarationOf(base);
    if (parent?.kind === 'ClassDef') return isDataset(parent, program, seen);
    const name = base.kind === 'Name' ? base.id : base.kind === 'Attribute' ? base.attr : '';
    return /(Dataset|DataModule|DataLoader|Sampler)$/.test(name);
  });
}

/** Methods with which a dataset returns its contents. */
const ITEM_METHODS = new Set(['__getitem__', '__iter__', 'get', 'collate_fn', 'collate']);

/** Keys that checkpoints use for weights, and keys that only checkpoints have. */
const MODEL_KEY =
  /state_?dict|optim|checkpoint|^(model|net|network|module|ema|generator|discriminator|encoder|decoder|backbone|head|critic|actor|policy|params|weights?)s?\d*$|_(model|net|weights)$|^model_|^net_?[a-z]$|\.(weight|bias|running_mean|running_var)$|^(epochs?|iteration|global_step|n_iter|hyper_parameters|hparams|rng_state|best_\w+)$/i;

const isModelKey = (key: string | undefined): boolean => key !== undefined && MODEL_KEY.test(key);

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Attributes and methods of models, optimizers and dictionaries of weights. */
const MODEL_ATTRIBUTES = words(`
  eval train parameters named_parameters modules named_modules children named_children state_dict load_state_dict
  generate forward predict zero_grad module requires_grad_ param_groups register_forward_hook
`);

/** Methods of models that return the model. */
const CHAINED = words('eval train requires_grad_');

/** Attributes of tensors, of PyTorch Geometric graphs, and of vocabularies. */
const DATA_ATTRIBUTES = words(`
  shape size dim ndim numel dtype T mT nbytes element_size is_sparse
  x y pos edge_index edge_attr edge_weight num_nodes num_edges num_features num_classes num_node_features
  train_mask val_mask test_mask adj_t
  stoi itos word2idx idx2word get_stoi get_itos lookup_token lookup_tokens lookup_indices token2idx idx2token
`);

/** Methods that only tensors and lists have. */
const DATA_METHODS = words(`
  tolist item mean sum max min std var argmax argmin topk unique nonzero view reshape permute transpose squeeze
  unsqueeze flatten long int bool repeat expand expand_as index_select gather masked_fill masked_select sort argsort split
  chunk narrow t mm matmul dot abs sqrt exp log clamp norm any all cumsum eq ne lt gt le ge add mul sub div
  append extend index count reverse insert to_dense coalesce
`);

/** Methods that return the object itself, or a copy of the same kind. */
const FLUENT = words('float half double bfloat16 detach clone contiguous copy share_memory_ pin_memory type');

/** Functions that only inspect their arguments. */
const CHECKS = words('print isinstance type hasattr id repr str bool format vars dir hash callable pprint');
const LOGS = /^(debug|info|warning|warn|error|log|print|write|set_description)$/;
/** Functions that return a container of the same elements, one of the elements, or a measure. */
const CONTAINERS = words('list sorted set frozenset tuple iter map filter reversed');
const SELECTS = words('next min max');
const MEASURES = words('len sum any all');

const COPIES = /^(copy\.(deep)?copy|collections\.OrderedDict|typing\.cast)$/;
const DATA_FUNCTIONS =
  /^(numpy|pandas|scipy|sklearn|PIL|csv|json)\.|^random\.(shuffle|sample|choices?)$|^torch\.(nn\.functional\.|special\.|linalg\.|fft\.|sparse\.)?[a-z0-9_]+$|^torch\.utils\.data\.|^torch_geometric\.(data|loader|utils)\./;
/** Functions of torch that do not compute. */
const NO_CALCULATION =
  /^torch\.(save|load|is_tensor|manual_seed|device|compile|no_grad|typename|numel|set_rng_state|distributed|hub|jit)$/;
