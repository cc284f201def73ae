import type { Program } from '../guards/program.ts';
import { calledName, pathOf } from '../python/semantic/accessPaths.ts';
import { isDisplay } from '../python/semantic/literals.ts';
import { once } from '../python/semantic/memoize.ts';
import { isModule } from '../python/semantic/nameResolution.ts';
import type { Definition } from '../python/semantic/scopes.ts';
import { spanOf } from '../python/semantic/source.ts';
import type { Call, Expression } from '../python/syntax/nodes.ts';
import { insertion } from './edits/placement.ts';
import { on, type Rule } from './engine/rule.ts';
import type { Selector } from './engine/selector.ts';

interface DroppedMove {
  readonly call: Call;
  readonly receiver: Expression;
}

/** Methods that return a new tensor and leave the original unchanged. */
const MOVES = new Set(['to', 'cuda', 'cpu', 'half', 'float', 'double', 'bfloat16']);
/** Functions of torch that create a tensor. */
const MAKERS =
  /^torch\.(tensor|as_tensor|from_numpy|zeros|ones|empty|full|rand|randn|randint|randperm|arange|linspace|eye|cat|stack|(zeros|ones|empty|full|rand|randn)_like|(Float|Long|Double|Int|Half|Byte|Bool)?Tensor)$/;
const LOADER = 'torch.utils.data.DataLoader';

