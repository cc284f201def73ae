/** Summarizes a program. */
import { type Evidence, either, isImpossible, NO_EVIDENCE } from '../guards/evidence.ts';
import type { LocalUse } from '../guards/guards.ts';
import type { Program } from '../guards/program.ts';
import { argumentsOf, parametersOf } from '../python/semantic/arguments.ts';
import { isCalled } from '../python/semantic/callGraph.ts';
import { fileNameOf } from '../python/semantic/fileNames.ts';
import type { Use } from '../python/semantic/programIndex.ts';
import { qualifiedName } from '../python/semantic/qualifiedName.ts';
import type { Definition } from '../python/semantic/scopes.ts';
import type { Attribute, Call, ClassDef, Expression, Node } from '../python/syntax/nodes.ts';
import { walk } from '../python/syntax/walk.ts';
import { mainTestAround } from '../rules/queries/blocks.ts';
import { cpuOffersIn } from '../rules/queries/cpuOffers.ts';
import { cudaSitesIn, isOpen, mayHaveCudaSites } from '../rules/queries/cudaSites.ts';
import { frameworksOnGpu, mayUseFramework } from '../rules/queries/gpuFrameworks.ts';
import { gpuOnlyIn, mayNeedGpu } from '../rules/queries/gpuOnly.ts';
import { backendSetIn, namesTensorflow1 } from '../rules/queries/kerasBackend.ts';
import { isCertain, kerasLoadsIn } from '../rules/queries/kerasLoads.ts';
import { deviceOf } from '../rules/queries/ownFiles.ts';
import { allSavers } from '../rules/queries/savedPaths.ts';
import { isBareModel, savedWrappings } from '../rules/queries/wrappings.ts';
import type { ExportSummary, FileSummary, OutsideUse, PlaceSummary, SaveSummary, UseSummary } from './summary.ts';

/** Maximum number of literals kept per constant. */
const MAX_LITERALS = 4;

/** How each part of a summary is found. `isInProject` is true for an imported dotted name that may be of the project. */
const PARTS: {
  readonly [Part in keyof FileSummary]: (
    program: Program,
    isInProject: (dotted: string) => boolean,
  ) => FileSummary[Part];
} = {
  uses: usesIn,
  outside: outsideUsesIn,
  exports: exportsOf,
  saves: savesIn,
  models: modelsIn,
  kerasLoads: certainLoadsIn,
  kerasSetup(program) {
    const backend = backendSetIn(program);
    const isTensorflow1 = namesTensorflow1(program);
    return backend ? { isTensorflow1, backend } : { isTensorflow1 };
  },
  gpuUses: (program) =>
    frameworksOnGpu(program).map(({ framework, place }) => ({ framework, place: placeOf(program, place.start) })),
  facts: factsOf,
  cpuOffer: cpuOfferOf,
  cudaNeeds: cudaNeedsOf,
};
const NAMES = Object.keys(PARTS) as (keyof FileSummary)[];

