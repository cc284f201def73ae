import { argumentFor } from '../python/callee.ts';
import type { Program } from '../python/program.ts';
import type { Argument, Call, Expression } from '../python/syntax.ts';
import type { Facts, Rule } from './contract.ts';
import { fixesOfLoad } from './fixes/mapLocation.ts';
import { loadersOf } from './loaderCalls.ts';
import { createSavedPaths } from './savedPaths.ts';
import { isTestFile } from './testFile.ts';

/** GPU101: a loader restores tensors to the device that they were saved on. */
export const torchLoadMapLocation: Rule = {
  code: 'GPU101',
  name: 'torch-load-map-location',
  summary: 'A checkpoint is loaded onto the device that it was saved on.',
  severity: 'warning',
  check(program, report, facts) {
    const isTest = isTestFile(program.source.path);
    const saved = createSavedPaths(program);
    const own = facts.loaders ?? [];
    for (const call of program.flow.calls) {
      saved.visit(call);
      const found = loadersOf(call, program, own).find(
        ({ loader }) => loader.rule === 'GPU101' || own.includes(loader),
      );
      if (!found) continue;
      const { loader, args } = found;
      const { argument, maybe } = argumentFor(args, loader['device-parameter'], loader.position);
      const isNone = argument?.value.kind === 'Constant' && argument.value.value === null;
      if (maybe || (argument && !isNone) || args.some((arg) => arg.star === '**')) continue;
      if (holdsOnlyCpu(args, program, facts)) continue;
      const isHint =
        isTest ||
        loader.trap === 'url' ||
        program.guards.evidenceAt(call.facts).level !== 'none' ||
        becomesNumpy(call, program) ||
        saved.has(args[0]?.value);
      report({
        span: { start: call.func.start, end: call.end },
        verdict: isHint ? 'hint' : 'flag',
        message: `\`${program.text.slice(call.func.start, call.func.end)}\` without \`${loader['device-parameter']}\` restores tensors to the device they were saved on, and fails where that device is missing.`,
        fixes: () => fixesOfLoad(program, call, loader['device-parameter'], argument, isHint, facts),
      });
    }
  },
};

/** True when the path is one literal, and the checkpoint that it names was saved from the CPU. */
function holdsOnlyCpu(args: readonly Argument[], program: Program, facts: Facts): boolean {
  if (!facts.devicesOf) return false;
  const path = args.map(({ value }) => onlyText(value, program)).find((text) => text !== undefined);
  return path !== undefined && facts.devicesOf(path)?.every((device) => device === 'cpu') === true;
}

/** The text that an expression always has; what an option or a caller may change has none. */
function onlyText(expression: Expression, program: Program): string | undefined {
  const [literal, ...others] = program.values.literalsOf(expression);
  return others.length === 0 && literal && !literal.isDefault && typeof literal.value === 'string'
    ? literal.value
    : undefined;
}

/** `torch.load(f).numpy()`, `torch.from_numpy(torch.load(f))` */
function becomesNumpy(call: Call, program: Program): boolean {
  const around = call.parent;
  if (around?.kind === 'Attribute' && around.attr === 'numpy') return around.parent?.kind === 'Call';
  const outer = around?.kind === 'Argument' ? around.parent : undefined;
  return outer?.kind === 'Call' && program.names.qualify(outer.func).includes('torch.from_numpy');
}
