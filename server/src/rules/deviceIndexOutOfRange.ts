import type { Program } from '../guards/program.ts';
import { wordsOf } from '../guards/switches.ts';
import { callTaking, keywordOf } from '../python/semantic/arguments.ts';
import { isDisplay, isString, stringOf } from '../python/semantic/literals.ts';
import { memoize } from '../python/semantic/memoize.ts';
import type { PathConditions } from '../python/semantic/pathConditions.ts';
import { spanOf } from '../python/semantic/source.ts';
import type { Expression } from '../python/syntax/nodes.ts';
import { someNode } from '../python/syntax/walk.ts';
import { initializesCuda } from './cudaInitialization.ts';
import type { Knowledge, RelatedPlace } from './engine/contract.ts';
import { fitted } from './engine/message.ts';
import { on, type Rule } from './engine/rule.ts';
import { fixesOfMissingIndex, type Visible } from './fixes/missingIndex.ts';
import { isMainTest, mayRunBefore } from './queries/blocks.ts';
import { type DeviceLiteral, deviceUses } from './queries/deviceUses.ts';
import { createOrder } from './queries/programOrder.ts';
import { shownCode, shownUse } from './queries/shownCode.ts';
import { visibleAt, visibleSettingsOf } from './queries/visibleDevices.ts';

/** GPU204: an index names a GPU that this program cannot see, either on this machine or on any machine. */
export const deviceIndexOutOfRange: Rule = {
  code: 'GPU204',
  name: 'device-index-out-of-range',
  summary: 'A device index names a GPU that does not exist.',
  reports: '`"cuda:1"` where only one GPU is visible, on this machine or because of a setting in the file itself',
  severity: 'error',
  outranks: { GPU201: 'omitted' },
  isAboutMachine: true,
  listener: on(deviceUses, ({ literals }, { program, known, isTestFile, report }) => {
    if (isTestFile || !mayBeMissing(program, known)) return;
    for (const literal of literals) {
      const { index, node } = literal;
      const found =
        index !== undefined && isSure(literal, literals, program)
          ? whyMissing(literal, index, program, known)
          : undefined;
      if (index === undefined || !found) continue;
      report({
        span: spanOf(node),
        level: 'flag',
        message: messageOf(
          isString(node) ? shownCode(program, node) : shownUse(program, node, literal.use.expression),
          found.reasons,
        ),
        related: found.related,
        fixes: () => fixesOfMissingIndex(program, literal, index, found.visible, known),
      });
    }
  }),
};

/** False if neither the machine nor the program itself limits the visible GPUs. */
function mayBeMissing(program: Program, { visibleGpus }: Knowledge): boolean {
  return (visibleGpus !== undefined || visibleSettingsOf(program).all.length > 0) && !fallsBackSoftly(program);
}

interface Missing {
  readonly visible: Visible;
  /** Predicates of the code, the more detailed one first. */
  readonly reasons: readonly [string, string];
  readonly related: readonly RelatedPlace[];
}

const messageOf = (code: string, [full, short]: Missing['reasons']): string =>
  fitted(`${code} ${full}.`, `${code} ${short}.`, `This ${short}.`);

function whyMissing(literal: DeviceLiteral, index: number, program: Program, known: Knowledge): Missing | undefined {
  const { all, areComplete } = visibleSettingsOf(program);
  if (!areComplete) return undefined;
  if (all.length > 0) return settleEarly(program) ? missingByOwnSetting(literal, index, program) : undefined;
  const { visibleGpus } = known;
  // Without any GPU, the index is not the problem: GPU201 and GPU202 report it.
  if (!visibleGpus || visibleGpus.count === 0 || index < visibleGpus.count) return undefined;
  const { count, names, value } = visibleGpus;
  const short = `fails here: this machine ${value === undefined ? 'has' : 'exposes'} ${count} ${count === 1 ? 'GPU' : 'GPUs'}`;
  const full = value === undefined ? `${short} (${names})` : `${short} with \`CUDA_VISIBLE_DEVICES=${value}\``;
  return { visible: { count }, reasons: [full, short], related: [] };
}

