import { reasonsOf } from '../guards/evidence.ts';
import type { Program } from '../guards/program.ts';
import type { Reason } from '../guards/reason.ts';
import { type Span, spanOf } from '../python/semantic/source.ts';
import type { Expression, Node } from '../python/syntax/nodes.ts';
import type { Fix } from './edits/fix.ts';
import { fitted } from './engine/message.ts';
import { inProgram, type Rule, type RuleContext } from './engine/rule.ts';
import { fixesOfIndex } from './fixes/deviceIndex.ts';
import { fixesOfVisibleDevices } from './fixes/visibleDevices.ts';
import { cpuOffersIn } from './queries/cpuOffers.ts';
import { type DeviceLiteral, deviceUses, reasonsInUse } from './queries/deviceUses.ts';
import { gpuReasonsAt } from './queries/gpuProgram.ts';
import { shownCode, shownUse } from './queries/shownCode.ts';
import { pinnedVisibleDevices, visibleChanges } from './queries/visibleDevices.ts';

interface Site {
  /** The literal. */
  readonly node: Expression;
  readonly index: number;
  readonly span: Span;
  readonly reasons: readonly Reason[];
  readonly message: string;
  readonly fixes: (level: 'hint' | 'flag') => readonly Fix[];
}

/** GPU201: a hard-coded GPU index. */
export const hardcodedDeviceIndex: Rule = {
  code: 'GPU201',
  name: 'hardcoded-device-index',
  summary: 'A GPU index is hard-coded.',
  reports: 'a hard-coded GPU: `"cuda:1"`, `.cuda(0)`, `"/GPU:0"`',
  severity: 'warning',
  // Only the first site of an index in a function is reported, so all sites must be known.
  listener: inProgram([deviceUses, visibleChanges], (context) => {
    const { program, report } = context;
    // The first place of an index in a function that is no hint anyway, by function and index.
    const firsts = new Map<string, Span>();
    const sites = [...sitesIn(context), ...visibleSitesIn(context)].sort((a, b) => a.span.start - b.span.start);
    for (const { node, index, span, reasons, message, fixes } of sites) {
      const level = reasons.length > 0 ? 'hint' : 'flag';
      // The first GPU is there wherever the program runs, unless it is meant to run without one.
      const severity = index === 0 && cpuOffersIn(program).length === 0 ? 'information' : undefined;
      const cause = `${program.names.functionOf(node)?.start} ${index}`;
      const first = level === 'flag' ? firsts.get(cause) : undefined;
      if (level === 'flag' && !first) firsts.set(cause, span);
      report({
        span,
        level: 'flag',
        severity,
        reasons: first ? [{ because: 'an earlier line is reported for the same cause', at: first }] : reasons,
        related: first ? [{ span: first, message: 'Reported here first.' }] : [],
        message,
        fixes: () => fixes(level),
      });
    }
  }),
};

/** Returns each literal that has an index once, with its most severe use. */
function sitesIn({ program, known, isTestFile, aboutFile, matchesOf }: RuleContext): Iterable<Site> {
  const sites = new Map<Node, Site>();
  for (const { literals } of matchesOf(deviceUses))
    for (const literal of literals) {
      const { node, index } = literal;
      if (index === undefined || (index === 0 && isTestFile && isDecorated(literal, program))) continue;
      const reasons = [...aboutFile, ...gpuReasonsAt(program, node), ...reasonsAgainst(literal, index, program)];
      const before = sites.get(node);
      if (before && (before.reasons.length === 0 || reasons.length > 0)) continue;
      sites.set(node, {
        node,
        index,
        span: spanOf(node),
        reasons,
        message: messageOf(literal, index, program),
        fixes: (level) => fixesOfIndex(program, literal, index, level, known),
      });
    }
  return sites.values();
}

/**
 * Returns settings of `CUDA_VISIBLE_DEVICES` to GPUs other than the first. They are counted as separate indices, since
 * `"cuda:0"` is the first visible GPU.
 */
function visibleSitesIn({ program, aboutFile }: RuleContext): Site[] {
  return pinnedVisibleDevices(program).map(({ setting, index, reasons }) => ({
    node: setting.node,
    index: -1 - index,
    span: setting.span,
    reasons: [...aboutFile, ...reasons],
    message: naming(
      shownCode(program, setting.span),
      index === 0
        ? "overrides the user's choice of GPUs"
        : `hides every GPU on machines with fewer than ${index + 1} GPUs`,
    ),
    fixes: () => fixesOfVisibleDevices(program, setting),
  }));
}

const naming = (code: string, predicate: string): string => fitted(`${code} ${predicate}.`, `This ${predicate}.`);

function messageOf(literal: DeviceLiteral, index: number, program: Program): string {
  const code = shownUse(program, literal.node, literal.use.expression);
  if (literal.isDefault || literal.use.kind === 'default')
    return naming(code, `pins GPU ${index}, unless the caller chooses another device`);
  // Without any GPU, DataParallel computes on the CPU.
  if (literal.use.kind === 'replicas' && index > 0)
    return naming(
      code,
      `fails on machines with ${index === 1 ? 'one GPU' : `1 to ${index} GPUs`}: it pins GPU ${index}`,
    );
  if (literal.use.kind === 'replicas' || literal.evidence.devices > index)
    return naming(code, `always uses GPU ${index}, even where other GPUs are available`);
  return naming(
    code,
    index === 0
      ? 'fails on machines without a GPU: it pins GPU 0, and no check was found'
      : `fails on machines with fewer than ${index + 1} GPUs: it pins GPU ${index}`,
  );
}

const isDecorated = ({ conditions }: DeviceLiteral, { guards }: Program): boolean =>
  conditions.some((each) => guards.isDecorated(each));

/** Returns the reasons why the site is only a hint; empty for a flag. */
function reasonsAgainst(literal: DeviceLiteral, index: number, { guards }: Program): readonly Reason[] {
  const { evidence, conditions } = literal;
  const inUse = reasonsInUse(literal);
  if (inUse.length > 0) return inUse;
  if (evidence.level === 'weak' || evidence.devices > index) return reasonsOf(evidence);
  const distributed = conditions.map((each) => guards.distributedAt(each)).find(({ level }) => level !== 'none');
  return distributed ? reasonsOf(distributed) : [];
}
