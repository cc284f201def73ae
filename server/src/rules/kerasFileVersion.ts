import type { Rule } from './engine/contract.ts';
import { kerasRefusal } from './queries/kerasVersions.ts';
import { usesLegacyKeras } from './queries/legacyKeras.ts';
import { readingsIn, shownPath } from './queries/readerCalls.ts';
import { isTestFile } from './queries/testFile.ts';

/** GPU504: a Keras model was written by a version that the installed one does not load. */
export const kerasFileVersion: Rule = {
  code: 'GPU504',
  name: 'keras-file-version',
  summary: 'A Keras model was written by a version that the installed Keras does not load.',
  severity: 'error',
  replaces: ['GPU301'],
  isAboutFiles: true,
  check(program, report, known) {
    const installed = known.here?.keras;
    if (!installed || usesLegacyKeras(program)) return;
    const isTest = isTestFile(program.source.path);
    for (const reading of readingsIn(program, known)) {
      const { call, files, reader, isHandled } = reading;
      if (isHandled || !reader.name.startsWith('keras.')) continue;
      const models = files.filter(({ summary: { format, holds } }) => format !== 'saved-model' && holds !== 'weights');
      const refusals = models.map(({ summary }) => kerasRefusal(summary, installed));
      const [refusal] = refusals;
      if (models.length < files.length || refusal === undefined || refusals.includes(undefined)) continue;
      report({
        span: { start: call.func.start, end: call.end },
        verdict: isTest ? 'hint' : 'flag',
        message: `${shownPath(reading)} does not load here: ${refusal}.`,
      });
    }
  },
};
