import { isCudaTensorType } from '../guards/availability.ts';
import { both, type Evidence, isFromOtherFile, NONE, reasonsOf } from '../guards/evidence.ts';
import type { Program } from '../guards/program.ts';
import type { Reason } from '../guards/reason.ts';
import { calledName } from '../python/semantic/accessPaths.ts';
import { callTaking } from '../python/semantic/arguments.ts';
import type { StringLiteral } from '../python/semantic/literals.ts';
import { isDisplay, isNumber, isString, stringOf } from '../python/semantic/literals.ts';
import { once } from '../python/semantic/memoize.ts';
import { isModule } from '../python/semantic/nameResolution.ts';
import type { Use } from '../python/semantic/programIndex.ts';
import type { Span } from '../python/semantic/source.ts';
import { spanOf } from '../python/semantic/source.ts';
import type { Attribute, Call, Expression, Node } from '../python/syntax/nodes.ts';
import { walk } from '../python/syntax/walk.ts';
import { gpuNeeds, type RaisingCall, raisingCalls } from './catalogue/catalogue.ts';
import type { Fix } from './edits/fix.ts';
import { GAP } from './engine/code.ts';
import { message, quoted } from './engine/message.ts';
import { inProgram, type Rule, type RuleContext } from './engine/rule.ts';
import { lastParts, type Selector, type Triggers } from './engine/selector.ts';
import { fixesOfCudaCall } from './fixes/cudaCall.ts';
import { fixesOfDeviceLiteral } from './fixes/deviceLiteral.ts';
import { fixesOfGpuNeed, fixesOfListItem, fixesOfTemplate } from './fixes/gpuNeed.ts';
import { asSuggestion } from './fixes/offers.ts';
import { fixesOfRaisingCall } from './fixes/raisingCall.ts';
import { fixesOfTensorType } from './fixes/tensorType.ts';
import { fixedTogether } from './fixes/together.ts';
import { aliasEvidence } from './queries/aliasEvidence.ts';
import { type DeviceUse, deviceUses, reasonsInUse } from './queries/deviceUses.ts';
import { gpuListItems } from './queries/gpuListItems.ts';
import { type GpuNeedSite, gpuNeedSites, reasonsOfNeed } from './queries/gpuNeeds.ts';
import { gpuReasonsAt } from './queries/gpuProgram.ts';
import { firstOfCause } from './queries/oneCause.ts';
import { shownCode, shownUse } from './queries/shownCode.ts';
import { unusedDevice } from './queries/unusedDevice.ts';

interface Site {
  readonly node: Expression;
  readonly span: Span;
  readonly subject: string;
  /** The consequence without a GPU, as a predicate for the subject. */
  readonly consequence: string;
  /** The index of the call in the catalogue; each call is a separate cause. */
  readonly cause?: number;
  /** Reasons why the site is only a hint, regardless of other sites in its function. */
  readonly reasons: readonly Reason[];
  readonly fixes: () => readonly Fix[];
}

interface CudaCall {
  readonly call: Call;
  /** `model.cuda()` */
  readonly isMethod?: true;
  /** The name of a type, as in `x.type("torch.cuda.FloatTensor")`. */
  readonly type?: StringLiteral;
  readonly raising?: RaisingCall;
}

const FAILS = 'fails on machines without a GPU, and no check for one was found';
const CONSEQUENCES: Readonly<Record<DeviceUse['kind'], string>> = {
  device: FAILS,
  policy: 'has no effect on machines without a GPU',
  default: 'fails on machines without a GPU, unless the caller chooses another device',
  replicas: FAILS,
};

/**
 * Matches `torch.cuda` by itself, `.cuda()`, `"cuda"` except in `== "cuda"`, and the relevant members of `torch.cuda`.
 */