const MOVE = new RegExp(String.raw`\.(?:${[...MOVES].join('|')})\(`, 'g');
/** Matches the text between the start of a statement and a move: the receiver, whose last name is captured. */
const RECEIVER = /(?:^|[;:])[ \t]*(?:\w+\.)*(\w+)$/;
/** Matches the arguments of a move on one line, followed by code that makes the move only part of its statement. */
const GOES_ON = /(?:[^()\n"'\\]|\([^()\n"'\\]*\)|"[^"\n\\]*"|'[^'\n\\]*')*\)[ \t]*[^\s;#]/y;
/** Maximum length, in characters, of a receiver or of assignment targets that are searched for names. */
const LONGEST = 200;
/** Matches the remaining targets before the `=` of an assignment. */
const TARGETS = `[^\\n=]{0,${LONGEST}}`;
/** Code with more candidate names is parsed. */
const MOST_NAMES = 32;
const MAKER = String.raw`\b(?:DataLoader|tensor|as_tensor|from_numpy|zeros|ones|empty|full|randn?|randint|randperm|arange|linspace|eye|cat|stack|\w+_like|\w*Tensor)\b`;
const MADE = new RegExp(MAKER);
/** Matches a function that creates a tensor where it may get another name. */
const MADE_ALIAS = new RegExp(
  String.raw`${MAKER}(?:[\s\\]+as\b|(?![ \t\\]*[(.\w])(?<=(?:[=(,"']|\belse\b)[\s\\(]*(?:\w+[\s\\]*\.[\s\\]*)*\w+))`,
);

/** Matches the targets of a loop over tuples. */
const UNPACKED = /\bfor\b([^\n=]{0,200}?,[^\n=]{0,200}?)(?:\bin\b|[\n\\])/g;

/** Returns the last names of receivers that are moved at the start of statements. */
function movedNames(code: string): Set<string> {
  const names = new Set<string>();
  for (const { index, 0: move } of code.matchAll(MOVE)) {
    GOES_ON.lastIndex = index + move.length;
    if (GOES_ON.test(code)) continue;
    const before = code.slice(Math.max(0, index - LONGEST), index);
    const name = RECEIVER.exec(before.slice(before.lastIndexOf('\n') + 1))?.[1];
    if (name !== undefined) names.add(name);
  }
  return names;
}

/**
 * Matches the function that a value calls, after further targets: `zeros` in `x = torch.zeros(3)` and in `x = y =
 * (torch.zeros(3))`.
 */
const CALLED =
  /(?:(?:[^\n=(]|\\\r?\n){0,200}=(?!=)){0,8}(?:[\s\\(]|#.*[\n\r])*(?:\w+[\s\\]*\.[\s\\]*)*(\w+)[\s\\)]*\(/y;

/** True for code that moves the value of a name, if the code assigns a tensor to that name or the name receives batches from a loader. */
function mayDrop(code: string): boolean {
  const names = movedNames(code);
  if (names.size === 0 || !MADE.test(code)) return false;
  if (names.size > MOST_NAMES) return true;
  const unpacked = code.includes('DataLoader')
    ? Array.from(code.matchAll(UNPACKED), ([, targets = '']) => targets)
    : [];
  const isUnpacked = (name: string) => unpacked.some((targets) => new RegExp(String.raw`\b${name}\b`).test(targets));
  const areAliased = once(() => MADE_ALIAS.test(code));
  return [...names].some((name) => mayHoldMade(name, code, areAliased) || isUnpacked(name));
}

/** True if code assigns to a name a value that may be a new tensor, or calls an alias of a function that creates one. */
function mayHoldMade(name: string, code: string, areAliased: () => boolean): boolean {
  const called = new Set<string>();
  for (const { end, areSeveral } of assignmentsTo(name, code)) {
    // A value for several targets gives each its own only if it is a tuple or a list.
    const found = areSeveral ? elementCalls(valueAt(end, code)) : [calledAt(end, code)];
    for (const each of found) if (each !== undefined) called.add(each);
  }
  return [...called].some((each) => MADE.test(each)) || (called.size > 0 && areAliased() && mayBeAlias(called, code));
}

/** Matches the rest of the targets after a name, and the `=`. */
const TARGETS_END = new RegExp(String.raw`[\s\\)\]]*(?:[,:]${TARGETS})?=(?!=)`, 'y');

/** Yields the assignments to a name in code. Keyword arguments look the same. */
function* assignmentsTo(name: string, code: string): Generator<{ readonly end: number; readonly areSeveral: boolean }> {
  for (let at = code.indexOf(name); at >= 0; at = code.indexOf(name, at + name.length)) {
    TARGETS_END.lastIndex = at + name.length;
    if (/\w/.test(code[at - 1] ?? '') || !TARGETS_END.test(code)) continue;
    const end = TARGETS_END.lastIndex;
    yield { end, areSeveral: areSeveral(code.slice(code.lastIndexOf('\n', at) + 1, end)) };
  }
}

/** True for `x, y =`, false for `def f(x, y=`. */
const areSeveral = (targets: string): boolean =>
  targets.includes(',') && targets.split(/[[(]/).length === targets.split(/[\])]/).length;

function calledAt(end: number, code: string): string | undefined {
  CALLED.lastIndex = end;
  return CALLED.exec(code)?.[1];
}

const BRACKET_OR_END = /[[({]|[\])}]|\\\r?\n|[\n\r]|"[^"\n\\]*"|'[^'\n\\]*'/g;

/** Returns the text of a value, up to the end of its statement. */
function valueAt(start: number, code: string): string {
  let depth = 0;
  BRACKET_OR_END.lastIndex = start;
  for (let found = BRACKET_OR_END.exec(code); found; found = BRACKET_OR_END.exec(code)) {
    const [mark] = found;
    if ('[({'.includes(mark)) depth++;
    else if ('])}'.includes(mark)) depth--;
    else if (depth <= 0 && (mark === '\n' || mark === '\r')) return code.slice(start, found.index);
  }
  return code.slice(start);
}

const ONE_CALL = /^[\s\\]*(?:\w+[\s\\]*\.[\s\\]*)*\w+[\s\\]*\(([^()]|\([^()]*\))*\)[\s;]*$/;

/** Returns the names of the functions that a value calls, unless it is a single call. */
function elementCalls(value: string): readonly (string | undefined)[] {
  return ONE_CALL.test(value) ? [] : Array.from(value.matchAll(/(\w+)[\s\\)]*\(/g), ([, called]) => called);
}

/**
 * True if one of the names may be an alias of a function that creates a tensor: `from torch import zeros as new`, `new
 * = torch.zeros`.
 */
function mayBeAlias(called: ReadonlySet<string>, code: string): boolean {
  const names = new Set(called);
  for (const name of names) {
    if (names.size > MOST_NAMES) return true;
    for (const [, imported = ''] of code.matchAll(new RegExp(String.raw`(?<=(\w+)[\s\\]+)as[\s\\]+${name}\b`, 'g')))
      if (MADE.test(imported)) return true;
    for (const { end } of assignmentsTo(name, code)) {
      const value = valueAt(end, code);
      if (MADE.test(value)) return true;
      for (const [, last = ''] of value.matchAll(ALIASED)) names.add(last);
    }
  }
  return false;
}

/** Matches the last name of a dotted path that is not called. */
const ALIASED = /\b(?:[A-Za-z_]\w*[\s\\]*\.[\s\\]*)*([A-Za-z_]\w*)\b(?![\s\\]*[.(\w])/g;

const droppedMoves: Selector<DroppedMove> = {
  calls: {
    names: MOVES,
    resolve(call, program) {
      if (call.func.kind !== 'Attribute' || call.parent?.kind !== 'Expr') return [];
      const receiver = call.func.value;
      return isTensor(receiver, program) ? [{ call, receiver }] : [];
    },
  },
  triggers: { isIn: mayDrop },
};

/** GPU205: moving a tensor returns the moved tensor, but the result is discarded. */
export const droppedMove: Rule = {
  code: 'GPU205',
  name: 'dropped-move',
  summary: 'The result of moving a tensor to another device is discarded.',
  reports: '`x.to(device)` on a tensor, with its result discarded',
  severity: 'warning',
  listener: on(droppedMoves, ({ call, receiver }, { aboutFile, report }) => {
    const path = pathOf(receiver);
    const method = calledName(call);
    report({
      span: spanOf(call),
      level: 'flag',
      reasons: aboutFile,
      message: `This has no effect: \`.${method}()\` does not change the tensor, and its result is discarded.`,
      fixes: () =>
        path === undefined
          ? []
          : [{ title: `Assign to \`${path}\``, tier: 'suggestion', edits: [insertion(call.start, `${path} = `)] }],
    });
  }),
};

/** True for an expression that is always a tensor; moving a module changes the module itself. */
function isTensor(expression: Expression, program: Program): boolean {
  if (expression.kind !== 'Name' && expression.kind !== 'Attribute') return false;
  if (isModule(program.names, expression)) return false;
  const definitions = program.names.definitionsOf(expression);
  return definitions.length > 0 && definitions.every((definition) => holdsTensor(definition, program));
}

function holdsTensor({ kind, value, node, name }: Definition, program: Program): boolean {
  if (kind === 'value')
    return value?.kind === 'Call' && program.names.qualify(value.func).some((each) => MAKERS.test(each));
  if (node?.kind !== 'For') return false;
  // `for images, labels in loader:`, `for step, (images, labels) in enumerate(loader):`
  const isCounted = node.iter.kind === 'Call' && calledName(node.iter) === 'enumerate';
  const iterated = isCounted && node.iter.kind === 'Call' ? node.iter.args[0] : node.iter;
  const target = isCounted ? (isDisplay(node.target) ? node.target.elts[1] : undefined) : node.target;
  const isItem = isDisplay(target) && target.elts.some((item) => item.kind === 'Name' && item.id === name);
  return isItem && iterated !== undefined && isLoader(iterated, program);
}

/** True for a `DataLoader`, also inside a progress bar. */
function isLoader(iterated: Expression, program: Program): boolean {
  const { names } = program;
  const [first] = iterated.kind === 'Call' ? iterated.args : [];
  if (iterated.kind === 'Call') return calledName(iterated) === 'tqdm' && !!first && isLoader(first, program);
  if (iterated.kind !== 'Name' && iterated.kind !== 'Attribute') return false;
  const definitions = names.definitionsOf(iterated);
  return (
    definitions.length > 0 &&
    definitions.every(({ value }) => value?.kind === 'Call' && names.qualify(value.func).includes(LOADER))
  );
}
