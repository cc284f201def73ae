import type { Verdict } from '../diagnosis/judgeStack.ts';
import type { StackSummary } from '../diagnosis/readout/summary.ts';
import { type PlanStep, planOf, waysOf } from '../diagnosis/remedies/remedyPlan.ts';
import type { Remedy } from '../diagnosis/remedy.ts';
import { oneLine } from '../printable.ts';
import { type MenuEntry, type MenuFinding, REPAIR_STACK, type StackMenu } from '../protocol.ts';
import { trialOf } from '../repair/trials.ts';

/** Returns the menu for a stack: the actions for each diagnosis, then those that always apply. */
export function stackMenu(
  { text, missing }: StackSummary,
  verdicts: readonly Verdict[],
  python: string | undefined,
): StackMenu {
  const plan = planOf(verdicts);
  const entries = [...(missing === 'trust' ? [TRUST] : []), ...ALWAYS];
  return { title: text, findings: verdicts.map((verdict) => menuFinding(verdict, plan, python)), entries };
}

const TRUST = command('Manage Workspace Trust', 'shield', 'workbench.trust.manage');

const ALWAYS: readonly MenuEntry[] = [
  command('Open Full Report', 'book', 'gpuDoctor.openReport'),
  command('Refresh GPU Stack', 'refresh', 'gpuDoctor.refreshStack'),
  command('Run GPU Smoke Test', 'beaker', 'gpuDoctor.smokeTest'),
  command('Plan Environment', 'checklist', 'gpuDoctor.planEnvironment'),
  command('Record This Stack', 'save', 'gpuDoctor.recordStack'),
  command('Select Python Interpreter', 'symbol-namespace', 'gpuDoctor.selectInterpreter'),
];

function command(label: string, icon: string, id: string): MenuEntry {
  return { label, icon, action: { kind: 'command', command: id } };
}

function repairIn(python: string): MenuEntry {
  return {
    label: 'Repair in a copy',
    detail: 'Tries the remedies in copies of the environment, and computes with its frameworks there',
    icon: 'wand',
    action: { kind: 'command', command: REPAIR_STACK, argument: python },
  };
}

/** Returns the remedies for a diagnosis in the plan. Diagnoses that are only informational are not part of the plan. */
function remediesOf({ id, severity, remedies }: Verdict, plan: readonly PlanStep[]): readonly Remedy[] {
  if (severity === 'information') return remedies;
  return plan.filter(({ solves }) => solves.includes(id)).flatMap((step) => [...step.do, ...step.or.flat()]);
}

function menuFinding(verdict: Verdict, plan: readonly PlanStep[], python: string | undefined): MenuFinding {
  const { severity, finding, page } = verdict;
  const entries = remediesOf(verdict, plan).flatMap(({ title, command }): MenuEntry[] => {
    if (command === undefined) return [{ label: title, icon: 'lightbulb', action: { kind: 'page', address: page } }];
    // A line ending would run a command that the user should check first.
    const text = oneLine(command);
    return [
      {
        // The effect comes first, since the list cuts off long titles.
        label: `Insert in terminal: ${title}`,
        detail: text,
        icon: 'terminal',
        action: { kind: 'terminal', text },
      },
      { label: `Copy command: ${title}`, detail: text, icon: 'copy', action: { kind: 'copy', text } },
    ];
  });
  const more: MenuEntry = { label: 'Explain this finding', icon: 'book', action: { kind: 'page', address: page } };
  const canRepair =
    python !== undefined && severity !== 'information' && waysOf(verdict.remedies).some((way) => trialOf(way));
  return { severity, finding, entries: [...entries, ...(canRepair ? [repairIn(python)] : []), more] };
}