const CUDA_TRIGGERS: Triggers = {
  patterns: [
    /\bcuda\b(?<![!=]=[^\S\n]*["']cuda)(?!\s*\.)/,
    new RegExp(String.raw`\bcuda\s*\.${GAP}(?:\w*Tensor|${[...lastParts(raisingCalls.keys())].join('|')})\b`),
  ],
};

const cudaCalls: Selector<CudaCall> = {
  calls: {
    names: lastParts(['cuda', 'type', 'set_default_tensor_type', ...raisingCalls.keys()]),
    resolve: cudaCallOf,
  },
  triggers: CUDA_TRIGGERS,
};

/** `torch.cuda.FloatTensor`, including if it is imported. */
const cudaTypes: Selector<Use> = {
  uses: {
    isWanted: (name) => name.endsWith('Tensor'),
    resolve: (use, program) => (!isInspected(use) && isCudaType(use, program) ? [use] : []),
  },
  triggers: CUDA_TRIGGERS,
};

/** GPU202: code needs a GPU, but nothing checks that there is one. */
export const unguardedCuda: Rule = {
  code: 'GPU202',
  name: 'unguarded-cuda',
  summary: 'CUDA is used without a check that it is available.',
  reports: '`.cuda()`, `"cuda"` and other uses of CUDA without a check for a GPU',
  severity: 'warning',
  // Only the first site of each function is reported, so all sites must be known.
  listener: inProgram([deviceUses, cudaCalls, cudaTypes, gpuNeedSites, gpuListItems], (context) => {
    const { names } = context.program;
    const sites = sitesOf(context);
    const fixesOf = fixedTogether(
      context.program,
      sites.filter(({ reasons }) => reasons.length === 0),
    );
    const reported = firstOfCause(sites, ({ node, cause }) => ({
      within: names.functionOf(node),
      ...(cause !== undefined && { detail: cause }),
    }));
    for (const { site, reasons, related } of reported)
      context.report({
        span: site.span,
        level: 'flag',
        reasons,
        related,
        message: message`${quoted(site.subject)} ${site.consequence}.`,
        fixes: () => fixesOf(site),
      });
  }),
};

/** Returns every site that is not quiet. */
function sitesOf({ program, matchesOf, evidenceAt }: RuleContext): Site[] {
  const sites = new Map<Expression, Site>();
  const add = (
    node: Expression,
    span: Span,
    subject: string,
    evidence: Evidence,
    inUse: readonly Reason[],
    fixes: () => readonly Fix[],
    { cause, consequence = FAILS }: { readonly cause?: number; readonly consequence?: string } = {},
  ) => {
    // If only callers in other files check for a GPU, readers of this file do not see it.
    if (evidence.level === 'guard' && !isFromOtherFile(evidence)) return;
    const reasons = [...gpuReasonsAt(program, node), ...inUse, ...reasonsOf(evidence)];
    const isHint = reasons.length > 0;
    const before = sites.get(node);
    if (before && (isHint || before.reasons.length === 0)) return;
    const suggested = () => fixes().map(asSuggestion);
    const offered = once(isHint ? suggested : fixes);
    const more = cause === undefined ? {} : { cause };
    sites.set(node, { node, span, subject, consequence, reasons, fixes: offered, ...more });
  };

  const ofAlias = ({ func }: Call, { name }: RaisingCall) => aliasEvidence(program, func, name);
  const named = new Set<Node>();
  for (const site of matchesOf(gpuNeedSites)) {
    const { node, span } = site;
    named.add(node);
    const subject = site.need.argument === 'backend' ? shownUse(program, node, node) : shownCode(program, span, node);
    const evidence = withoutItself(evidenceAt(node), site);
    add(node, span, subject, evidence, reasonsOfNeed(site, program), () => fixesOfGpuNeed(program, site), {
      cause: gpuNeeds.indexOf(site.need),
      ...(site.need.hint !== undefined && { consequence: `requests a GPU; ${site.need.hint}` }),
    });
  }
  for (const use of matchesOf(deviceUses)) {
    for (const template of use.templates) {
      const { node, holes, evidence } = template;
      // A call that raises while computing the index is a separate site.
      if (holes.some((hole) => callsTorchCuda(hole, program))) continue;
      const reasons = holes.some(isRankOf) ? [{ because: 'a launcher sets the rank', at: spanOf(node) }] : [];
      add(node, spanOf(node), shownCode(program, node), evidence, reasons, () => fixesOfTemplate(program, template));
    }
    for (const literal of use.literals) {
      const call = callTaking(use.expression);
      if (call && !literal.isDefault) named.add(call);
      if (literal.index !== undefined || named.has(literal.node)) continue;
      const { node } = literal;
      const consequence = CONSEQUENCES[literal.isDefault ? 'default' : use.kind];
      const shown = shownUse(program, node, use.expression);
      add(
        node,
        spanOf(node),
        shown,
        literal.evidence,
        [...reasonsInUse(literal), ...unusedDevice(program, node)],
        () => fixesOfDeviceLiteral(program, literal),
        { consequence },
      );
    }
  }
  for (const { call, isMethod, type, raising } of matchesOf(cudaCalls)) {
    if (named.has(call)) continue;
    if (isMethod) {
      const func = call.func as Attribute;
      const span = { start: func.end - func.attr.length, end: call.end };
      add(call, span, '`.cuda()`', evidenceAt(call), [], () => fixesOfCudaCall(program, call));
      continue;
    }
    if (type)
      add(type, spanOf(type), `\`${stringOf(type)}\``, evidenceAt(type), [], () => fixesOfTensorType(program, type));
    if (raising)
      add(call, spanOf(call), `\`${raising.name}()\``, both(evidenceAt(call), ofAlias(call, raising)), [], () =>
        fixesOfRaisingCall(program, call, raising),
      );
  }
  for (const item of matchesOf(gpuListItems)) {
    const { node } = item;
    add(node, spanOf(node), shownCode(program, node), evidenceAt(node), [], () => fixesOfListItem(program, item), {
      cause: -1,
    });
  }
  for (const type of matchesOf(cudaTypes))
    add(type, spanOf(type), shownCode(program, type), evidenceAt(type), [], () => fixesOfTensorType(program, type));
  return [...sites.values()];
}

/** A call that sets up distributed training does not count as evidence for itself. */
function withoutItself(evidence: Evidence, { need, call }: GpuNeedSite): Evidence {
  const at = evidence.reason?.at;
  const isOwn =
    need.argument === 'backend' && evidence.level === 'weak' && at && 'start' in at && at.start === call?.start;
  return isOwn ? NONE : evidence;
}

/** True if an index is computed with a call of `torch.cuda`. */
function callsTorchCuda(hole: Expression, { names }: Program): boolean {
  let asks = false;
  walk(hole, (node) => {
    asks ||= node.kind === 'Call' && names.qualify(node.func).some((name) => name.startsWith('torch.cuda.'));
  });
  return asks;
}

/** `rank`, `args.local_rank`, `dist.get_rank()` */
function isRankOf(hole: Expression): boolean {
  let isRank = false;
  walk(hole, (node) => {
    const name = node.kind === 'Name' ? node.id : node.kind === 'Attribute' ? node.attr : '';
    isRank ||= /(^|_)rank$/i.test(name);
  });
  return isRank;
}

function cudaCallOf(call: Call, program: Program): CudaCall[] {
  if (isCudaMethod(call, program)) return [{ call, isMethod: true }];
  const [first] = call.args;
  const isType = isString(first) && isCudaTensorType(stringOf(first) ?? '') && takesTypeName(call);
  const raising = program.names
    .calleeOf(call)
    .qualified.map((name) => raisingCalls.get(name))
    .find((found) => found);
  // Another rule reports indices.
  const isIndex = raising?.name === 'torch.cuda.set_device' && isNumber(first);
  if (!isType && (!raising || isIndex)) return [];
  return [{ call, ...(isType && { type: first }), ...(!isIndex && raising && { raising }) }];
}

function isCudaMethod(call: Call, program: Program): boolean {
  if (call.func.kind !== 'Attribute' || call.func.attr !== 'cuda') return false;
  const receiver = call.func.value;
  if (program.names.qualify(call.func).includes('torch.cuda')) return false;
  return !(receiver.kind === 'Name' && isModule(program.names, receiver));
}

/** True for the attribute of `torch.cuda`, or for a name that is imported from there and has no other meaning. */
function isCudaType(use: Use, { names }: Program): boolean {
  if (use.kind === 'Attribute') return names.qualify(use.value).includes('torch.cuda');
  const definitions = names.definitionsOf(use);
  return (
    definitions.length > 0 &&
    definitions.every(({ kind, qualified }) => kind === 'import' && isCudaTensorType(qualified ?? ''))
  );
}

function takesTypeName(call: Call): boolean {
  const name = calledName(call);
  return name === 'type' || name === 'set_default_tensor_type';
}

/** A type in a comparison, in `isinstance` or in an annotation is not used. */
function isInspected(use: Use): boolean {
  for (let inner: Node = use, at = use.parent; at; inner = at, at = at.parent) {
    if (at.kind === 'Compare') return true;
    if (at.kind === 'Dict') return at.keys.some((key) => key === inner);
    if (at.kind === 'Call')
      return at.func.kind === 'Name' && (at.func.id === 'isinstance' || at.func.id === 'issubclass');
    if (at.kind === 'arg') return at.annotation === inner;
    if (at.kind === 'AnnAssign') return at.annotation === inner;
    if (at.kind === 'FunctionDef') return at.returns === inner;
    if (!isDisplay(at) && at.kind !== 'keyword' && at.kind !== 'Subscript') return false;
  }
  return false;
}
