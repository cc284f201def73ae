import type { Program } from '../guards/program.ts';
import { importsFramework } from '../published/knownPackages.ts';
import { argumentsOf, callTaking } from '../python/semantic/arguments.ts';
import { type StringLiteral, stringOf } from '../python/semantic/literals.ts';
import { spanOf } from '../python/semantic/source.ts';
import type { Expression, Statement } from '../python/syntax/nodes.ts';
import { on, type Rule } from './engine/rule.ts';
import type { Selector } from './engine/selector.ts';
import { fixesOfLateStatement } from './fixes/lateStatement.ts';
import { doneBefore, statementAround } from './queries/blocks.ts';

const VARIABLE = 'KERAS_BACKEND';
/** True for modules that import Keras, which reads the variable once, on import. */
function isOfKeras(module: string): boolean {
  const [root = ''] = module.split('.');
  return root === 'keras' || importsFramework(root, 'keras');
}

interface BackendSetting {
  /** The expression that is evaluated when the variable is set. */
  readonly node: Expression;
  /** The statement around it. */
  readonly statement: Statement;
  readonly value: Expression;
}

const backendSettings: Selector<BackendSetting> = {
  strings: { values: new Set([VARIABLE]), resolve: (string, program) => settingBy(string, program) },
  triggers: { words: [VARIABLE] },
};

/** GPU303: `KERAS_BACKEND` is set after Keras has been imported. */
export const backendSetTooLate: Rule = {
  code: 'GPU303',
  name: 'backend-set-too-late',
  summary: 'KERAS_BACKEND is set after Keras has been imported.',
  reports: '`KERAS_BACKEND` set after Keras has read it',
  severity: 'warning',
  listener: on(backendSettings, ({ node, statement, value }, { program, aboutFile, report }) => {
    const cause = doneBefore(program, node, importsKeras);
    if (!cause) return;
    // Keras uses TensorFlow by default.
    const isUsual = stringOf(value) === 'tensorflow';
    report({
      span: spanOf(statement),
      level: 'flag',
      reasons: [
        ...aboutFile,
        ...(isUsual ? [{ because: "TensorFlow is Keras's default backend", at: spanOf(value) }] : []),
      ],
      message: 'This `KERAS_BACKEND` has no effect: Keras, which reads it on import, has already been imported.',
      related: [{ span: spanOf(cause), message: 'Keras is imported here.' }],
      fixes: () => fixesOfLateStatement(program, node, cause, 'where Keras is imported'),
    });
  }),
};

function importsKeras(statement: Statement): boolean {
  if (statement.kind === 'Import') return statement.names.some(({ name }) => isOfKeras(name));
  return statement.kind === 'ImportFrom' && statement.level === 0 && isOfKeras(statement.module ?? '');
}

/** `os.environ["KERAS_BACKEND"] = "jax"`, `os.environ.setdefault("KERAS_BACKEND", "jax")` */
function settingBy(string: StringLiteral, { names }: Program): BackendSetting[] {
  const statement = statementAround(string);
  const around = string.parent;
  if (!statement) return [];
  if (around?.kind === 'Subscript') {
    const isSet = statement.kind === 'Assign' && statement.targets.length === 1 && statement.targets[0] === around;
    if (!isSet || !names.qualify(around.value).includes('os.environ')) return [];
    return [{ node: around, statement, value: statement.value }];
  }
  const call = callTaking(string);
  const value = call && argumentsOf(call)[1]?.value;
  const isSet =
    call && names.qualify(call.func).some((name) => name === 'os.environ.setdefault' || name === 'os.putenv');
  return isSet && value && statement.kind === 'Expr' ? [{ node: call, statement, value }] : [];
}
