import { DISTRIBUTED, reasonsOf } from '../guards/evidence.ts';
import type { Program } from '../guards/program.ts';
import type { Reason } from '../guards/reason.ts';
import { callTaking } from '../python/semantic/arguments.ts';
import { isNumber } from '../python/semantic/literals.ts';
import { spanOf } from '../python/semantic/source.ts';
import type { Node } from '../python/syntax/nodes.ts';
import { on, type Rule } from './engine/rule.ts';
import { fixesOfIndex } from './fixes/deviceIndex.ts';
import { type DeviceLiteral, deviceUses, reasonsInUse } from './queries/deviceUses.ts';

/** GPU201: a literal pins one accelerator. */
export const hardcodedDeviceIndex: Rule = {
  code: 'GPU201',
  name: 'hardcoded-device-index',
  summary: 'A literal pins one GPU by its index.',
  reports: '`"cuda:1"`, `.cuda(0)`, `"/GPU:0"`: one particular GPU is written into the code',
  severity: 'warning',
  listener: on(deviceUses, ({ literals }, { program, known, isTestFile, aboutFile, report }) => {
    for (const literal of literals) {
      const { node, index, evidence } = literal;
      if (index === undefined || (index === 0 && isTestFile && isDecorated(literal, program))) continue;
      const reasons = [...aboutFile, ...reasonsAgainst(literal, index, program)];
      const consequence =
        evidence.devices > index
          ? 'whatever other GPUs are there'
          : index === 0
            ? 'which fails where there is no GPU'
            : `which fails where there are fewer than ${index + 1} GPUs`;
      report({
        span: spanOf(node),
        level: 'flag',
        reasons,
        message: `${describe(node, index, program)} pins GPU ${index}, ${consequence}.`,
        fixes: () => fixesOfIndex(program, literal, index, reasons.length > 0 ? 'hint' : 'flag', known),
      });
    }
  }),
};

function describe(node: Node, index: number, program: Program): string {
  const call = callTaking(node);
  const name = call?.func.kind === 'Attribute' ? call.func.attr : undefined;
  return isNumber(node) && name ? `\`${name}(${index})\`` : `\`${program.text.slice(node.start, node.end)}\``;
}

const isDecorated = ({ conditions }: DeviceLiteral, { guards }: Program): boolean =>
  conditions.some((each) => guards.isDecorated(each));

/** Why the site is only a hint; empty for a flag. */
function reasonsAgainst(literal: DeviceLiteral, index: number, { guards }: Program): readonly Reason[] {
  const { evidence } = literal;
  const inUse = reasonsInUse(literal);
  if (inUse.length > 0) return inUse;
  if (evidence.level === 'weak' || evidence.devices > index) return reasonsOf(evidence);
  return literal.conditions.some((each) => guards.isDistributed(each)) ? reasonsOf(DISTRIBUTED) : [];
}
