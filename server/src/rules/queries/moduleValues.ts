/** Detects expressions that are certainly a PyTorch model, an `nn.Module`. */

import type { Program } from '../../guards/program.ts';
import { returnedBy } from '../../python/semantic/functionBodies.ts';
import { isNone } from '../../python/semantic/literals.ts';
import type { Definition } from '../../python/semantic/scopes.ts';
import type { Arg, Attribute, Call, ClassDef, Expression, FunctionDef, Name, Node } from '../../python/syntax/nodes.ts';

/** Classes of layers and models, by their qualified names. */
const CLASSES = [
  /^torch\.nn\.(modules\.(\w+\.)?|parallel\.(\w+\.)?)?(?!Parameter$|Buffer$|Uninitialized)[A-Z]\w*$/,
  /^pytorch_lightning\.(core\.(\w+\.)*)?LightningModule$/,
  /^torchvision\.models\.(\w+\.)+[A-Z](?!\w*Weights$)\w*$/,
  /^transformers\.(?!TF|Flax|Auto)\w*(Model|For[A-Z]\w+)$/,
];
/** Functions that create a model. */
const MAKERS = [
  /^torchvision\.models\.(\w+\.)*(?!get_(?!model$)|list_|_)[a-z]\w*$/,
  /^timm\.(models\.)?create_model$/,
  /^transformers\.(?!TF|Flax)\w*(Model|For[A-Z]\w+)\.from_(pretrained|config)$/,
];
/** Functions that return their model argument or a wrapper around it. */
const PASSING = new Set(['copy.deepcopy', 'copy.copy', 'torch.compile']);
/** Methods of models that return the model. */
const CHAINING = new Set(
  'to cuda cpu xpu ipu eval train float double half bfloat16 type requires_grad_ apply share_memory to_empty'.split(
    ' ',
  ),
);

type Seen = ReadonlySet<Node>;

/** True if the expression is always a model, as far as the program shows. */
export function isModel(expression: Expression, program: Program, seen: Seen = new Set()): boolean {
  if (seen.has(expression)) return false;
  const deeper = new Set(seen).add(expression);
  switch (expression.kind) {
    case 'Name':
      return holdsModel(expression, program, deeper);
    case 'Attribute':
      return holdsModel(expression, program, deeper) || isWrapped(expression, program, deeper);
    case 'IfExp':
      return isModel(expression.body, program, deeper) && isModel(expression.orelse, program, deeper);
    case 'NamedExpr':
      return isModel(expression.value, program, deeper);
    case 'Call':
      return makesModel(expression, program, deeper);
    default:
      return false;
  }
}

/** `ddp.module` is the wrapped model. */
function isWrapped({ attr, value }: Attribute, program: Program, seen: Seen): boolean {
  return attr === 'module' && isModel(value, program, seen);
}

/** True if every possible last assignment is a model; `None` is accepted for a model that has not been created yet. */
function holdsModel(use: Name | Attribute, program: Program, seen: Seen): boolean {
  const definitions = program.names.definitionsOf(use).filter(({ value }) => !isNone(value));
  return (
    definitions.length > 0 &&
    definitions.every((definition) => {
      const { kind, node, value } = definition;
      if (use.kind === 'Name' && hasParameters(use, definition, program)) return true;
      if (kind === 'value') return value !== undefined && isModel(value, program, seen);
      return kind === 'parameter' && node?.kind === 'arg' && isDeclaredModel(node, program);
    })
  );
}

/**
 * True if the program calls `model.parameters()` on the assigned value. TorchScript models also have this method, but
 * they do not count.
 */
function hasParameters({ id }: Name, definition: Definition, program: Program): boolean {
  const { value } = definition;
  if (value?.kind === 'Call' && program.names.qualify(value.func).some((name) => name.startsWith('torch.jit.')))
    return false;
  return program.index.usesOf(id).some((use) => {
    const method = use.parent;
    return (
      use.kind === 'Name' &&
      method?.kind === 'Attribute' &&
      /^(named_)?parameters$/.test(method.attr) &&
      method.parent?.kind === 'Call' &&
      method.parent.func === method &&
      program.names.definitionsOf(use).includes(definition)
    );
  });
}

function isDeclaredModel({ annotation }: Arg, program: Program): boolean {
  return annotation !== undefined && isModelClass(annotation, program, new Set());
}

function makesModel(call: Call, program: Program, seen: Seen): boolean {
  const { func, args } = call;
  const names = program.names.qualify(func);
  if (names.some((name) => MAKERS.some((maker) => maker.test(name)))) return true;
  if (names.some((name) => PASSING.has(name))) return args[0] !== undefined && isModel(args[0], program, seen);
  if (isModelClass(func, program, new Set())) return true;
  const declaration = program.names.declarationOf(func);
  if (declaration) return declaration.kind === 'FunctionDef' && returnsModel(declaration, program, seen);
  return func.kind === 'Attribute' && CHAINING.has(func.attr) && isModel(func.value, program, seen);
}

/** True for a PyTorch model class, or a class in the program that derives from one. */
function isModelClass(expression: Expression, program: Program, seen: ReadonlySet<ClassDef>): boolean {
  if (program.names.qualify(expression).some((name) => CLASSES.some((known) => known.test(name)))) return true;
  const declaration = program.names.declarationOf(expression);
  if (declaration?.kind !== 'ClassDef' || seen.has(declaration)) return false;
  const deeper = new Set(seen).add(declaration);
  return declaration.bases.some((base) => isModelClass(base, program, deeper));
}

/** True for a class in the program that derives from a PyTorch model. */
export const derivesFromModel = ({ bases }: ClassDef, program: Program): boolean =>
  bases.some((base) => isModelClass(base, program, new Set()));

function returnsModel(declaration: FunctionDef, program: Program, seen: Seen): boolean {
  if (seen.has(declaration) || declaration.decorator_list.length > 0) return false;
  const deeper = new Set(seen).add(declaration);
  const returned = returnedBy(declaration);
  return returned.length > 0 && returned.every((value) => value !== undefined && isModel(value, program, deeper));
}
