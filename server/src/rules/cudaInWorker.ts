import type { Program } from '../guards/program.ts';
import { calledName } from '../python/semantic/accessPaths.ts';
import { argumentFor, argumentsOf } from '../python/semantic/arguments.ts';
import { numberOf, stringOf } from '../python/semantic/literals.ts';
import { isModule } from '../python/semantic/nameResolution.ts';
import { type Span, spanOf } from '../python/semantic/source.ts';
import type { Call, ClassDef, FunctionDef, Node } from '../python/syntax/nodes.ts';
import { walk } from '../python/syntax/walk.ts';
import { GAP } from './engine/code.ts';
import { message, quoted } from './engine/message.ts';
import { inProgram, type Rule } from './engine/rule.ts';
import { callsOf, type QualifiedCall, type Selector } from './engine/selector.ts';
import { deviceUses } from './queries/deviceUses.ts';
import { shownCode } from './queries/shownCode.ts';

const loaderCalls: Selector<QualifiedCall> = {
  ...callsOf('torch.utils.data.DataLoader'),
  triggers: { patterns: [new RegExp(String.raw`num_workers\s*=${GAP}[1-9]`)] },
};

/** GPU207: code in the workers of a `DataLoader` uses CUDA, which a forked process cannot do. */
export const cudaInWorker: Rule = {
  code: 'GPU207',
  name: 'cuda-in-worker',
  summary: 'CUDA is used in a DataLoader worker.',
  reports: '`.cuda()` in `__getitem__` or `collate_fn` of a `DataLoader` with workers',
  severity: 'warning',
  // The loaders that use a dataset are known only for the whole program.
  listener: inProgram([loaderCalls, deviceUses], ({ program, aboutFile, matchesOf, report }) => {
    if (spawnsFreshProcesses(program)) return;
    const placed = new Set<Node>(
      matchesOf(deviceUses).flatMap(({ kind, literals, expression }) =>
        kind === 'device' && literals.some(({ isDefault }) => !isDefault) ? [expression] : [],
      ),
    );
    const judged = new Set<FunctionDef>();
    for (const loader of matchesOf(loaderCalls)) {
      const workers = argumentFor(loader.args, 'num_workers', 5).argument;
      if (!workers || !((numberOf(workers.value) ?? 0) > 0) || hasOwnContext(loader)) continue;
      for (const run of runInWorkers(loader, program)) {
        if (judged.has(run)) continue;
        judged.add(run);
        const span = usingCuda(run, placed, program);
        if (!span) continue;
        report({
          span,
          level: 'flag',
          reasons: aboutFile,
          message: message`${quoted(shownCode(program, span))} fails in a DataLoader worker: a forked process cannot use CUDA.`,
          related: [{ span: spanOf(workers), message: 'These workers run this code.' }],
        });
      }
    }
  }),
};

/** With `spawn` and `forkserver`, each worker initializes CUDA itself. */
const spawnsFreshProcesses = ({ index }: Program): boolean =>
  index
    .callsSpelled(['set_start_method', 'get_context'])
    .some(({ args }) => /^(spawn|forkserver)$/.test(stringOf(args[0]) ?? ''));

const hasOwnContext = ({ args }: QualifiedCall): boolean => args.some(({ name }) => name === 'multiprocessing_context');

/** Returns the functions that workers call: the dataset's `__getitem__`, and the collate function. */
function runInWorkers({ args }: QualifiedCall, program: Program): FunctionDef[] {
  const { names } = program;
  const found: FunctionDef[] = [];
  const dataset = argumentFor(args, 'dataset', 0).argument?.value;
  const owner = dataset && classOf(dataset, program);
  for (const statement of owner?.body ?? [])
    if (statement.kind === 'FunctionDef' && /^__(getitem|iter|getitems)__$/.test(statement.name)) found.push(statement);
  const collate = argumentFor(args, 'collate_fn', 6).argument?.value;
  const declaration = collate && names.declarationOf(collate);
  if (declaration?.kind === 'FunctionDef') found.push(declaration);
  return found;
}

/** Returns the class in this program that an expression is an instance of. */
function classOf(expression: Node, { names }: Program): ClassDef | undefined {
  if (expression.kind === 'Call') {
    const declaration = names.declarationOf(expression.func);
    return declaration?.kind === 'ClassDef' ? declaration : undefined;
  }
  if (expression.kind !== 'Name' && expression.kind !== 'Attribute') return undefined;
  const made = names.definitionsOf(expression).flatMap(({ value }) => (value?.kind === 'Call' ? [value.func] : []));
  const [declaration, ...others] = made.map((func) => names.declarationOf(func));
  return others.length === 0 && declaration?.kind === 'ClassDef' ? declaration : undefined;
}

/** Returns the first place in a function that uses the GPU. */
function usingCuda(declaration: FunctionDef, placed: ReadonlySet<Node>, program: Program): Span | undefined {
  let found: Span | undefined;
  for (const statement of declaration.body)
    walk(statement, (node) => {
      if (node.kind === 'Call' && !found && (isCudaMethod(node, program) || takesAny(node, placed)))
        found = spanOf(node);
    });
  return found;
}

const isCudaMethod = ({ func }: Call, { names }: Program): boolean =>
  func.kind === 'Attribute' && func.attr === 'cuda' && !isModule(names, func.value);

const takesAny = (call: Call, placed: ReadonlySet<Node>): boolean =>
  calledName(call) !== 'device' && argumentsOf(call).some(({ value }) => placed.has(value));
