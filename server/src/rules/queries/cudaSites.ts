/** Places that need CUDA: calls, device names, tensor types and library calls, without those that a guard protects. */
import { both, type Evidence, isFromOtherFile, NO_EVIDENCE, reasonsOf } from '../../guards/evidence.ts';
import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { argumentFor, argumentsOf, callTaking, parametersOf } from '../../python/semantic/arguments.ts';
import { isCalled } from '../../python/semantic/callGraph.ts';
import { stringOf } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import { qualifiedName } from '../../python/semantic/qualifiedName.ts';
import { type Span, spanOf } from '../../python/semantic/source.ts';
import type { Attribute, Call, Expression, Node } from '../../python/syntax/nodes.ts';
import { someNode } from '../../python/syntax/walk.ts';
import { matchesIn } from '../engine/dispatch.ts';
import { triggerTest } from '../engine/triggers.ts';
import { aliasEvidence } from './aliasEvidence.ts';
import { type CpuOffer, cpuOffersIn } from './cpuOffers.ts';
import { cudaCalls, cudaTypes } from './cudaCalls.ts';
import { usesBound } from './definedUses.ts';
import { demonstrating } from './demonstrations.ts';
import { type DeviceLiteral, type DeviceTemplate, type DeviceUse, deviceUses, reasonsInUse } from './deviceUses.ts';
import { type GpuListItem, gpuListItems } from './gpuListItems.ts';
import { type GpuNeedSite, gpuNeedSites, reasonsOfNeed } from './gpuNeeds.ts';
import { gpuReasonsAt } from './gpuProgram.ts';
import { shownCode, shownUse } from './shownCode.ts';
import { demonstratedAt, unusedAt } from './unusedFunctions.ts';

/** The code at a site, which decides how it can be fixed. */
type CudaCode =
  | { readonly kind: 'method'; readonly call: Call }
  | { readonly kind: 'literal'; readonly literal: DeviceLiteral }
  | { readonly kind: 'template'; readonly template: DeviceTemplate }
  | { readonly kind: 'raising'; readonly call: Call }
  | { readonly kind: 'need'; readonly need: GpuNeedSite }
  | { readonly kind: 'item'; readonly item: GpuListItem }
  | { readonly kind: 'type' };

export interface CudaSite {
  readonly node: Expression;
  readonly span: Span;
  /** The code, in backticks. */
  readonly subject: string;
  /** The consequence without a GPU, as a predicate for the subject. */
  readonly consequence: string;
  readonly code: CudaCode;
  /** Reasons why the site is only a hint, regardless of the rest of the program. */
  readonly reasons: readonly Reason[];
}

/** True for a site that nothing excuses. */
export const isOpen = ({ reasons }: CudaSite): boolean => reasons.length === 0;

/**
 * Number of open sites for each offer of the CPU above which the offer is a remnant: the program runs on no CPU. In 14
 * programs of ten repositories that two readers judged, no site of such a program was worth a warning.
 */
const MOST_PER_OFFER = 3;

/** Returns the places where a file offers the CPU to the rest of itself; empty if most of it ignores them. */
export const ownCpuOffers = memoize((program: Program): readonly CpuOffer[] => {
  const offers = cpuOffersIn(program);
  const open = cudaSitesIn(program).filter(isOpen).length;
  return open > MOST_PER_OFFER * offers.length ? [] : offers;
});

/** Returns an open site for each function that has one, undefined for the top level; empty if the file offers the CPU. */
const needsByFunction = memoize(
  (program: Program): ReadonlyMap<unknown, CudaSite> =>
    new Map(
      ownCpuOffers(program).length > 0
        ? []
        : cudaSitesIn(program)
            .filter(isOpen)
            .map((site) => [program.names.functionOf(site.node), site]),
    ),
);

/** Returns the reason if the function around a node needs a GPU, whatever else happens in it. */
export function gpuNeedAround(node: Node, program: Program): readonly Reason[] {
  const site = needsByFunction(program).get(program.names.functionOf(node));
  return site ? [{ because: 'the code around it needs a GPU anyway', at: site.span }] : [];
}

