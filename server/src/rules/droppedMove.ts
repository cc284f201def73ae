import type { Program } from '../guards/program.ts';
import { calledName, pathOf } from '../python/semantic/accessPaths.ts';
import { isDisplay } from '../python/semantic/literals.ts';
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
/** Matches the text between the start of a statement and a move: the receiver. */
const RECEIVER = /(?:^|[;:])[ \t]*(?:\w+\.)*\w+$/;
/** Matches the arguments of a move on one line, followed by code that makes the move only part of its statement. */
const GOES_ON = /(?:[^()\n"'\\]|\([^()\n"'\\]*\)|"[^"\n\\]*"|'[^'\n\\]*')*\)[ \t]*[^\s;#]/y;
/** Maximum length, in characters, of a receiver. */
const LONGEST = 200;
/** Matches a function that creates a tensor or batches of them. */
const MADE =
  /\b(?:DataLoader|tensor|as_tensor|from_numpy|zeros|ones|empty|full|randn?|randint|randperm|arange|linspace|eye|cat|stack|\w+_like|\w*Tensor)\b/;

/** True for code that creates tensors and has a statement that only moves something. */
const mayDrop = (code: string): boolean =>
  MADE.test(code) && Array.from(code.matchAll(MOVE)).some((move) => isAlone(move, code));

function isAlone({ index, 0: move }: RegExpExecArray, code: string): boolean {
  GOES_ON.lastIndex = index + move.length;
  const before = code.slice(Math.max(0, index - LONGEST), index);
  return !GOES_ON.test(code) && RECEIVER.test(before.slice(before.lastIndexOf('\n') + 1));
}

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
