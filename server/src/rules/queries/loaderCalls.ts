/** Calls that read a checkpoint. */

import type { Program } from '../../guards/program.ts';
import { keepsOut } from '../../published/specifier.ts';
import { isAtLeast } from '../../published/versions.ts';
import { type Argument, argumentFor, argumentsOf, callTaking } from '../../python/semantic/arguments.ts';
import { type FilePath, filePathOf } from '../../python/semantic/filePaths.ts';
import { isNone, stringOf } from '../../python/semantic/literals.ts';
import { push } from '../../python/semantic/multimap.ts';
import { enclosingClass } from '../../python/semantic/scopes.ts';
import type { Call, ClassDef, Expression } from '../../python/syntax/nodes.ts';
import { loaders } from '../catalogue/catalogue.ts';
import type { Loader } from '../catalogue/loaderSchema.ts';
import type { Knowledge } from '../engine/contract.ts';
import { lastPart, lastParts, type Selector, type Triggers } from '../engine/selector.ts';

export interface LoaderCall {
  readonly loader: Loader;
  /** The arguments, including those of an earlier partial. */
  readonly args: readonly Argument[];
}

/** A call with its possible loaders; at least one. */
export interface Load {
  readonly call: Call;
  readonly loaders: readonly LoaderCall[];
}

/** Calls of possible loaders, from the catalogue or the project. */
export const loaderCalls: Selector<Load> = {
  calls: {
    names: lastParts(loaders.keys()),
    namesIn: (_, own) => own.map(({ name }) => lastPart(name)),
    resolve(call, program, own) {
      const found = loadersOf(call, program, own);
      return found.length > 0 ? [{ call, loaders: found }] : [];
    },
  },
  triggers: triggersOf(loaders.values()),
};

/** Returns the names of callees from the libraries, and the names of methods that derived classes inherit. */
export function triggersOf(readers: Iterable<{ readonly name: string }>): Triggers {
  const names = Array.from(readers, ({ name }) => name);
  const isInherited = (name: string) => loaders.get(name)?.class !== undefined;
  return { words: names.filter(isInherited).map(lastPart), calls: names.filter((name) => !isInherited(name)) };
}

/**
 * Returns the possible loaders of a call, from the catalogue or the project, with the arguments of an earlier partial.
 */
export function loadersOf(call: Call, program: Program, own: readonly Loader[]): readonly LoaderCall[] {
  const { qualified, args } = program.names.calleeOf(call);
  const called = qualified.flatMap((name) =>
    [own.find((each) => each.name === name) ?? [], loaders.get(name) ?? []].flat(),
  );
  if (called.length > 0 || call.func.kind !== 'Attribute') return called.map((loader) => ({ loader, args }));
  const { attr, value } = call.func;
  return (classLoaders.get(attr) ?? [])
    .filter((loader) => isSubclass(value, loader, program))
    .map((loader) => ({ loader, args }));
}

/** Returns the path of a load if the program determines it: the first argument that is a path. */
export function pathOfLoad({ args }: LoaderCall, program: Program): FilePath | undefined {
  return args.map(({ value }) => filePathOf(value, program)).find((path) => path !== undefined);
}

interface UnplacedLoad extends LoaderCall {
  /** The argument for the device, if it is a literal `None`. */
  readonly none?: Argument;
}

/** Returns the loader if it restores tensors to their saved device and no other device is specified. */
export function unplacedLoad(called: readonly LoaderCall[], own: readonly Loader[]): UnplacedLoad | undefined {
  const found = called.find(({ loader }) => loader.rule === 'GPU101' || own.includes(loader));
  if (!found) return undefined;
  const { loader, args } = found;
  const { argument, maybe } = argumentFor(args, loader['device-parameter'], loader.position);
  if (maybe || (argument && !isNone(argument.value)) || args.some((arg) => arg.star === '**')) return undefined;
  return { ...found, none: argument };
}

/**
 * Returns a device argument that is not a device: `torch.load(path, "rb")`. The loader raises for every tensor of the
 * file.
 */
export function noDeviceGiven(called: readonly LoaderCall[]): { loader: Loader; argument: Argument } | undefined {
  for (const { loader, args } of called) {
    if (loader.rule !== 'GPU101') continue;
    const { argument } = argumentFor(args, loader['device-parameter'], loader.position);
    const text = stringOf(argument?.value);
    if (argument && text !== undefined && !MAY_BE_DEVICE.test(text)) return { loader, argument };
  }
  return undefined;
}

/**
 * Matches a device type of any backend, with or without an index, but not file modes or names that torch does not know.
 */
const MAY_BE_DEVICE = /^(?!([rwax]b?|rt|gpu)$)[a-z][a-z0-9_]*(:\d+)?$/;

/**
 * Returns the misplaced argument in `model.load_state_dict(torch.load(path), map_location=device)`, which raises an
 * error.
 */
export function foreignLocation(call: Call, { loader }: LoaderCall, program: Program): Argument | undefined {
  const outer = callTaking(call);
  if (outer?.func.kind !== 'Attribute' || outer.func.attr !== 'load_state_dict') return undefined;
  if (program.names.declarationOf(outer.func)) return undefined;
  return argumentsOf(outer).find(({ name }) => name === loader['device-parameter']);
}

/**
 * False for a loader that maps automatically in the installed or required Lightning, or in most versions if neither is
 * known.
 */
export function hasTrap(
  { releases }: Loader,
  { lightningVersion: version, lightningRequirement: required }: Knowledge,
): boolean {
  if (!releases) return true;
  const { first, 'fixed-in': fixed } = releases;
  if (version !== undefined) return isAtLeast(version, first) && !isAtLeast(version, fixed);
  return required !== undefined && !keepsOut(required, first) && keepsOut(required, fixed);
}

/** Class methods in the catalogue, by the method's name. */
const classLoaders = new Map<string, Loader[]>();
for (const loader of loaders.values())
  if (loader.class !== undefined) push(classLoaders, lastPart(loader.name), loader);

/** True for a class that derives from the loader's class, or one that is imported from elsewhere. */
function isSubclass(receiver: Expression, loader: Loader, program: Program): boolean {
  const base = loader.name.slice(0, loader.name.lastIndexOf('.'));
  const library = base.slice(0, base.indexOf('.'));
  const derives = (owner: ClassDef, seen: Set<ClassDef>): boolean =>
    !seen.has(owner) &&
    owner.bases.some((value) => {
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
  // An imported class with this method inherits it from Lightning.
  return (
    loader.class === 'LightningModule' && names.some((name) => /^[A-Z]/.test(name.slice(name.lastIndexOf('.') + 1)))
  );
}

/** Returns the class that a name is an instance of: `Net` after `net = Net()`. */
function instanceOf(receiver: Expression, program: Program): Expression | undefined {
  if (receiver.kind !== 'Name') return undefined;
  const value = program.names.definitionsOf(receiver)[0]?.value;
  const declaration = value?.kind === 'Call' ? program.names.declarationOf(value.func) : undefined;
  return value?.kind === 'Call' && declaration?.kind === 'ClassDef' ? value.func : undefined;
}

function isClassOf(name: string, loader: Loader, library: string): boolean {
  return name.endsWith(`.${loader.class}`) && (name.startsWith(`${library}.`) || name.startsWith('lightning.'));
}
