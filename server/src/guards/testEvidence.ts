/** Evidence about GPUs in the outcome of a test: guards 1 to 3, through any number of assignments. */

import { lastPartOf } from '../python/semantic/accessPaths.ts';
import type { Reference } from '../python/semantic/annotations.ts';
import { returnedBy } from '../python/semantic/functionBodies.ts';
import { isBoolean, isNumber, stringOf } from '../python/semantic/literals.ts';
import type { NameResolution } from '../python/semantic/nameResolution.ts';
import type { PathConditions } from '../python/semantic/pathConditions.ts';
import { type Definition, enclosingClass } from '../python/semantic/scopes.ts';
import type { Values } from '../python/semantic/values.ts';
import type { Attribute, Call, Expression, FunctionDef } from '../python/syntax/nodes.ts';
import type { Assumption } from './assumption.ts';
import { AVAILABLE, COUNTS, INITIALIZED, isCudaTensorType, listsGpus, TRANSPARENT } from './availability.ts';
import { createComparisons, namesCuda } from './comparisons.ts';
import {
  both,
  DISTRIBUTED,
  type Evidence,
  either,
  GUARD,
  IMPOSSIBLE,
  isImpossible,
  NO_EVIDENCE,
  OPT_OUT,
  WEAK,
} from './evidence.ts';
import type { ExportedName } from './projectView.ts';
import { asksForDistributed, asksForGpu, isDistributedSwitch, switchKind } from './switches.ts';

/** Names that the project declares to mean "a GPU is available". */
export interface GuardNames {
  readonly decorators: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
}

/** Maximum number of steps from tests through assignments to further tests; beyond this, there is no evidence. */
const MAX_STEPS = 3000;
/** Maximum depth of definitions that are followed. */
const MAX_DEPTH = 100;

interface TestEvidence {
  /** Returns the evidence that the outcome of a test establishes. */
  ofTest(test: Expression, truth: boolean, assumed?: Assumption): Evidence;
  /** Returns the evidence that a true or false result of a function establishes. */
  ofReturns(declaration: FunctionDef, truth: boolean): Evidence;
}

/**
 * Creates the evaluation of tests. `evidenceAt` returns the evidence at a definition: a flag that is only set under a
 * guard is itself a guard. `exported` resolves names from other files of the project.
 */
