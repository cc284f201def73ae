import type { ExplainedRemedy, Explanation, Suspicion } from '../explain/explanation.ts';
import type { Paint } from './paint.ts';
import { visible } from './text.ts';

const MARKS = { confirmed: '✔', possible: '?', 'ruled-out': '✘' } as const;
const WORDS = { confirmed: 'confirmed', possible: 'possible', 'ruled-out': 'ruled out' } as const;

/** Explanations as a person reads them in a terminal; the first in full, of the others what they are. */
export function explanationText([first, ...others]: readonly Explanation[], paint: Paint): string {
  if (!first) return '';
  const lines = [paint('bold', first.title), `  ${paint('dim', visible(first.message))}`];
  if (first.location) lines.push(`  ${paint('dim', `at ${visible(placeOf(first.location))}`)}`);
  lines.push('', first.meaning);
  if (first.causes.length > 0) lines.push('', paint('bold', 'Why'));
  for (const { text, standing, evidence } of first.causes) {
    const mark = standing === 'confirmed' ? paint('green', MARKS[standing]) : paint('dim', MARKS[standing]);
    lines.push(
      `  ${mark} ${standing === 'ruled-out' ? paint('dim', text) : text} ${paint('dim', `(${WORDS[standing]})`)}`,
    );
    for (const each of evidence) lines.push(`      ${paint('dim', visible(each))}`);
  }
  if (first.remedies.length > 0) lines.push('', paint('bold', 'What to do'));
  for (const [index, remedy] of first.remedies.entries()) {
    lines.push(
      `  ${index + 1}. ${remedy.title}`,
      ...writtenIn(remedy).map((line) => `     ${paint('cyan', visible(line))}`),
    );
  }
  if (first.checks.length > 0) lines.push('', paint('bold', 'To tell which it is'));
  for (const { title, command } of first.checks) lines.push(`  ${title}:`, `     ${paint('cyan', command)}`);
  if (others.length > 0) lines.push('', paint('bold', 'Also in this text'));
  for (const { title, meaning } of others) lines.push(`  ${title}: ${meaning}`);
  return `${lines.join('\n')}\n\n${paint('dim', first.url)}\n`;
}

function placeOf({ file, line, code }: NonNullable<Explanation['location']>): string {
  return `${file}${line === null ? '' : `:${line}`}${code === null ? '' : `: ${code}`}`;
}

function writtenIn({ command, code }: ExplainedRemedy): string[] {
  return [command, code].flatMap((each) => (each ? each.split('\n') : []));
}

/** What is wrong here and may be behind an error of which nothing is known, as plain text that is Markdown, too. */
export function suspicionsText(suspicions: readonly Suspicion[]): string {
  const lines = suspicions.flatMap(({ text, evidence, remedies }) => [
    `- ${visible(text)}`,
    ...evidence.map((each) => `  - ${visible(each)}`),
    ...remedies.slice(0, 1).map(({ title, command }) => `  - ${title}${command === null ? '' : `: \`${command}\``}`),
  ]);
  return ['This is wrong here, and may be behind it or not:', ...lines].join('\n');
}

/** Explanations as Markdown, for an issue, a hover or a page. */
export function explanationMarkdown(explanations: readonly Explanation[]): string {
  return explanations.map(inMarkdown).join('\n---\n\n');
}

function inMarkdown(explanation: Explanation): string {
  const { title, message, location, meaning, causes, remedies, checks, url } = explanation;
  const parts = [`## ${title}`, fenced(message, 'text'), meaning];
  if (location) parts.push(`It failed at \`${placeOf(location).replaceAll('`', "'")}\`.`);
  const listed = causes.map(({ text, standing, evidence }) =>
    [`- **${WORDS[standing]}**: ${text}`, ...evidence.map((each) => `  - ${each}`)].join('\n'),
  );
  if (listed.length > 0) parts.push(`### Why\n\n${listed.join('\n')}`);
  const ways = remedies.map((remedy, index) =>
    [`${index + 1}. ${remedy.title}`, ...writtenIn(remedy).map((line) => `\n   \`\`\`\n   ${line}\n   \`\`\``)].join(
      '\n',
    ),
  );
  if (ways.length > 0) parts.push(`### What to do\n\n${ways.join('\n')}`);
  const looks = checks.map((check) => `- ${check.title}: \`${check.command}\``);
  if (looks.length > 0) parts.push(`### To tell which it is\n\n${looks.join('\n')}`);
  return `${[...parts, `[More about this error](${url})`].join('\n\n')}\n`;
}

/** A code block that holds the text whatever is in it. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
