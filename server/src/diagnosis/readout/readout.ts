import { codeSpan, escapeMarkdown } from '../../markdown.ts';
import { oneLine } from '../../printable.ts';
import type { StackFacts } from '../../stack/facts/facts.ts';
import type { Verdict } from '../judgeStack.ts';
import { type PlanStep, planOf, type Way, waysOf } from '../remedies/remedyPlan.ts';
import { describeStack, type Row } from './describe.ts';
import { summarizeStack } from './summary.ts';

/** The sentence for a stack without diagnoses. */
function noConflicts(facts: StackFacts): string {
  return summarizeStack(facts, []).missing === 'trust'
    ? 'Python and its packages were not read (Restricted Mode).'
    : 'No conflicts found.';
}

/** The read-out as a Markdown document, for the editor. */
export function stackMarkdown(facts: StackFacts, verdicts: readonly Verdict[]): string {
  const lines = ['# GPU stack', '', `**${escapeMarkdown(summarizeStack(facts, verdicts).text)}**`, ''];
  if (verdicts.length === 0) lines.push(noConflicts(facts), '');
  for (const { severity, finding, why, remedies, page } of verdicts) {
    lines.push(`## ${title(severity)}: ${escapeMarkdown(finding)}`, '');
    for (const { fact, source } of why) lines.push(`- ${escapeMarkdown(fact)} (${codeSpan(source)})`);
    lines.push('');
    if (severity === 'information') lines.push(...waysOf(remedies).flatMap((way) => wayMarkdown(way)));
    lines.push(`[What this means](${page})`, '');
  }
  lines.push(...planMarkdown(planOf(verdicts)));
  for (const section of describeStack(facts)) {
    lines.push(`## ${section.title}`, '', '| | | read from |', '|---|---|---|');
    for (const { label, value, source } of section.rows) {
      lines.push(
        `| ${escapeMarkdown(label)} | ${escapeMarkdown(value)} | ${source === null ? '' : codeSpan(source).replaceAll('|', '\\|')} |`,
      );
    }
    lines.push('');
  }
  return lines.join('\n');
}

/** The read-out as plain text without colors, for the terminal. */
export function stackText(facts: StackFacts, verdicts: Verdict[]): string {
  const lines = [oneLine(summarizeStack(facts, verdicts).text), ''];
  if (verdicts.length === 0) lines.push(noConflicts(facts), '');
  for (const { severity, finding, why, remedies, page } of verdicts) {
    lines.push(`${title(severity)}: ${oneLine(finding)}`);
    for (const { fact, source } of why) lines.push(`  - ${oneLine(fact)} [${oneLine(source)}]`);
    if (severity === 'information') lines.push(...waysOf(remedies).flatMap((way) => wayText(way)));
    lines.push(`  More: ${page}`, '');
  }
  lines.push(...planText(planOf(verdicts)));
  const sections = describeStack(facts);
  const width = Math.max(...sections.flatMap(({ rows }) => rows.map(({ label }) => label.length)));
  for (const { title: heading, rows } of sections) {
    lines.push(heading, ...rows.map((row) => `  ${textRow(row, width)}`), '');
  }
  return lines.join('\n');
}

function textRow({ label, value, source }: Row, width: number): string {
  const from = source === null || value.includes(source) ? '' : ` [${oneLine(source)}]`;
  return `${label.padEnd(width)}  ${oneLine(value)}${from}`;
}

function title(severity: Verdict['severity']): string {
  return { error: 'Error', warning: 'Warning', information: 'Note' }[severity];
}

/** The remedy plan as Markdown: the steps in order, each with its alternatives. */
function planMarkdown(plan: readonly PlanStep[]): string[] {
  if (plan.length === 0) return [];
  const steps = plan.flatMap((step, at) => [
    ...wayMarkdown(step.do, plan.length > 1 ? `${at + 1}. ` : ''),
    ...step.or.flatMap((way) => wayMarkdown(way, 'Or: ')),
  ]);
  return ['## What to do', '', ...steps];
}

/** The same as plain text. */
function planText(plan: readonly PlanStep[]): string[] {
  if (plan.length === 0) return [];
  const steps = plan.flatMap((step, at) => [
    ...wayText(step.do, plan.length > 1 ? `${at + 1}. ` : ''),
    ...step.or.flatMap((way) => wayText(way, 'Or: ')),
  ]);
  return ['What to do', ...steps, ''];
}

/** A way as Markdown; `before` precedes its first line. */
function wayMarkdown(way: Way, before = ''): string[] {
  return way.flatMap(({ title, command }, at) => [
    `${at === 0 ? before.replace('.', '\\.') : ''}${escapeMarkdown(title)}${command === undefined ? '.' : ':'}`,
    '',
    ...(command === undefined ? [] : ['```sh', oneLine(command), '```', '']),
  ]);
}

function wayText(way: Way, before = ''): string[] {
  return way.flatMap(({ title, command }, at) => [
    `  ${at === 0 ? before : ''}${oneLine(title)}${command === undefined ? '.' : ':'}`,
    ...(command === undefined ? [] : [`    ${oneLine(command)}`]),
  ]);
}
