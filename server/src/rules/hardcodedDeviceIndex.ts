import type { Program } from '../guards/program.ts';
import { callTaking } from '../python/semantic/arguments.ts';
import { isNumber } from '../python/semantic/literals.ts';
import { spanOf } from '../python/semantic/source.ts';
import type { Node } from '../python/syntax/nodes.ts';
import type { Observation } from './engine/contract.ts';
import { on, type Rule } from './engine/rule.ts';
import { fixesOfIndex } from './fixes/deviceIndex.ts';
import { type DeviceLiteral, deviceUses } from './queries/deviceUses.ts';

type Level = Observation['level'] | 'quiet';

/** GPU201: a literal pins one accelerator. */
export const hardcodedDeviceIndex: Rule = {
  code: 'GPU201',
  name: 'hardcoded-device-index',
  summary: 'A literal pins one GPU by its index.',
  reports: '`"cuda:1"`, `.cuda(0)`, `"/GPU:0"`: one particular GPU is written into the code',
  severity: 'warning',
  listener: on(deviceUses, ({ literals }, { program, known, isTestFile, report }) => {
    for (const literal of literals) {
      const { node, index, evidence } = literal;
      const level = index === undefined ? 'quiet' : judge(literal, index, isTestFile, program);
      if (index === undefined || level === 'quiet') continue;
      const consequence =
        evidence.devices > index
          ? 'whatever other GPUs are there'
          : index === 0
            ? 'which fails where there is no GPU'
            : `which fails where there are fewer than ${index + 1} GPUs`;
      report({
        span: spanOf(node),
        level,
        message: `${describe(node, index, program)} pins GPU ${index}, ${consequence}.`,
        fixes: () => fixesOfIndex(program, literal, index, level, known),
      });
    }
  }),
};

function describe(node: Node, index: number, program: Program): string {
  const call = callTaking(node);
  const name = call?.func.kind === 'Attribute' ? call.func.attr : undefined;
  return isNumber(node) && name ? `\`${name}(${index})\`` : `\`${program.text.slice(node.start, node.end)}\``;
}

function judge(literal: DeviceLiteral, index: number, isTest: boolean, program: Program): Level {
  const { guards } = program;
  if (index === 0 && isTest && literal.conditions.some((each) => guards.isDecorated(each))) return 'quiet';
  if (isTest || literal.isDefault || literal.use.kind !== 'device') return 'hint';
  if (literal.evidence.level === 'weak' || literal.evidence.devices > index) return 'hint';
  if (literal.conditions.some((each) => guards.isDistributed(each))) return 'hint';
  return 'flag';
}