/** Parts that are `empty` unless a text passes a test, which takes much less time than parsing it. */
const TESTS: {
  readonly [Part in keyof FileSummary]?: { mayBeIn(text: string): boolean; readonly empty: FileSummary[Part] };
} = {
  kerasSetup: { mayBeIn: (text) => /KERAS_BACKEND|tensorflow/.test(text), empty: { isTensorflow1: false } },
  gpuUses: { mayBeIn: mayUseFramework, empty: [] },
  facts: { mayBeIn: mayNeedGpu, empty: [] },
  cpuOffer: { mayBeIn: (text) => /["']cpu["']/.test(text), empty: null },
  cudaNeeds: { mayBeIn: mayHaveCudaSites, empty: [] },
};

/**
 * Returns the summary of a program. Each part is found once, on demand; only this needs the program. `textOf` returns
 * the program's text, of which only the ASCII characters must be right.
 */
export function summarize(
  programOf: () => Program,
  isInProject: (dotted: string) => boolean,
  textOf: () => string,
): FileSummary {
  const summary = {};
  for (const name of NAMES)
    Object.defineProperty(summary, name, {
      configurable: true,
      enumerable: true,
      get() {
        const test = TESTS[name];
        const value = test?.mayBeIn(textOf()) === false ? test.empty : PARTS[name](programOf(), isInProject);
        Object.defineProperty(summary, name, { enumerable: true, value });
        return value;
      },
    });
  return summary as FileSummary;
}

/** The parts of a summary that something has asked for. */
export const partsKnownOf = (summary: FileSummary): readonly (keyof FileSummary)[] =>
  NAMES.filter((name) => Object.getOwnPropertyDescriptor(summary, name)?.get === undefined);

/**
 * The evidence without its reason, which is a place in this file. An impossible outcome is not evidence for other
 * files.
 */
const withoutReason = (evidence: Evidence): Evidence =>
  isImpossible(evidence) ? NO_EVIDENCE : { level: evidence.level, devices: evidence.devices };

function useSummary({ use, local, inside }: LocalUse, program: Program): UseSummary {
  return {
    evidence: withoutReason(local),
    inside: inside.map((declaration) => qualifiedName(declaration, program.names)),
    place: placeOf(program, use.start),
  };
}

/** Unreachable code uses nothing. */
const isReached = ({ local }: LocalUse) => !isImpossible(local);

function usesIn(program: Program): FileSummary['uses'] {
  const found: Record<string, UseSummary[]> = {};
  const add = (name: string, uses: readonly LocalUse[]) => {
    const reached = uses.filter(isReached).map((use) => useSummary(use, program));
    if (reached.length > 0) found[name] = [...(found[name] ?? []), ...reached];
  };
  const { index, names, guards } = program;
  for (const [declaration, uses] of guards.local.uses()) add(qualifiedName(declaration, names), uses);
  for (const { node } of index.scopes) {
    if (node?.kind !== 'ClassDef') continue;
    const uses = index.usesOf(node.name).filter((use) => runs(use) && names.declarationOf(use) === node);
    add(qualifiedName(node, names), uses.map(guards.local.atUse));
  }
  return found;
}

/** False if a class is only named, as in annotations and type checks. */
function runs(use: Use): boolean {
  const call = use.parent?.kind === 'Call' ? use.parent : undefined;
  if (call?.func.kind === 'Name' && /^(isinstance|issubclass|cast)$/.test(call.func.id)) return false;
  for (let at: Node = use; at.parent; at = at.parent) {
    const around: Node = at.parent;
    if ('annotation' in around && around.annotation === at) return false;
    if (around.kind === 'FunctionDef') return around.returns !== at;
    if (around.kind === 'ExceptHandler') return false;
  }
  return true;
}

// Uses of names from other files

function outsideUsesIn(program: Program, isInProject: (dotted: string) => boolean): OutsideUse[] {
  const found: OutsideUse[] = [];
  const add = (use: Use, target: string, as: OutsideUse['as']) => {
    const local = program.guards.local.atUse(use);
    if (!isReached(local)) return;
    const fileNames = isCalled(use) ? fileNamesIn(use.parent as Call, program) : undefined;
    const passes = as === 'call' && cpuOffersIn(program).length > 0 ? passedIn(use.parent as Call) : undefined;
    found.push({
      ...useSummary(local, program),
      target,
      as,
      ...(as === 'call' && isCertain(use) && { isCertain: true }),
      ...(fileNames && { fileNames }),
      ...(passes && { passes }),
    });
  };
  for (const { use, target } of importedUses(program, isInProject)) {
    if (!runs(use)) continue;
    add(use, target, isCalled(use) ? 'call' : 'value');
    if (!isCalled(use)) continue;
    for (const method of methodUses(use.parent as Call, program)) add(method, `${target}.${method.attr}`, 'method');
  }
  return found;
}

interface ImportedUse {
  /** The full expression `train.fit`, if `train` is imported. */
  readonly use: Use;
  readonly target: string;
}

function importedUses({ index, names }: Program, isInProject: (dotted: string) => boolean): ImportedUse[] {
  const imports = new Map<string, Definition[]>();
  for (const definition of index.definitionsWhere(() => true)) {
    const { kind, qualified, name } = definition;
    if (kind !== 'import' || qualified === undefined || !isInProject(qualified)) continue;
    imports.set(name, [...(imports.get(name) ?? []), definition]);
  }
  const found: ImportedUse[] = [];
  for (const [name, definitions] of imports)
    for (const use of index.usesOf(name)) {
      if (use.kind !== 'Name') continue;
      const definition = names.definitionsOf(use).find((each) => definitions.some(({ node }) => node === each.node));
      if (definition?.qualified === undefined) continue;
      let whole: Use = use;
      let target = definition.qualified;
      for (; whole.parent?.kind === 'Attribute' && whole.parent.value === whole; whole = whole.parent)
        target = `${target}.${whole.parent.attr}`;
      found.push({ use: whole, target });
    }
  return found;
}

/** The methods of a call's result: `Trainer().fit`, `trainer.fit` after `trainer = Trainer()`. */
function methodUses(call: Call, { index, names }: Program): Attribute[] {
  const around = call.parent;
  if (around?.kind === 'Attribute') return [around];
  const targets =
    around?.kind === 'Assign'
      ? around.targets
      : around?.kind === 'AnnAssign' || around?.kind === 'NamedExpr'
        ? [around.target]
        : around?.kind === 'withitem' && around.optional_vars
          ? [around.optional_vars]
          : [];
  return targets.flatMap((target) => {
    if (target.kind !== 'Name' && target.kind !== 'Attribute') return [];
    return index
      .usesOf(target.kind === 'Name' ? target.id : target.attr)
      .flatMap((use) =>
        use.parent?.kind === 'Attribute' && use.parent.value === use
          ? names.definitionsOf(use).some(({ value }) => value === call)
            ? [use.parent]
            : []
          : [],
      );
  });
}

function fileNamesIn(call: Call, { names }: Program): Readonly<Record<string, string>> | undefined {
  const found = argumentsOf(call).flatMap(({ name, star, value }, position) => {
    const fileName = star ? undefined : fileNameOf(value, names);
    return fileName?.includes('.') ? [[name ?? String(position), fileName] as const] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

function passedIn(call: Call): readonly string[] | undefined {
  const args = argumentsOf(call);
  return args.some(({ star }) => star) ? undefined : args.map(({ name }, position) => name ?? String(position));
}

// Facts about the whole program

function factsOf(program: Program): FileSummary['facts'] {
  return gpuOnlyIn(program)
    .filter(({ reach }) => !reach.within && !reach.under)
    .map(({ because, node }) => ({ because, place: placeOf(program, node.start) }));
}

function cpuOfferOf(program: Program): FileSummary['cpuOffer'] {
  const offer = cpuOffersIn(program).find(({ isOfFile }) => !isOfFile);
  return offer ? { because: offer.because, place: placeOf(program, offer.node.start) } : null;
}

function cudaNeedsOf(program: Program): FileSummary['cudaNeeds'] {
  return cudaSitesIn(program)
    .filter(isOpen)
    .map(({ node }) => ({
      inside: insideOf(node, program),
      place: placeOf(program, node.start),
      isBelowMain: mainTestAround(node) !== undefined,
    }));
}

// Loads

function certainLoadsIn(program: Program): FileSummary['kerasLoads'] {
  return kerasLoadsIn(program)
    .filter(isCertain)
    .map((call) => ({ inside: insideOf(call, program), place: placeOf(program, call.start) }));
}

/** The function that contains a node, in the form of a use's `inside`. */
function insideOf(call: Node, { names }: Program): string[] {
  const home = names.functionOf(call);
  return home ? [qualifiedName(home, names)] : [];
}

// Definitions

function modelsIn(program: Program): FileSummary['models'] {
  return program.index.scopes.flatMap(({ node }) =>
    node?.kind === 'ClassDef' && qualifiedName(node, program.names) === node.name && isBareModel(node, program)
      ? [node.name]
      : [],
  );
}

// Saves

function savesIn(program: Program): SaveSummary[] {
  return allSavers(program).map((saver) => {
    const { call, path, value } = saver;
    const wrappings = value && savedWrappings(value, program);
    const fileName = fileNameOf(path, program.names);
    const parameter = fileName === undefined ? parameterBehind(path, call, program) : undefined;
    return {
      place: placeOf(program, call.start),
      device: deviceOf(saver, program),
      ...(wrappings && Object.keys(wrappings).length > 0 && { wrappings }),
      ...(fileName !== undefined && { fileName }),
      ...(parameter && { parameter }),
    };
  });
}

/** The parameter at the end of a path: `name` in `os.path.join(folder, name)`. */
function parameterBehind(path: Expression, call: Call, { names }: Program): SaveSummary['parameter'] {
  const home = names.functionOf(call);
  if (!home) return undefined;
  const parameters = parametersOf(home.args);
  const isMethod = names.scopeOf(home).kind === 'class';
  let found: SaveSummary['parameter'];
  // The last name in the path is its end.
  walk(path, (node) => {
    if (node.kind !== 'Name') return true;
    const position = parameters.findIndex(({ name, star }) => name === node.id && !star);
    if (position >= 0)
      found = { function: qualifiedName(home, names), name: node.id, position: position - (isMethod ? 1 : 0) };
    return true;
  });
  return found;
}

// Exports

function exportsOf(program: Program): FileSummary['exports'] {
  const found: Record<string, ExportSummary> = {};
  for (const [name, definitions] of program.index.module.definitions) {
    const summary = exportOf(definitions, program);
    if (summary) found[name] = summary;
    for (const { node } of definitions)
      if (node?.kind === 'ClassDef') Object.assign(found, attributesOf(node, program));
  }
  return found;
}

/** Returns the attributes of a class that are evidence, such as a list of GPUs, by their dotted names. */
function attributesOf(owner: ClassDef, program: Program): FileSummary['exports'] {
  const names = new Set(
    program.index
      .usesWhere((name) => program.index.assignedParts.has(name))
      .flatMap((use) => (use.kind === 'Attribute' ? [use.attr] : [])),
  );
  const found: Record<string, ExportSummary> = {};
  for (const name of names) {
    const definitions = program.index.paths.ofSelf(owner, name);
    const summary = definitions.length > 0 ? exportOf(definitions, program) : undefined;
    if (summary && summary.whenTrue.level !== 'none') found[`${owner.name}.${name}`] = summary;
  }
  return found;
}

function exportOf(definitions: readonly Definition[], program: Program): ExportSummary | undefined {
  const { local } = program.guards;
  const judged = (definition: Definition, truth: boolean): Evidence => {
    const { kind, node, value } = definition;
    if (kind === 'function' && node?.kind === 'FunctionDef') return withoutReason(local.ofReturns(node, truth));
    return kind === 'value' && value ? withoutReason(local.ofTest(value, truth)) : NO_EVIDENCE;
  };
  const [first] = definitions;
  if (!first?.node) return undefined;
  const whenTrue = definitions.map((definition) => judged(definition, true)).reduce(either);
  const whenFalse = definitions.map((definition) => judged(definition, false)).reduce(either);
  const literals = definitions.every(({ kind, value }) => kind === 'value' && value)
    ? definitions.flatMap(({ value }) => (value ? program.values.literalsOf(value).map((each) => each.value) : []))
    : [];
  if (whenTrue.level === 'none' && whenFalse.level === 'none' && literals.length === 0) return undefined;
  return {
    place: placeOf(program, first.node.start),
    whenTrue,
    whenFalse,
    literals: [...new Set(literals)].slice(0, MAX_LITERALS),
  };
}

function placeOf({ source, placeOf: at }: Program, offset: number): PlaceSummary {
  const { cell, line, character } = at(offset);
  const index = source.cells[cell]?.index ?? 0;
  return { line, character, ...(source.kind === 'notebook' && { cell: index + 1 }) };
}
