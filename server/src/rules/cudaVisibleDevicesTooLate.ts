import type { Program } from '../guards/program.ts';
import type { Reason } from '../guards/reason.ts';
import { memoize } from '../python/semantic/memoize.ts';
import { spanOf } from '../python/semantic/source.ts';
import type { Node } from '../python/syntax/nodes.ts';
import { someNode } from '../python/syntax/walk.ts';
import { initializesCuda } from './cudaInitialization.ts';
import { message, type Quotation, quoted } from './engine/message.ts';
import { inProgram, type Rule } from './engine/rule.ts';
import { fixesOfLateStatement } from './fixes/lateStatement.ts';
import { createOrder } from './queries/programOrder.ts';
import { type VisibleSetting, visibleChanges, visibleSettingsOf } from './queries/visibleDevices.ts';

/** GPU203: the program sets its visible GPUs after CUDA has read them. */
export const cudaVisibleDevicesTooLate: Rule = {
  code: 'GPU203',
  name: 'cuda-visible-devices-too-late',
  summary: 'CUDA_VISIBLE_DEVICES is set after CUDA has been initialized.',
  reports: '`CUDA_VISIBLE_DEVICES` set after CUDA has read it',
  severity: 'warning',
  // The order of execution is known only for the whole program.
  listener: inProgram([visibleChanges], ({ program, aboutFile, report }) => {
    const { all } = visibleSettingsOf(program);
    if (all.length === 0 || restartsKernel(program)) return;
    const order = createOrder(program, (expression) => initializesCuda(expression, program));
    for (const setting of all) {
      const cause = isRestored(setting, program) ? undefined : order(setting.node);
      if (!cause) continue;
      const span = spanOf(cause);
      report({
        span: setting.span,
        level: 'flag',
        reasons: [...aboutFile, ...startedProcesses(program)],
        message: message`This \`CUDA_VISIBLE_DEVICES\` comes too late: ${textOf(program, cause)} has already initialized CUDA.`,
        related: [{ span, message: 'CUDA is initialized here.' }],
        fixes: () =>
          setting.expression ? fixesOfLateStatement(program, setting.node, cause, 'where CUDA is initialized') : [],
      });
    }
  }),
};

/** Maximum length, in characters, of code that a message quotes; longer code is identified by its line. */
const LONGEST_CAUSE = 48;

/** Returns the code if it is short, or else its line number. */
function textOf(program: Program, cause: Node): Quotation {
  const text = program.text.slice(cause.start, cause.end).replace(/\s+/g, ' ');
  return quoted(text.length <= LONGEST_CAUSE ? `\`${text}\`` : `line ${program.placeOf(cause.start).line + 1}`);
}

/** True if the variable is restored to an earlier value, or to a value derived from one. */
function isRestored({ node, expression }: VisibleSetting, program: Program): boolean {
  for (let at = node.parent, inner: Node = node; at; inner = at, at = at.parent) {
    if (at.kind === 'Try' && at.finalbody.some((statement) => statement === inner)) return true;
  }
  if (!expression) return false;
  const isRead = (value: Node): boolean =>
    someNode(value, (inner) => {
      if (inner.kind === 'Attribute') return /^(environ|getenv)$/.test(inner.attr);
      return (
        inner.kind === 'Name' && /^(environ|getenv)$|^_?(old|orig|original|prev|previous|saved|backup)/.test(inner.id)
      );
    });
  if (isRead(expression)) return true;
  if (expression.kind !== 'Name' && expression.kind !== 'Attribute') return false;
  return program.names.definitionsOf(expression).some(({ value }) => value !== undefined && isRead(value));
}

const STARTS =
  /^(subprocess|ray|joblib|pexpect|(torch\.)?multiprocessing|concurrent\.futures|accelerate)\.|^os\.(system|popen|spawn\w*|exec\w*|fork|posix_spawn)$/;

/**
 * Returns the reason that the program starts processes, which inherit the environment and initialize CUDA themselves.
 */
const startedProcesses = memoize((program: Program): readonly Reason[] => {
  const because = 'processes that the program starts read the variable';
  if (program.source.kind === 'notebook' && /^[ \t]*(!|%run\b|%%(bash|sh|script)).*/m.test(shellLines(program)))
    return [{ because }];
  const start = program.index.calls.find(({ func }) => program.names.qualify(func).some((name) => STARTS.test(name)));
  return start ? [{ because, at: spanOf(start.func) }] : [];
});

/** Returns the lines that IPython passes to a shell, except those that only install, download or list. */
function shellLines({ text }: Program): string {
  return text.replace(
    /^[ \t]*!\s*(pip|pip3|apt|apt-get|conda|git|wget|curl|ls|cat|unzip|tar|mkdir|nvidia-smi|nvcc)\b.*$/gm,
    '',
  );
}

/** True for a notebook that restarts its kernel, which resets CUDA. */
function restartsKernel(program: Program): boolean {
  const { usesOf } = program.index;
  if (usesOf('do_shutdown').length > 0) return true;
  return [...usesOf('kill'), ...usesOf('_exit')].some(
    (use) => use.kind === 'Attribute' && use.value.kind === 'Name' && use.value.id === 'os',
  );
}
