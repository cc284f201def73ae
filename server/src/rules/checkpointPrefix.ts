import type { Program } from '../guards/program.ts';
import { spanOf } from '../python/semantic/source.ts';
import type { Call } from '../python/syntax/nodes.ts';
import type { Fix } from './engine/contract.ts';
import { on, type Rule } from './engine/rule.ts';
import type { Selector } from './engine/selector.ts';
import { insertion } from './fixes/placement.ts';
import { isSound } from './fixes/soundness.ts';
import { savedWrapping, WRAPPERS, type Wrapping, wrappingOf } from './queries/wrappings.ts';

interface StateLoad {
  readonly call: Call;
  /** How the model wraps the names of its parameters. */
  readonly model: Wrapping;
  /** How the names in the file are wrapped, and the call that saved them so. */
  readonly file: Wrapping;
  readonly saved: Call;
}

/** Calls of `load_state_dict` with a file whose names are wrapped another way than the model's. */
const mismatches: Selector<StateLoad> = {
  calls: {
    names: new Set(['load_state_dict']),
    resolve(call, program) {
      if (call.func.kind !== 'Attribute' || renamesKeys(program)) return [];
      const model = wrappingOf(call.func.value, program);
      const [state] = call.args;
      const saved = model !== undefined && state ? savedWrapping(state, program) : undefined;
      return model === undefined || saved === undefined || saved.wrapping === model
        ? []
        : [{ call, model, file: saved.wrapping, saved: saved.call }];
    },
  },
  // Without a wrapper both sides are bare.
  triggers: {
    calls: ['torch.nn.DataParallel', 'torch.nn.parallel.DistributedDataParallel', 'torch.compile'],
  },
};

/** GPU105: a state dict was saved from a wrapped model and is loaded into a bare one, or the other way round. */
export const checkpointPrefix: Rule = {
  code: 'GPU105',
  name: 'checkpoint-prefix',
  summary:
    'A state dict is loaded into a model whose parameters have other names: `module.` or `_orig_mod.` before them.',
  reports: '`module.` or `_orig_mod.` before the names of parameters: saved wrapped and loaded bare, or the reverse',
  severity: 'warning',
  listener: on(mismatches, ({ call, model, file, saved }, { program, aboutFile, report }) => {
    report({
      span: { start: call.func.start, end: call.end },
      level: 'flag',
      reasons: aboutFile,
      message: messageOf(model, file),
      related: [{ span: spanOf(saved), message: `Saved ${wrappedBy(file)} here.` }],
      fixes: () => fixesOf(program, call, model, file),
    });
  }),
};

function messageOf(model: Wrapping, file: Wrapping): string {
  if (file === '')
    return `\`load_state_dict\` finds no key: those of the model begin with \`${model}\`, those of the file do not.`;
  const own = model === '' ? 'those of the model do not' : `those of the model with \`${model}\``;
  return `\`load_state_dict\` finds no key: those of the file begin with \`${file}\`, ${own}.`;
}

const wrappedBy = (wrapping: Wrapping) =>
  wrapping === '' ? 'without a wrapper' : `from a model in \`${WRAPPERS[wrapping]}\``;

/** Loads into the model inside of a wrapper. */
function fixesOf(program: Program, call: Call, model: Wrapping, file: Wrapping): Fix[] {
  if (file !== '' || model !== 'module.' || call.func.kind !== 'Attribute' || !isSound(program, call)) return [];
  const edits = [insertion(call.func.value.end, '.module')];
  return [{ title: 'Load into the model inside: `.module.load_state_dict`', tier: 'suggestion', edits }];
}

const RENAMES =
  /removeprefix|consume_prefix_in_state_dict|\breplace\(\s*r?["'](module|_orig_mod)\.|\[\s*(7|len\(["']module\.["']\))\s*:\s*\]|\bsub\(\s*r?["']\^?(module|_orig_mod)/;

/** True for a program that changes such names somewhere. */
const renamesKeys = ({ text }: Program): boolean => RENAMES.test(text);