const FAILS = 'fails on a machine that has no NVIDIA GPU';
const CONSEQUENCES: Readonly<Record<DeviceUse['kind'], string>> = {
  device: FAILS,
  policy: 'has no effect on a machine that has no NVIDIA GPU',
  default: `${FAILS}, unless the caller chooses another device`,
  replicas: FAILS,
};

/** The selectors whose matches are sites. */
export const CUDA_SITES = [deviceUses, cudaCalls, cudaTypes, gpuNeedSites, gpuListItems];

/** False for text without sites. */
export const mayHaveCudaSites = triggerTest(CUDA_SITES);

/** Returns the sites of a program that no guard protects, in source order; some of them are only hints. */
export const cudaSitesIn = memoize((program: Program): readonly CudaSite[] => {
  const sites = new Map<Expression, CudaSite>();
  const evidenceAt = (node: Expression) => program.guards.evidenceAt(conditionsOf(node));
  const add = (
    node: Expression,
    span: Span,
    subject: string,
    code: CudaCode,
    evidence: Evidence,
    inUse: readonly Reason[] = [],
    consequence = FAILS,
  ) => {
    // If only callers in other files check for a GPU, readers of this file do not see it.
    if (evidence.level === 'guard' && !isFromOtherFile(evidence)) return;
    const reasons = [
      ...gpuReasonsAt(program, node),
      ...inUse,
      ...reasonsOf(evidence),
      ...demonstrating(node, program),
      ...unusedAt(node, program),
      ...demonstratedAt(node, program),
    ];
    const before = sites.get(node);
    if (before && (reasons.length > 0 || isOpen(before))) return;
    sites.set(node, { node, span, subject, consequence, code, reasons });
  };

  const named = new Set<Node>();
  for (const need of matchesIn(program, gpuNeedSites)) {
    const { node, span } = need;
    named.add(node);
    const subject = need.need.argument === 'backend' ? shownUse(program, node, node) : shownCode(program, span, node);
    const { hint } = need.need;
    const consequence = hint === undefined ? FAILS : `requests a GPU; ${hint}`;
    const evidence = withoutItself(evidenceAt(node), need);
    add(node, span, subject, { kind: 'need', need }, evidence, reasonsOfNeed(need, program), consequence);
  }
  for (const use of matchesIn(program, deviceUses)) {
    for (const template of use.templates) {
      const { node, holes, evidence } = template;
      // A call that raises while computing the index is a separate site.
      if (holes.some((hole) => callsTorchCuda(hole, program))) continue;
      const isRank = holes.some(isRankOf) && !isStartedDirectly(node, program);
      const reasons = isRank ? [{ because: 'a launcher sets the rank', at: spanOf(node) }] : [];
      add(node, spanOf(node), shownCode(program, node), { kind: 'template', template }, evidence, reasons);
    }
    for (const literal of use.literals) {
      const call = callTaking(use.expression);
      if (call && !literal.isDefault) named.add(call);
      const { node, evidence } = literal;
      if (literal.index !== undefined || named.has(node)) continue;
      const isOnlyDefault = literal.isDefault && !isLeftOut(node, program);
      const consequence = isOnlyDefault ? CONSEQUENCES.default : literal.isDefault ? FAILS : CONSEQUENCES[use.kind];
      const reasons = [
        ...(literal.isDefault && !isOnlyDefault ? [] : reasonsInUse(literal)),
        ...unusedDevice(program, node),
      ];
      const shown = shownUse(program, node, use.expression);
      add(node, spanOf(node), shown, { kind: 'literal', literal }, evidence, reasons, consequence);
    }
  }
  for (const { call, isMethod, type, raising } of matchesIn(program, cudaCalls)) {
    if (named.has(call)) continue;
    if (isMethod) {
      const func = call.func as Attribute;
      const span = { start: func.end - func.attr.length, end: call.end };
      add(call, span, '`.cuda()`', { kind: 'method', call }, evidenceAt(call));
      continue;
    }
    if (type) add(type, spanOf(type), `\`${stringOf(type)}\``, { kind: 'type' }, evidenceAt(type));
    if (!raising) continue;
    const evidence = both(evidenceAt(call), aliasEvidence(program, call.func, raising.name));
    add(call, spanOf(call), `\`${raising.name}()\``, { kind: 'raising', call }, evidence);
  }
  for (const item of matchesIn(program, gpuListItems))
    add(item.node, spanOf(item.node), shownCode(program, item.node), { kind: 'item', item }, evidenceAt(item.node));
  for (const type of matchesIn(program, cudaTypes))
    add(type, spanOf(type), shownCode(program, type), { kind: 'type' }, evidenceAt(type));
  return [...sites.values()].sort((a, b) => a.span.start - b.span.start);
});