export function createTestEvidence(
  names: NameResolution,
  values: Values,
  guardNames: GuardNames,
  evidenceAt: (conditions: PathConditions) => Evidence,
  exported: (dotted: string) => ExportedName | undefined,
): TestEvidence {
  /** The evidence of a test if it is false, and if it is true. */
  const known = new Map<Expression, [Evidence | undefined, Evidence | undefined]>();
  const active = new Set<Definition | FunctionDef>();

  let assumption: Assumption | undefined;
  let steps = 0;

  const outcome = (test: Expression, truth: boolean): Evidence => {
    if (assumption) return judge(test, truth);
    const slot = known.get(test) ?? [undefined, undefined];
    const before = slot[truth ? 1 : 0];
    if (before) return before;
    const found = judge(test, truth);
    // A result found while following definitions may depend on a cycle, so it is not cached.
    if (active.size === 0) {
      slot[truth ? 1 : 0] = found;
      known.set(test, slot);
    }
    return found;
  };

  const judge = (test: Expression, truth: boolean): Evidence => {
    if (++steps > MAX_STEPS) return NO_EVIDENCE;
    switch (test.kind) {
      case 'Constant':
        if (test.type === 'bool' || test.type === 'None' || isNumber(test))
          return Boolean(test.value) === truth ? NO_EVIDENCE : IMPOSSIBLE;
        return NO_EVIDENCE;
      case 'UnaryOp':
        return test.op === 'not' ? outcome(test.operand, !truth) : NO_EVIDENCE;
      case 'BoolOp': {
        const join = (test.op === 'and') === truth ? both : either;
        const isChecked = test.op === 'and' && !truth && test.values.some((value) => !isAttributeCheck(value));
        const values = isChecked ? test.values.filter((value) => !isAttributeCheck(value)) : test.values;
        return values.map((value) => outcome(value, truth)).reduce(join);
      }
      case 'BinOp': {
        if (test.op !== '&' && test.op !== '|') return NO_EVIDENCE;
        const left = outcome(test.left, truth);
        const right = outcome(test.right, truth);
        return (test.op === '&') === truth ? both(left, right) : either(left, right);
      }
      case 'IfExp':
        return either(
          both(outcome(test.test, true), outcome(test.body, truth)),
          both(outcome(test.test, false), outcome(test.orelse, truth)),
        );
      case 'NamedExpr':
        return outcome(test.value, truth);
      case 'Compare':
        return comparison(test, truth);
      case 'Call':
        return call(test, truth);
      case 'Name':
      case 'Attribute':
      case 'Subscript':
        return use(test, truth);
      case 'ListComp':
      case 'SetComp':
      case 'GeneratorExp':
      case 'DictComp': {
        // A non-empty result means that an element satisfied the conditions.
        const conditions = test.generators.flatMap(({ ifs, iter }) => [iter, ...ifs]);
        return truth
          ? conditions.reduce((sum, condition) => both(sum, outcome(condition, true)), NO_EVIDENCE)
          : NO_EVIDENCE;
      }
      default:
        return NO_EVIDENCE;
    }
  };

  // Names, attributes, items

  const use = (test: Reference, truth: boolean): Evidence => {
    const last = lastPartOf(test);
    if (test.kind === 'Attribute' && last === 'is_cuda') return truth ? GUARD : NO_EVIDENCE;
    const definitions = names.definitionsOf(test);
    const found =
      definitions.length === 0 && test.kind === 'Attribute'
        ? inheritedEvidence(test, truth)
        : fromDefinitions(definitions, (definition) => definitionEvidence(definition, truth));
    // A setting whose only value is off does not count as evidence: the user may switch it on.
    const derived = isImpossible(found) ? NO_EVIDENCE : found;
    return both(derived, switchEvidence(test, last, truth, definitions, derived));
  };

  const fromDefinitions = (
    definitions: readonly Definition[],
    judgeOne: (definition: Definition) => Evidence,
  ): Evidence => {
    if (active.size > MAX_DEPTH) return NO_EVIDENCE;
    let sum: Evidence | undefined;
    for (const definition of definitions) {
      if (active.has(definition)) continue;
      active.add(definition);
      const one = judgeOne(definition);
      active.delete(definition);
      sum = sum ? either(sum, one) : one;
    }
    return sum ?? NO_EVIDENCE;
  };

  const definitionEvidence = (definition: Definition, truth: boolean): Evidence => {
    if (definition.kind === 'import') return importEvidence(definition.qualified, truth);
    if (definition.kind !== 'value' || !definition.value) return NO_EVIDENCE;
    const value = outcome(definition.value, truth);
    if (isImpossible(value)) return value;
    return [definition.conditions, ...definition.laterConditions].reduce<Evidence>(
      (sum, conditions) => both(sum, evidenceAt(conditions)),
      value,
    );
  };

  const importEvidence = (dotted: string | undefined, truth: boolean): Evidence => {
    const name = dotted === undefined ? undefined : exported(dotted);
    return name ? (truth ? name.whenTrue : name.whenFalse) : NO_EVIDENCE;
  };

  /** The evidence of `self.x` that a base class in another file sets. */
  const inheritedEvidence = (test: Attribute, truth: boolean): Evidence => {
    if (test.value.kind !== 'Name' || test.value.id !== 'self') return NO_EVIDENCE;
    const bases = enclosingClass(names.scopeOf(test))?.bases ?? [];
    const found = bases.flatMap((base) =>
      names.qualify(base).map((name) => importEvidence(`${name}.${test.attr}`, truth)),
    );
    return found.reduce(both, NO_EVIDENCE);
  };

  const switchEvidence = (
    test: Reference,
    last: string | undefined,
    truth: boolean,
    definitions: readonly Definition[],
    derived: Evidence,
  ): Evidence => {
    if (last === undefined) return NO_EVIDENCE;
    if (guardNames.variables.has(last)) return truth ? GUARD : NO_EVIDENCE;
    if (truth && isDistributedSwitch(last)) return DISTRIBUTED;
    const kind = switchKind(last);
    if (!kind || isTorchModule(test)) return NO_EVIDENCE;
    if (kind === 'off') return truth ? NO_EVIDENCE : OPT_OUT;
    if (!truth) return NO_EVIDENCE;
    if (derived.level === 'weak') return NO_EVIDENCE;
    return isOnByDefault(test, definitions) ? OPT_OUT : GUARD;
  };

  const isTorchModule = (test: Reference): boolean =>
    names.qualify(test).some((name) => /^(torch|torch\.cuda|torch\.backends\.cuda)$/.test(name));

  /** True if the user has to opt out: `store_false`, `default=True`, a parameter or a constant that is `True`. */
  const isOnByDefault = (test: Reference, definitions: readonly Definition[]): boolean => {
    const isOn = (value: Expression | undefined) =>
      isBoolean(value, true) || (isNumber(value) && Number(value.value) === 1);
    if (definitions.some((definition) => definition.kind !== 'element' && isOn(definition.value))) return true;
    return values.optionsOf(test).some((option) => option.action === 'store_false' || isOn(option.default));
  };

  // Calls

  const call = (test: Call, truth: boolean): Evidence => {
    const qualified = names.qualify(test.func);
    const [first] = test.args;
    if (qualified.some((name) => AVAILABLE.has(name) || COUNTS.has(name))) return truth ? GUARD : NO_EVIDENCE;
    if (listsGpus(test, names)) return truth ? GUARD : NO_EVIDENCE;
    if (qualified.some((name) => INITIALIZED.has(name))) return truth ? WEAK : NO_EVIDENCE;
    if (test.func.kind === 'Name' && test.func.id === 'range') {
      const end = test.args[test.args.length > 1 ? 1 : 0];
      return end ? outcome(end, truth) : NO_EVIDENCE;
    }
    if (test.func.kind === 'Name' && TRANSPARENT.has(test.func.id) && first) {
      const isAny = test.func.id === 'any' && (first.kind === 'GeneratorExp' || first.kind === 'ListComp');
      return isAny && truth ? both(outcome(first, true), outcome(first.elt, true)) : outcome(first, truth);
    }
    if (test.func.kind === 'Attribute' && test.func.attr === 'startswith')
      return truth && namesCuda(first) ? GUARD : NO_EVIDENCE;
    const item = itemOf(test);
    if (item !== undefined)
      return switchKind(item) === 'on'
        ? truth
          ? GUARD
          : NO_EVIDENCE
        : switchKind(item) === 'off' && !truth
          ? OPT_OUT
          : NO_EVIDENCE;
    if (isLiteralCheck(test)) {
      // `isinstance(x, torch.cuda.FloatTensor)` is equivalent to `x.is_cuda`.
      const [, type] = test.args;
      const isCudaType = type !== undefined && names.qualify(type).some(isCudaTensorType);
      return isCudaType && truth ? GUARD : NO_EVIDENCE;
    }
    const declaration = names.declarationOf(test.func);
    if (declaration?.kind === 'FunctionDef') {
      const returned = ofReturns(declaration, truth);
      if (returned.level !== 'none') return returned;
    }
    for (const name of qualified) {
      const returned = importEvidence(name, truth);
      if (returned.level !== 'none') return returned;
    }
    const last = test.func.kind === 'Name' || test.func.kind === 'Attribute' ? lastPartOf(test.func) : undefined;
    if (last === undefined || qualified.some((name) => name.startsWith('torch.'))) return NO_EVIDENCE;
    if (guardNames.functions.has(last) || qualified.some((name) => guardNames.functions.has(name)))
      return truth ? GUARD : NO_EVIDENCE;
    // `is_torch_cuda_available()`, `has_gpu()`: a function named after the question.
    if (truth && asksForDistributed(last)) return DISTRIBUTED;
    if (truth && asksForGpu(last)) return GUARD;
    return NO_EVIDENCE;
  };

  /** The key of `config.get("gpu")`, `os.environ.get("USE_CUDA")` or `getattr(args, "gpu")`. */
  const itemOf = (test: Call): string | undefined => {
    const isGet = test.func.kind === 'Attribute' && (test.func.attr === 'get' || test.func.attr === 'getenv');
    const isGetattr = test.func.kind === 'Name' && (test.func.id === 'getattr' || test.func.id === 'getenv');
    if (!isGet && !isGetattr) return undefined;
    return test.args.flatMap((arg) => stringOf(arg) ?? [])[0];
  };

  const isLiteralCheck = (test: Call): boolean =>
    test.func.kind === 'Name' && (test.func.id === 'hasattr' || test.func.id === 'isinstance');

  /** The evidence of a call of a function in the program, from its return values. */
  const ofReturns = (declaration: FunctionDef, truth: boolean): Evidence => {
    if (active.has(declaration)) return NO_EVIDENCE;
    active.add(declaration);
    let sum: Evidence | undefined;
    for (const value of returnedBy(declaration)) {
      const one = value ? both(outcome(value, truth), NO_EVIDENCE) : truth ? IMPOSSIBLE : NO_EVIDENCE;
      sum = sum ? either(sum, one) : one;
    }
    active.delete(declaration);
    return sum ?? NO_EVIDENCE;
  };

  const { comparison } = createComparisons(names, outcome, active, () => assumption);

  return {
    ofTest(test, truth, assumed) {
      if (active.size === 0) steps = 0;
      const before = assumption;
      assumption = assumed;
      const found = outcome(test, truth);
      assumption = before;
      return found;
    },
    ofReturns(declaration, truth) {
      if (active.size === 0) steps = 0;
      return ofReturns(declaration, truth);
    },
  };
}

/** `hasattr(device, "type")`, which only protects the test beside it. */
const isAttributeCheck = (test: Expression): boolean =>
  test.kind === 'Call' && test.func.kind === 'Name' && test.func.id === 'hasattr';
