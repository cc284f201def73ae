import type { Program } from '../guards/program.ts';
import { calledName } from '../python/semantic/accessPaths.ts';
import { spanOf } from '../python/semantic/source.ts';
import type { Expression } from '../python/syntax/nodes.ts';
import { fitted } from './engine/message.ts';
import { inProgram, type Rule } from './engine/rule.ts';
import { callsOf } from './engine/selector.ts';
import { fixesOfLateStatement } from './fixes/lateStatement.ts';
import { createOrder } from './queries/programOrder.ts';
import { shownCode } from './queries/shownCode.ts';

/** Calls that configure devices, which TensorFlow rejects after initialization. */
const configuring = callsOf(
  'tensorflow.config.experimental.set_memory_growth',
  'tensorflow.config.set_visible_devices',
  'tensorflow.config.experimental.set_visible_devices',
  'tensorflow.config.set_logical_device_configuration',
  'tensorflow.config.experimental.set_virtual_device_configuration',
);

/** Calls that initialize the devices: they place something on a device, or list the devices in use. */
const INITIALIZING = new Set([
  'tensorflow.test.is_gpu_available',
  'tensorflow.test.gpu_device_name',
  'tensorflow.client.device_lib.list_local_devices',
  'tensorflow.config.list_logical_devices',
  'tensorflow.config.experimental.list_logical_devices',
  'tensorflow.distribute.MirroredStrategy',
  'tensorflow.constant',
  'tensorflow.Variable',
  'tensorflow.zeros',
  'tensorflow.ones',
  'tensorflow.convert_to_tensor',
  'tensorflow.random.normal',
  'tensorflow.random.uniform',
  'tensorflow.matmul',
  'keras.models.load_model',
  'keras.saving.load_model',
]);

/** GPU302: TensorFlow's devices are configured after they are in use. */
export const devicesConfiguredTooLate: Rule = {
  code: 'GPU302',
  name: 'devices-configured-too-late',
  summary: "TensorFlow's GPUs are configured after they have been initialized.",
  reports: 'memory growth or visible devices set after TensorFlow has initialized its GPUs',
  severity: 'warning',
  // The order of execution is known only for the whole program.
  listener: inProgram([configuring], ({ program, aboutFile, matchesOf, report }) => {
    const order = createOrder(program, (expression) => initializes(expression, program));
    for (const { call } of matchesOf(configuring)) {
      const cause = order(call);
      if (!cause) continue;
      const name = `\`${calledName(call)}\``;
      report({
        span: { start: call.func.start, end: call.end },
        level: 'flag',
        reasons: aboutFile,
        message: fitted(
          `${name} fails on machines with a GPU: ${shownCode(program, cause)} already initialized it.`,
          `${name} fails on machines with a GPU: line ${program.placeOf(cause.start).line + 1} already initialized it.`,
        ),
        related: [{ span: spanOf(cause), message: 'The GPUs are initialized here.' }],
        fixes: () => fixesOfLateStatement(program, call, spanOf(cause), 'where the GPUs are initialized'),
      });
    }
  }),
};

const initializes = (expression: Expression, { names }: Program): boolean =>
  expression.kind === 'Call' && names.qualify(expression.func).some((name) => INITIALIZING.has(name));
