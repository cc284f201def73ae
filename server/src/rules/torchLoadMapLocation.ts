import { argumentFor } from '../python/callee.ts';
import { lastPartOf } from '../python/paths.ts';
import type { Program } from '../python/program.ts';
import { enclosingClass } from '../python/scopes.ts';
import type { Argument, Call, ClassDef, Expression, Name } from '../python/syntax.ts';
import { type Loader, loaders } from './catalogue/catalogue.ts';
import type { Facts, Rule } from './contract.ts';
import { fixesOfLoad } from './fixes/mapLocation.ts';
import { knownCallee } from './knownCalls.ts';
import { isTestFile } from './testFile.ts';

/** GPU101: a loader restores tensors to the device that they were saved on. */
export const torchLoadMapLocation: Rule = {
  code: 'GPU101',
  name: 'torch-load-map-location',
  summary: 'A checkpoint is loaded onto the device that it was saved on.',
  severity: 'warning',
  check(program, report, facts) {
    const isTest = isTestFile(program.source.path);
    const saved: Expression[] = [];
    for (const call of program.flow.calls) {
      const path = pathSavedBy(call, program);
      if (path) saved.push(path);
      const found = loaderOf(call, program, facts.loaders ?? []);
      if (!found) continue;
      const { loader, args } = found;
      const { argument, maybe } = argumentFor(args, loader['device-parameter'], loader.position);
      const isNone = argument?.value.kind === 'Constant' && argument.value.value === null;
      if (maybe || (argument && !isNone) || args.some((arg) => arg.star === '**')) continue;
      if (holdsOnlyCpu(args, program, facts)) continue;
      const isHint =
        isTest ||
        loader.trap === 'url' ||
        program.guards.evidenceAt(call.facts).level !== 'none' ||
        becomesNumpy(call, program) ||
        saved.some((path) => isSamePath(path, args[0], program));
      report({
        span: { start: call.func.start, end: call.end },
        verdict: isHint ? 'hint' : 'flag',
        message: `\`${program.text.slice(call.func.start, call.func.end)}\` without \`${loader['device-parameter']}\` restores tensors to the device they were saved on, and fails where that device is missing.`,
        fixes: () => fixesOfLoad(program, call, loader['device-parameter'], argument, isHint, facts),
      });
    }
  },
};

/** True when the path is one literal, and the checkpoint that it names was saved from the CPU. */
function holdsOnlyCpu(args: readonly Argument[], program: Program, facts: Facts): boolean {
  if (!facts.devicesOf) return false;
  const path = args.map(({ value }) => onlyText(value, program)).find((text) => text !== undefined);
  return path !== undefined && facts.devicesOf(path)?.every((device) => device === 'cpu') === true;
}

/** The text that an expression always has; what an option or a caller may change has none. */
function onlyText(expression: Expression, program: Program): string | undefined {
  const [literal, ...others] = program.values.literalsOf(expression);
  return others.length === 0 && literal && !literal.isDefault && typeof literal.value === 'string'
    ? literal.value
    : undefined;
}

/** The loader that is called, of the catalogue or the project's own, with the arguments of a partial before it. */
function loaderOf(
  call: Call,
  program: Program,
  own: readonly Loader[],
): { loader: Loader; args: readonly Argument[] } | undefined {
  const { qualified, args } = knownCallee(
    call,
    program,
    own.map(({ name }) => name),
  );
  for (const name of qualified) {
    const loader = own.find((each) => each.name === name) ?? loaders.get(name);
    if (loader && (loader.rule === 'GPU101' || own.includes(loader))) return { loader, args };
  }
  if (call.func.kind !== 'Attribute') return undefined;
  const { attr, value } = call.func;
  for (const loader of classLoaders) {
    if (loader.name.endsWith(`.${attr}`) && isSubclass(value, loader, program)) return { loader, args };
  }
  return undefined;
}

/** Class methods of the catalogue. */
const classLoaders = [...loaders.values()].filter((loader) => loader.rule === 'GPU101' && loader.class !== undefined);