function missingByOwnSetting(literal: DeviceLiteral, index: number, program: Program): Missing | undefined {
  const { guards } = program;
  const visible = visibleAt(program, literal.use.expression);
  if (!visible || index < visible.count) return undefined;
  const { setting, count } = visible;
  // Guarded code never runs if all GPUs are hidden.
  if (count === 0 && literal.conditions.some((conditions) => guards.evidenceAt(conditions).level !== 'none'))
    return undefined;
  const value = setting.value ?? '';
  const left =
    count === 0
      ? 'hides every GPU'
      : count === 1
        ? 'makes one GPU visible, as index 0'
        : `makes ${count} GPUs visible, as indices 0 to ${count - 1}`;
  const short = `always fails: the program ${left}`;
  return {
    visible: { count, named: value },
    reasons: [`${short}${count > 0 ? ',' : ''} with \`CUDA_VISIBLE_DEVICES="${value}"\``, short],
    related: [{ span: setting.span, message: 'Visible GPUs are set here.' }],
  };
}

/** False if CUDA may have been initialized before the program sets the visible GPUs. */
const settleEarly = memoize((program: Program): boolean => {
  const initializes = (expression: Expression) => initializesCuda(expression, program);
  const order = createOrder(program, initializes);
  return visibleSettingsOf(program).all.every(({ node }) => {
    if (order(node)) return false;
    const home = program.names.functionOf(node);
    return !program.index.calls.some(
      (call) =>
        initializes(call) &&
        (home && program.names.functionOf(call) === home
          ? call.start < node.start
          : mayRunBefore(program, call, node.start)),
    );
  });
});

/** True if the use always has this index, and no test checks that the GPU exists. */
function isSure(literal: DeviceLiteral, all: readonly DeviceLiteral[], program: Program): boolean {
  const { index = 0, use, isDefault, evidence, conditions } = literal;
  const { guards } = program;
  if (isDefault || use.kind === 'default' || use.kind === 'policy' || evidence.devices > index) return false;
  const isList = isDisplay(use.expression) && use.expression.elts.includes(literal.node);
  if (!isList && all.length > 1) return false;
  if (conditions.some((each) => guards.distributedAt(each).level !== 'none' || guards.isDecorated(each))) return false;
  if (isOfOtherAccelerator(use.expression)) return false;
  return !conditions.some(isChosenByUserOrMachine);
}

/** `Trainer(accelerator="tpu", devices=[1])` */
function isOfOtherAccelerator(expression: Expression): boolean {
  const call = callTaking(expression);
  const accelerator = call && keywordOf(call, 'accelerator');
  return accelerator !== undefined && !/^(gpu|cuda)$/.test(stringOf(accelerator) ?? '');
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
 * True under a test that compares something, mentions several GPUs or asks which machine this is, and in a `try` with
 * handlers: in these cases, the author knows that the GPU may be missing.
 */
function isChosenByUserOrMachine(conditions: PathConditions): boolean {
  for (let at = conditions; at; at = at.outer) {
    if (at.kind === 'unreachable') return true;
    if (at.kind === 'try' && at.statement.kind === 'Try' && at.statement.handlers.length > 0) return true;
    if (at.kind === 'test' && isAboutDevices(at.test)) return true;
  }
  return false;
}

function isAboutDevices(test: Expression): boolean {
  return someNode(test, (node) => {
    const name = node.kind === 'Name' ? node.id : node.kind === 'Attribute' ? node.attr : undefined;
    if (name !== undefined) return MACHINE.test(name) || wordsOf(name).some((word) => SEVERAL.has(word));
    return node.kind === 'Compare' && !isMainTest(node);
  });
}

/** True for a TensorFlow program with soft placement, which falls back to another device. */
const fallsBackSoftly = memoize(
  ({ index }: Program): boolean =>
    index.usesOf('set_soft_device_placement').length > 0 ||
    index.usesOf('allow_soft_placement').length > 0 ||
    index.callsWithKeyword('allow_soft_placement').length > 0,
);