/** A call that sets up distributed training does not count as evidence for itself. */
function withoutItself(evidence: Evidence, { need, call }: GpuNeedSite): Evidence {
  const at = evidence.reason?.at;
  const isOwn =
    need.argument === 'backend' && evidence.level === 'weak' && at && 'start' in at && at.start === call?.start;
  return isOwn ? NO_EVIDENCE : evidence;
}

/** True in a worker that the program also starts by itself, such as `train(0, ...)` where there are no GPUs. */
function isStartedDirectly(node: Expression, program: Program): boolean {
  const home = program.names.functionOf(node);
  if (!home) return false;
  const uses = program.guards.local.uses().get(home) ?? [];
  if (uses.some(({ use, local }) => isCalled(use) && local.level === 'none')) return true;
  return program.project?.atEveryUse(qualifiedName(home, program.names)).isUsedFreely ?? false;
}

/** True if an index is computed with a call of `torch.cuda`. */
function callsTorchCuda(hole: Expression, { names }: Program): boolean {
  return someNode(
    hole,
    (node) => node.kind === 'Call' && names.qualify(node.func).some((name) => name.startsWith('torch.cuda.')),
  );
}

/** `rank`, `args.local_rank`, `dist.get_rank()` */
function isRankOf(hole: Expression): boolean {
  return someNode(hole, (node) => {
    const name = node.kind === 'Name' ? node.id : node.kind === 'Attribute' ? node.attr : '';
    return /(^|_)rank$/i.test(name);
  });
}

/** True if an unguarded call, in a file that offers the CPU, leaves out the parameter of a function with this default. */
function isLeftOut(value: Expression, program: Program): boolean {
  const around = value.parent;
  const owner = around?.kind === 'arguments' ? around.parent : undefined;
  if (around?.kind !== 'arguments' || owner?.kind !== 'FunctionDef' || owner.parent?.kind === 'ClassDef') return false;
  const parameters = parametersOf(around);
  const at = parameters.findIndex((parameter) => parameter.default === value);
  const name = parameters[at]?.name;
  if (name === undefined) return false;
  const isOwnCall = program.index.callsSpelled(cpuOffersIn(program).length > 0 ? [owner.name] : []).some((call) => {
    if (program.names.declarationOf(call.func) !== owner) return false;
    const { argument, maybe } = argumentFor(argumentsOf(call), name, at);
    return !argument && !maybe && program.guards.evidenceAt(conditionsOf(call)).level === 'none';
  });
  return isOwnCall || program.project?.callLeavingOut(qualifiedName(owner, program.names), name, at) !== undefined;
}

/**
 * Returns the reason why a device in a local name that nothing reads is only a hint: naming a device does not need it.
 */
function unusedDevice(program: Program, literal: Expression): readonly Reason[] {
  const made = literal.parent?.kind === 'Call' ? literal.parent : literal;
  const statement = made.parent;
  if (statement?.kind !== 'Assign' || statement.value !== made || statement.targets.length !== 1) return [];
  const [target] = statement.targets;
  // Other modules may import names that a module defines.
  if (target?.kind !== 'Name' || program.names.functionOf(statement) === undefined) return [];
  const isRead = usesBound(target, statement, program).length > 0;
  return isRead ? [] : [{ because: `nothing uses \`${target.id}\``, at: spanOf(target) }];
}
