import type { Program } from '../guards/program.ts';
import { wordsOf } from '../guards/switches.ts';
import { memoise } from '../python/semantic/memoise.ts';
import type { Facts as Conditions } from '../python/semantic/pathConditions.ts';
import type { Expression, Node } from '../python/syntax.ts';
import { walk } from '../python/syntax.ts';
import { initializesCuda } from './cudaInitialization.ts';
import type { Facts, RelatedPlace, Rule } from './engine/contract.ts';
import { mayRunBefore } from './fixes/blocks.ts';
import { fixesOfMissingIndex, type Visible } from './fixes/missingIndex.ts';
import { type DeviceLiteral, deviceLiteralsOf, deviceUsesOf } from './queries/deviceUses.ts';
import { createOrder } from './queries/programOrder.ts';
import { isTestFile } from './queries/testFile.ts';
import { visibleAt, visibleSettingsOf } from './queries/visibleDevices.ts';

/** GPU204: an index names a GPU that this program cannot see, here or on any machine. */
export const deviceIndexOutOfRange: Rule = {
  code: 'GPU204',
  name: 'device-index-out-of-range',
  summary: 'An index names a GPU that is not there.',
  severity: 'error',
  replaces: ['GPU201'],
  check(program, report, facts) {
    const isSpeaking = facts.visibleGpus !== undefined || visibleSettingsOf(program).all.length > 0;
    if (!isSpeaking || isTestFile(program.source.path) || fallsBackSoftly(program)) return;
    const reported = new Set<Node>();
    for (const use of deviceUsesOf(program)) {
      const literals = deviceLiteralsOf(use, program);
      for (const literal of literals) {
        const { index, node } = literal;
        if (index === undefined || reported.has(node) || !isSure(literal, literals, program)) continue;
        const found = whyMissing(literal, index, program, facts);
        if (!found) continue;
        reported.add(node);
        report({
          span: node.span,
          verdict: 'flag',
          message: `${nameOf(literal, index, program)} ${found.reason}.`,
          related: found.related,
          fixes: () => fixesOfMissingIndex(program, literal, index, found.visible, facts),
        });
      }
    }
  },
};

interface Missing {
  readonly visible: Visible;
  /** A clause that follows what names the GPU. */
  readonly reason: string;
  readonly related: readonly RelatedPlace[];
}

function whyMissing(literal: DeviceLiteral, index: number, program: Program, facts: Facts): Missing | undefined {
  const { all, areComplete } = visibleSettingsOf(program);
  if (!areComplete) return undefined;
  if (all.length > 0) return settleEarly(program) ? missingByOwnSetting(literal, index, program) : undefined;
  const { visibleGpus } = facts;
  // Where there is no GPU at all the number is not what is wrong: GPU201 and GPU202 say so.
  if (!visibleGpus || visibleGpus.count === 0 || index < visibleGpus.count) return undefined;
  const { count, names, value } = visibleGpus;
  const gpus = `${count} ${count === 1 ? 'GPU' : 'GPUs'}`;
  const here =
    value === undefined
      ? `this machine has ${gpus} (${names})`
      : `\`CUDA_VISIBLE_DEVICES=${value}\` leaves ${gpus} to be seen on this machine`;
  return { visible: { count }, reason: `fails here: ${here}`, related: [] };
}

function missingByOwnSetting(literal: DeviceLiteral, index: number, program: Program): Missing | undefined {
  const { guards } = program;
  const visible = visibleAt(program, literal.use.expression);
  if (!visible || index < visible.count) return undefined;
  const { setting, count } = visible;
  // Code for a GPU that never runs when all of them are hidden.
  if (count === 0 && literal.facts.some((facts) => guards.evidenceAt(facts).level !== 'none')) return undefined;
  const value = setting.value ?? '';
  const left =
    count === 0
      ? 'hides every GPU'
      : count === 1
        ? 'leaves one GPU to be seen, whose number is 0'
        : `leaves ${count} GPUs to be seen, counted from 0`;
  return {
    visible: { count, named: value },
    reason: `is never there: \`CUDA_VISIBLE_DEVICES="${value}"\` ${left}`,
    related: [{ span: setting.span, message: 'The visible GPUs are chosen here.' }],
  };
}

