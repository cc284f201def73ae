import type { Program } from '../guards/program.ts';
import { callTaking } from '../python/semantic/arguments.ts';
import { isNumber } from '../python/semantic/literals.ts';
import { spanOf } from '../python/semantic/source.ts';
import type { Node } from '../python/syntax/nodes.ts';
import type { Observation, Rule } from './engine/contract.ts';
import { fixesOfIndex } from './fixes/deviceIndex.ts';
import { type DeviceLiteral, deviceLiteralsOf, deviceUsesOf } from './queries/deviceUses.ts';
import { isTestFile } from './queries/testFile.ts';

type Verdict = Observation['verdict'] | 'quiet';

/** GPU201: a literal pins one accelerator. */
export const hardcodedDeviceIndex: Rule = {
  code: 'GPU201',
  name: 'hardcoded-device-index',
  summary: 'A literal pins one GPU by its index.',
  severity: 'warning',
  check(program, report, known) {
    const isTest = isTestFile(program.source.path);
    const found = new Map<Node, { verdict: Verdict; literal: DeviceLiteral }>();
    for (const use of deviceUsesOf(program)) {
      for (const literal of deviceLiteralsOf(use, program)) {
        if (literal.index === undefined) continue;
        const verdict = judge(literal, literal.index, isTest, program);
        const before = found.get(literal.node);
        if (!before || loudness(verdict) > loudness(before.verdict)) found.set(literal.node, { verdict, literal });
      }
    }
    for (const [node, { verdict, literal }] of found) {
      if (verdict === 'quiet') continue;
      const text = program.text.slice(node.start, node.end);
      const index = literal.index ?? 0;
      const consequence =
        literal.evidence.devices > index
          ? 'whatever other GPUs are there'
          : index === 0
            ? 'which fails where there is no GPU'
            : `which fails where there are fewer than ${index + 1} GPUs`;
      report({
        span: spanOf(node),
        verdict,
        message: `${describe(node, text, index)} pins GPU ${index}, ${consequence}.`,
        fixes: () => fixesOfIndex(program, literal, index, verdict, known),
      });
    }
  },
};

const loudness = (verdict: Verdict) => ({ quiet: 0, hint: 1, flag: 2 })[verdict];

function describe(node: Node, text: string, index: number): string {
  const call = callTaking(node);
  const name = call?.func.kind === 'Attribute' ? call.func.attr : undefined;
  return isNumber(node) && name ? `\`${name}(${index})\`` : `\`${text}\``;
}

function judge(literal: DeviceLiteral, index: number, isTest: boolean, program: Program): Verdict {
  const { guards } = program;
  if (index === 0 && isTest && literal.conditions.some((each) => guards.isDecorated(each))) return 'quiet';
  if (isTest || literal.isDefault || literal.use.kind !== 'device') return 'hint';
  if (literal.evidence.level === 'weak' || literal.evidence.devices > index) return 'hint';
  if (literal.conditions.some((each) => guards.isDistributed(each))) return 'hint';
  return 'flag';
}