/** True for a class that derives from the loader's, or one imported from elsewhere. */
function isSubclass(receiver: Expression, loader: Loader, program: Program): boolean {
  const base = loader.name.slice(0, loader.name.lastIndexOf('.'));
  const library = base.slice(0, base.indexOf('.'));
  const derives = (owner: ClassDef, seen: Set<ClassDef>): boolean =>
    !seen.has(owner) &&
    owner.args.some(({ value }) => {
      if (program.names.qualify(value).some((name) => isClassOf(name, loader, library))) return true;
      const parent = program.names.declarationOf(value);
      return parent?.kind === 'ClassDef' && derives(parent, new Set(seen).add(owner));
    });
  if (receiver.kind === 'Name' && receiver.id === 'cls') {
    const owner = enclosingClass(program.names.scopeOf(receiver));
    return owner !== undefined && derives(owner, new Set());
  }
  const declaration = program.names.declarationOf(receiver);
  if (declaration) return declaration.kind === 'ClassDef' && derives(declaration, new Set());
  const made = instanceOf(receiver, program);
  if (made) return isSubclass(made, loader, program);
  const names = program.names.qualify(receiver);
  if (names.some((name) => isClassOf(name, loader, library))) return true;
  // A class from elsewhere that has the method has it from Lightning.
  return (
    loader.class === 'LightningModule' && names.some((name) => /^[A-Z]/.test(name.slice(name.lastIndexOf('.') + 1)))
  );
}

/** The class that a name was made from: `Net` after `net = Net()`. */
function instanceOf(receiver: Expression, program: Program): Expression | undefined {
  if (receiver.kind !== 'Name') return undefined;
  const value = program.names.definitionsOf(receiver)[0]?.value;
  const declaration = value?.kind === 'Call' ? program.names.declarationOf(value.func) : undefined;
  return value?.kind === 'Call' && declaration?.kind === 'ClassDef' ? value.func : undefined;
}

function isClassOf(name: string, loader: Loader, library: string): boolean {
  return name.endsWith(`.${loader.class}`) && (name.startsWith(`${library}.`) || name.startsWith('lightning.'));
}

/** The path that a call saves to: `torch.save(x, path)`, `scripted.save(path)`, `trainer.save_checkpoint(path)`. */
function pathSavedBy(call: Call, program: Program): Expression | undefined {
  if (call.func.kind === 'Attribute' && !/^save/.test(call.func.attr)) return undefined;
  const qualified = program.names.qualify(call.func);
  if (qualified.includes('torch.save') || qualified.includes('torch.jit.save'))
    return argumentFor(call.args, 'f', 1).argument?.value;
  const method = call.func.kind === 'Attribute' ? lastPartOf(call.func) : undefined;
  if (qualified.length > 0 || (method !== 'save' && method !== 'save_checkpoint')) return undefined;
  return call.args.find((arg) => arg.name === undefined)?.value;
}

/** The same expression, or two that resolve to one literal. */
function isSamePath(saved: Expression, loaded: Argument | undefined, program: Program): boolean {
  if (!loaded) return false;
  const spelled = (node: Expression) =>
    program.text.slice(node.start, node.end).replace(/\s+/g, '').replaceAll("'", '"');
  if (spelled(saved) === spelled(loaded.value)) return !areDifferent(saved, loaded.value, program);
  const only = (node: Expression) => {
    const values = new Set(program.values.literalsOf(node).map((literal) => literal.value));
    return values.size === 1 ? [...values][0] : undefined;
  };
  const value = only(saved);
  return value !== undefined && value === only(loaded.value);
}

/** Two variables of one name that are assigned different things, in two functions. */
function areDifferent(saved: Expression, loaded: Expression, program: Program): boolean {
  if (saved.kind !== 'Name' || loaded.kind !== 'Name') return false;
  const values = (name: Name) => {
    const definitions = program.names.definitionsOf(name);
    const isAssigned = definitions.length > 0 && definitions.every(({ kind }) => kind === 'value');
    return isAssigned
      ? definitions.map(({ value }) => (value ? program.text.slice(value.start, value.end) : ''))
      : undefined;
  };
  const [from, to] = [values(saved), values(loaded)];
  return from !== undefined && to !== undefined && !from.some((text) => to.includes(text));
}

/** `torch.load(f).numpy()`, `torch.from_numpy(torch.load(f))` */
function becomesNumpy(call: Call, program: Program): boolean {
  const around = call.parent;
  if (around?.kind === 'Attribute' && around.attr === 'numpy') return around.parent?.kind === 'Call';
  const outer = around?.kind === 'Argument' ? around.parent : undefined;
  return outer?.kind === 'Call' && program.names.qualify(outer.func).includes('torch.from_numpy');
}
