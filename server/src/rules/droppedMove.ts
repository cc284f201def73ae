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

/** Methods that return another tensor and leave their own as it is. */
const MOVES = new Set(['to', 'cuda', 'cpu', 'half', 'float', 'double', 'bfloat16']);
/** Functions of torch that make a tensor. */
const MAKERS =
  /^torch\.(tensor|as_tensor|from_numpy|zeros|ones|empty|full|rand|randn|randint|randperm|arange|linspace|eye|cat|stack|(zeros|ones|empty|full|rand|randn)_like|(Float|Long|Double|Int|Half|Byte|Bool)?Tensor)$/;
const LOADER = 'torch.utils.data.DataLoader';

const MOVE = new RegExp(String.raw`\.(?:${[...MOVES].join('|')})\(`, 'g');
/** Everything between the start of a statement and a move: its receiver, and the last name in it. */
const RECEIVER = /(?:^|[;:])[ \t]*(?:\w+\.)*(\w+)$/;
/** Longer receivers are no names of tensors. In characters. */
const LONGEST_RECEIVER = 200;
const MADE =
  /\b(?:DataLoader|tensor|as_tensor|from_numpy|zeros|ones|empty|full|randn?|randint|randperm|arange|linspace|eye|cat|stack|\w+_like|\w*Tensor)\b/;

/** The last names of what is moved at the start of statements. */
function movedNames(code: string): Set<string> {
  const names = new Set<string>();
  for (const { index } of code.matchAll(MOVE)) {
    const before = code.slice(Math.max(0, index - LONGEST_RECEIVER), index);
    const name = RECEIVER.exec(before.slice(before.lastIndexOf('\n') + 1))?.[1];
    if (name !== undefined) names.add(name);
  }
  return names;
}

/** True for code that moves what it assigns, or loops over, and that makes a tensor or loads batches. */
function mayDrop(code: string): boolean {
  const names = movedNames(code);
  if (names.size === 0 || !MADE.test(code)) return false;
  return [...names].some((name) =>
    new RegExp(String.raw`\b${name}\b[^\n=]*=(?!=)|\bfor\b[^\n]*\b${name}\b`).test(code),
  );
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

/** GPU205: a tensor's move returns the moved tensor, and nobody keeps it. */
export const droppedMove: Rule = {
  code: 'GPU205',
  name: 'dropped-move',
  summary: "A tensor's move to another device is dropped.",
  reports: '`x.to(device)` of a tensor whose result nobody keeps',
  severity: 'warning',
  listener: on(droppedMoves, ({ call, receiver }, { aboutFile, report }) => {
    const path = pathOf(receiver);
    const method = calledName(call);
    report({
      span: spanOf(call),
      level: 'flag',
      reasons: aboutFile,
      message: `This has no effect: \`.${method}()\` of a tensor returns another one, which is dropped.`,
      fixes: () =>
        path === undefined
          ? []
          : [{ title: `Assign to \`${path}\``, tier: 'suggestion', edits: [insertion(call.start, `${path} = `)] }],
    });
  }),
};

/** True for what can be nothing but a tensor; a module's move changes the module itself. */
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

/** A `DataLoader`, also behind a progress bar. */
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
