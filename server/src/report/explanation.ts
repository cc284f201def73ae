import type { Explanation, Suspicion, Unexplained, Written } from '../explain/explanation.ts';
import { codeSpan } from '../markdown.ts';
import { printable } from '../printable.ts';
import { type Cause, CHECKS, headingOf, OTHER_CAUSES, REMEDIES, RULED_OUT, sectionsOf } from './explanationSections.ts';
import type { Paint } from './paint.ts';

const MARKS = { confirmed: '✔', possible: '?', 'ruled-out': '✘' } as const;
const WORDS = { confirmed: 'confirmed', possible: 'possible', 'ruled-out': 'ruled out' } as const;

/** Explanations for a terminal: the first in full, the others as titles. */
export function explanationText([first, ...others]: readonly Explanation[], paint: Paint): string {
  if (!first) return '';
  const lines = [paint('bold', first.title), `  ${paint('dim', printable(first.message))}`];
  if (first.location) lines.push(`  ${paint('dim', `at ${printable(placeOf(first.location))}`)}`);
  lines.push('', first.meaning);
  const list = (title: string, items: readonly string[]) => {
    if (items.length > 0) lines.push('', paint('bold', title), ...items);
  };
  const causes = ({ text, standing, evidence }: Cause) => [
    `  ${paint(standing === 'confirmed' ? 'green' : 'dim', MARKS[standing])} ${standing === 'ruled-out' ? paint('dim', text) : text}`,
    ...evidence.map((each) => `      ${paint('dim', printable(each))}`),
  ];
  const { remedies, checks } = first;
  const { why, besides, ruledOut } = sectionsOf(first);
  list(headingOf(why), why.flatMap(causes));
  list(
    REMEDIES,
    remedies.flatMap((remedy, index) => [
      `  ${index + 1}. ${remedy.title}`,
      ...writtenIn(remedy).map((line) => `     ${paint('cyan', printable(line))}`),
    ]),
  );
  list(
    CHECKS,
    checks.flatMap((check) => [
      `  ${check.title}:`,
      ...writtenIn(check).map((line) => `     ${paint('cyan', printable(line))}`),
    ]),
  );
  list(OTHER_CAUSES, besides.flatMap(causes));
  list(RULED_OUT, ruledOut.flatMap(causes));
  if (others.length > 0) lines.push('', paint('bold', 'Also in this text'));
  for (const { title, meaning } of others) lines.push(`  ${title}: ${meaning}`);
  return `${lines.join('\n')}\n\n${paint('dim', first.url)}\n`;
}

function placeOf({ file, line, code }: NonNullable<Explanation['location']>): string {
  return `${file}${line === null ? '' : `:${line}`}${code === null ? '' : `: ${code}`}`;
}

function writtenIn({ command, code, setting }: Written): string[] {
  return (command ?? code ?? setting)?.split('\n') ?? [];
}

/** Problems on this machine that may cause an unknown error, as plain text that is also Markdown. */
export function suspicionsText(suspicions: readonly Suspicion[]): string {
  const lines = suspicions.flatMap(({ text, evidence, remedies }) => [
    `- ${printable(text)}`,
    ...evidence.map((each) => `  - ${printable(each)}`),
    ...remedies.slice(0, 1).map((remedy) => `  - ${inOneLine(remedy)}`),
  ]);
  return ['Problems found here, which may or may not be the cause:', ...lines].join('\n');
}

/** Possible causes of an unknown error, as plain text that is also Markdown; empty if there are none. */
export function unexplainedText({ message, suspicions }: Unexplained): string {
  if (message === null || suspicions.length === 0) return '';
  return `No explanation for this error:\n\n    ${printable(message)}\n\n${suspicionsText(suspicions)}\n`;
}

/** Explanations as Markdown, for an issue, a hover or a page. */
export function explanationMarkdown(explanations: readonly Explanation[]): string {
  return explanations.map(inMarkdown).join('\n---\n\n');
}

function inMarkdown(explanation: Explanation): string {
  const { title, message, location, meaning, remedies, checks, url } = explanation;
  const { why, besides, ruledOut } = sectionsOf(explanation);
  const parts = [`## ${title}`, fenced(message, 'text'), meaning];
  if (location) parts.push(`It failed at \`${placeOf(location).replaceAll('`', "'")}\`.`);
  const list = (title: string, causes: readonly Cause[]) => {
    if (causes.length > 0) parts.push(`### ${title}\n\n${causes.map(causeInMarkdown).join('\n')}`);
  };
  list(headingOf(why), why);
  const ways = remedies.map((remedy, index) => [`${index + 1}. ${remedy.title}`, ...blockOf(remedy)].join('\n'));
  if (ways.length > 0) parts.push(`### ${REMEDIES}\n\n${ways.join('\n')}`);
  const looks = checks.map((check) => `- ${inOneLine(check)}`);
  if (looks.length > 0) parts.push(`### ${CHECKS}\n\n${looks.join('\n')}`);
  list(OTHER_CAUSES, besides);
  list(RULED_OUT, ruledOut);
  return `${[...parts, `[More about this error](${url})`].join('\n\n')}\n`;
}

function causeInMarkdown({ text, standing, evidence }: Cause): string {
  return [`- **${WORDS[standing]}**: ${text}`, ...evidence.map((each) => `  - ${each}`)].join('\n');
}

/** A code block in a list item, with its language, so that readers know where the code belongs. */
function blockOf(written: Written): string[] {
  const lines = writtenIn(written);
  if (lines.length === 0) return [];
  const language = written.command !== null ? 'sh' : written.code !== null ? 'python' : 'text';
  return ['', ...fenced(lines.join('\n'), language).split('\n')].map((line) => (line === '' ? '' : `   ${line}`));
}

function inOneLine(way: Written & { readonly title: string }): string {
  const [line, ...more] = writtenIn(way);
  return line === undefined || more.length > 0 ? way.title : `${way.title}: ${codeSpan(line)}`;
}

/** A code block that can contain any text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