/** False where CUDA may have been initialized before the program sets what is visible. */
const settleEarly = memoise((program: Program): boolean => {
  const initializes = (expression: Expression) => initializesCuda(expression, program);
  const order = createOrder(program, initializes);
  return visibleSettingsOf(program).all.every(({ node }) => {
    if (order(node)) return false;
    const home = program.names.functionOf(node);
    return !program.index.calls.some(
      (call) =>
        initializes(call) &&
        (home && program.names.functionOf(call) === home
          ? call.span.start < node.span.start
          : mayRunBefore(program, call, node.span.start)),
    );
  });
});

/** True where the use surely is of this index whenever it runs, and nothing looks whether the GPU is there. */
function isSure(literal: DeviceLiteral, all: readonly DeviceLiteral[], program: Program): boolean {
  const { index = 0, use, isDefault, evidence, facts } = literal;
  const { guards } = program;
  if (isDefault || use.kind === 'default' || use.kind === 'policy' || evidence.devices > index) return false;
  const isList = use.expression.kind === 'Sequence' && use.expression.items.includes(literal.node);
  if (!isList && all.length > 1) return false;
  if (facts.some((each) => guards.isDistributed(each) || guards.isDecorated(each))) return false;
  if (isOfOtherAccelerator(use.expression)) return false;
  return !facts.some(isChosenByUserOrMachine);
}

/** `Trainer(accelerator="tpu", devices=[1])` */
function isOfOtherAccelerator({ parent }: Expression): boolean {
  const call = parent?.kind === 'Argument' && parent.parent?.kind === 'Call' ? parent.parent : undefined;
  return (call?.args ?? []).some(
    ({ name, value }) => name === 'accelerator' && !(value.kind === 'Str' && /^(gpu|cuda)$/.test(value.value ?? '')),
  );
}

const SEVERAL = new Set([
  'multi',
  'multigpu',
  'parallel',
  'dist',
  'distributed',
  'gpus',
  'ngpu',
  'ngpus',
  'ddp',
  'num',
  'count',
]);
const MACHINE = /^(gethostname|hostname|uname|node|platform|environ|getenv|fqdn|getfqdn)$/;

/**
 * True under a test that compares something, speaks of several GPUs or asks which machine this is, and where a failure
 * is handled: whoever wrote that knows that the GPU may be missing.
 */
function isChosenByUserOrMachine(facts: Conditions): boolean {
  for (let fact = facts; fact; fact = fact.outer) {
    if (fact.kind === 'unreachable') return true;
    if (fact.kind === 'tried' && fact.by.kind === 'Try' && fact.by.handlers.length > 0) return true;
    if (fact.kind === 'test' && isAboutDevices(fact.test)) return true;
  }
  return false;
}

function isAboutDevices(test: Expression): boolean {
  let found = false;
  walk(test, (node) => {
    const name = node.kind === 'Name' ? node.id : node.kind === 'Attribute' ? node.attr : undefined;
    if (node.kind === 'Compare') found ||= !isMainTest(node);
    if (name !== undefined) found ||= MACHINE.test(name) || wordsOf(name).some((word) => SEVERAL.has(word));
  });
  return found;
}

/** `__name__ == "__main__"` */
const isMainTest = (node: Node): boolean =>
  node.kind === 'Compare' && node.operands.some((operand) => operand.kind === 'Name' && operand.id === '__name__');

/** TensorFlow that was told to place what it cannot place as asked. */
function fallsBackSoftly({ index }: Program): boolean {
  return (
    index.usesOf('set_soft_device_placement').length > 0 ||
    index.usesOf('allow_soft_placement').length > 0 ||
    index.callsWithKeyword('allow_soft_placement').length > 0
  );
}

function nameOf(literal: DeviceLiteral, index: number, program: Program): string {
  const { node } = literal;
  if (node.kind === 'Str') return `\`${program.text.slice(node.span.start, node.span.end)}\``;
  const call = node.parent?.kind === 'Argument' && node.parent.parent?.kind === 'Call' ? node.parent.parent : undefined;
  const name = call?.func.kind === 'Attribute' ? call.func.attr : undefined;
  return name ? `\`${name}(${index})\`` : `GPU ${index}`;
}
