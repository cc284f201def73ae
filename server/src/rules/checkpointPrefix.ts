import type { Program } from '../guards/program.ts';
import type { Wrapping } from '../guards/projectView.ts';
import { memoize } from '../python/semantic/memoize.ts';
import { spanOf } from '../python/semantic/source.ts';
import type { Call, Expression, Node, Statement } from '../python/syntax/nodes.ts';
import type { Fix } from './edits/fix.ts';
import { insertion } from './edits/placement.ts';
import type { RelatedPlace } from './engine/contract.ts';
import type { Rule } from './engine/rule.ts';
import type { Selector } from './engine/selector.ts';
import { isSound } from './fixes/soundness.ts';
import { readerCalls } from './queries/readerCalls.ts';
import {
  type LoadedWrapping,
  loadedWrapping,
  type StateSource,
  sourceOfState,
  WRAPPERS,
  wrappingOf,
} from './queries/wrappings.ts';

/** A call of `load_state_dict` that receives the result of a loader. */
interface StateLoad {
  readonly call: Call;
  readonly receiver: Expression;
  readonly source: StateSource;
}

/** These calls in programs that do not rename parameters. */
const stateLoads: Selector<StateLoad> = {
  calls: {
    names: new Set(['load_state_dict']),
    resolve(call, program) {
      const [state] = call.args;
      if (call.func.kind !== 'Attribute' || !state || isTried(call)) return [];
      const source = sourceOfState(state, program);
      return source && !renamesKeys(program) ? [{ call, receiver: call.func.value, source }] : [];
    },
  },
  // Loaders have their own triggers.
  triggers: {},
};

/** GPU105: a state dict is saved from a wrapped model and loaded into a bare one, or the reverse. */
export const checkpointPrefix: Rule = {
  code: 'GPU105',
  name: 'checkpoint-prefix',
  summary: 'A state dict is loaded into a model whose parameter names differ by a prefix: `module.` or `_orig_mod.`.',
  reports: 'a state dict that is saved from a wrapped model and loaded into a bare one, or the reverse',
  severity: 'warning',
  isAboutFiles: true,
  asksProject: (matches) => matches.of(stateLoads).length > 0,
  listener: {
    // This selector makes the engine read the named files before it checks the program.
    selectors: [stateLoads, readerCalls],
    handle({ program, known, aboutFile, matchesOf, report }) {
      for (const { call, receiver, source } of matchesOf(stateLoads)) {
        const model = wrappingOf(receiver, program);
        const file = model === undefined ? undefined : loadedWrapping(source, program, known);
        if (model === undefined || !file || file.wrapping === model) continue;
        report({
          span: { start: call.func.start, end: call.end },
          level: 'flag',
          reasons: aboutFile,
          message: messageOf(model, file.wrapping),
          related: placeOf(file),
          fixes: () => fixesOf(program, call, model, file.wrapping),
        });
      }
    },
  },
};

function placeOf({ wrapping, saved }: LoadedWrapping): RelatedPlace[] {
  if (!saved) return [];
  const message = `Saved ${wrappedBy(wrapping)} here.`;
  return ['path' in saved ? { elsewhere: saved, message } : { span: spanOf(saved), message }];
}

/** True in a `try` whose handlers may load the state in another way. */
function isTried(call: Call): boolean {
  for (let inner: Node = call, at = call.parent; at && at.kind !== 'FunctionDef'; inner = at, at = at.parent)
    if (at.kind === 'Try' && at.handlers.length > 0 && at.body.includes(inner as Statement)) return true;
  return false;
}

function messageOf(model: Wrapping, file: Wrapping): string {
  if (file === '')
    return `\`load_state_dict\` matches no key: the model's keys begin with \`${model}\`, but the file's do not.`;
  const own = model === '' ? "the model's do not" : `the model's with \`${model}\``;
  return `\`load_state_dict\` matches no key: the file's keys begin with \`${file}\`, ${own}.`;
}

const wrappedBy = (wrapping: Wrapping) =>
  wrapping === '' ? 'without a wrapper' : `from a model in \`${WRAPPERS[wrapping]}\``;

/** Returns the fix that loads into the wrapped model. */
function fixesOf(program: Program, call: Call, model: Wrapping, file: Wrapping): Fix[] {
  if (file !== '' || model !== 'module.' || call.func.kind !== 'Attribute' || !isSound(program, call)) return [];
  const edits = [insertion(call.func.value.end, '.module')];
  return [{ title: 'Load into the wrapped model: `.module.load_state_dict`', tier: 'suggestion', edits }];
}

const RENAMES =
  /removeprefix|startswith\(\s*["'](module|_orig_mod)|consume_prefix_in_state_dict|\breplace\(\s*r?["'](module|_orig_mod)\.|\[\s*(7|len\(["']module\.["']\))\s*:\s*\]|\bsub\(\s*r?["']\^?(module|_orig_mod)/;

/** True for a program that tests or changes prefixed names anywhere. */
const renamesKeys = memoize(({ text }: Program): boolean => RENAMES.test(text));
