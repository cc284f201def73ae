import { escapeMarkdown } from '../../markdown.ts';
import { oneLine } from '../../printable.ts';
import type { PlanStep, Way } from '../remedies/remedyPlan.ts';

/** The remedy plan as Markdown: the steps in order, each with its alternatives. */
export function planMarkdown(plan: readonly PlanStep[]): string[] {
  if (plan.length === 0) return [];
  const steps = plan.flatMap((step, at) => [
    ...wayMarkdown(step.do, plan.length > 1 ? `${at + 1}. ` : ''),
    ...step.or.flatMap((way) => wayMarkdown(way, 'Or: ')),
  ]);
  return ['## What to do', '', ...steps];
}

/** The same as plain text. */
export function planText(plan: readonly PlanStep[]): string[] {
  if (plan.length === 0) return [];
  const steps = plan.flatMap((step, at) => [
    ...wayText(step.do, plan.length > 1 ? `${at + 1}. ` : ''),
    ...step.or.flatMap((way) => wayText(way, 'Or: ')),
  ]);
  return ['What to do', ...steps, ''];
}

/** A way as Markdown; `before` precedes its first line. */
export function wayMarkdown(way: Way, before = ''): string[] {
  return way.flatMap(({ title, command }, at) => [
    `${at === 0 ? before.replace('.', '\\.') : ''}${escapeMarkdown(title)}${command === undefined ? '.' : ':'}`,
    '',
    ...(command === undefined ? [] : ['```sh', oneLine(command), '```', '']),
  ]);
}

export function wayText(way: Way, before = ''): string[] {
  return way.flatMap(({ title, command }, at) => [
    `  ${at === 0 ? before : ''}${oneLine(title)}${command === undefined ? '.' : ':'}`,
    ...(command === undefined ? [] : [`    ${oneLine(command)}`]),
  ]);
}
