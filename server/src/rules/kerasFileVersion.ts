import type { Program } from '../guards/program.ts';
import { h5pyRefusal, kerasRefusal, lambdaRefusal } from '../loading/kerasVersions.ts';
import { argumentFor } from '../python/semantic/arguments.ts';
import { isBoolean } from '../python/semantic/literals.ts';
import { message, quoted, withCause } from './engine/message.ts';
import { on, type Rule } from './engine/rule.ts';
import { kerasOf } from './queries/legacyKeras.ts';
import { quotedPath, type Reading, readings } from './queries/readerCalls.ts';

/** GPU504: a Keras model was saved by a version that the installed Keras cannot load. */
export const kerasFileVersion: Rule = {
  code: 'GPU504',
  name: 'keras-file-version',
  summary: 'A Keras model was saved by a version that the installed Keras cannot load.',
  reports: 'a Keras model saved by a version that the installed Keras cannot load',
  severity: 'error',
  outranks: { GPU301: 'omitted' },
  isAboutFiles: true,
  listener: on(readings, (reading, { program, known, aboutFile, report }) => {
    const { here } = known;
    const installed = here && kerasOf(program, here);
    const { call, files, reader, isHandled } = reading;
    if (!installed || isHandled || !reader.name.startsWith('keras.')) return;
    const models = files.filter(({ summary: { format, holds } }) => format !== 'saved-model' && holds !== 'weights');
    const compile = argumentFor(reading.args, 'compile', 2).argument?.value;
    const compiles = compile === undefined || isBoolean(compile, true);
    const isUnsafe = mayRunCode(reading, program);
    const refusals = models.map(
      ({ summary }) =>
        kerasRefusal(summary, installed, { compiles }) ??
        (isUnsafe ? undefined : lambdaRefusal(summary, installed)) ??
        h5pyRefusal(summary, here, installed),
    );
    const [refusal] = refusals;
    if (models.length < files.length || refusal === undefined || refusals.includes(undefined)) return;
    const span = { start: call.func.start, end: call.end };
    const found = withCause(
      span,
      [message`${quoted(quotedPath(reading))} does not load.`, 'This model does not load.'],
      refusal.because,
    );
    const remedy = refusal.remedy === undefined ? [] : [{ span, message: refusal.remedy }];
    report({ span, level: 'flag', reasons: aboutFile, ...found, related: [...found.related, ...remedy] });
  }),
};

/** True if Keras runs, or may run, code in the file. */
function mayRunCode({ args }: Reading, { text }: Program): boolean {
  const safe = argumentFor(args, 'safe_mode', undefined).argument?.value;
  return (safe !== undefined && !isBoolean(safe, true)) || text.includes('enable_unsafe_deserialization');
}
