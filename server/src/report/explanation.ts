import type { Explanation, Suspicion, Unexplained, Written } from '../explain/explanation.ts';
import { codeSpan } from '../markdown.ts';
import { printable } from '../printable.ts';
import { type CauseSection, headingOf, QUESTIONS, REMEDIES } from './explanationSections.ts';
import type { Paint } from './paint.ts';

const MARKS = { confirmed: '✔', possible: '?' } as const;
const WORDS = { confirmed: 'confirmed', possible: 'possible' } as const;

/** Explanations for a terminal: the first in eight lines, with what `verbose` would add in the last one. */
export function explanationText(explanations: readonly Explanation[], paint: Paint, verbose = false): string {
  const [first, ...others] = explanations;
  if (!first) return '';
  return verbose ? wholeText(first, others, paint) : shortText(first, others, paint);
}

function shortText(explanation: Explanation, others: readonly Explanation[], paint: Paint): string {
  const { causes, remedies, questions, meaning } = explanation;
  const [cause] = causes;
  const [question] = questions;
  const [remedy] = remedies;
  const lines = headOf(explanation, paint);
  if (cause?.standing === 'confirmed') {
    lines.push(`${paint('green', MARKS.confirmed)} ${cause.text}`);
    const [evidence] = cause.evidence;
    if (evidence !== undefined) lines.push(`    ${paint('dim', printable(evidence))}`);
  } else lines.push(meaning);
  if (cause?.standing === 'possible' && question !== undefined) {
    const asked = causes.find(({ id }) => id === question.cause) ?? cause;
    const [way] = writtenIn(question);
    lines.push(`? ${asked.text}`, `    ${paint('dim', `${printable(question.title)}${way === undefined ? '' : ':'}`)}`);
    if (way !== undefined) lines.push(`    ${paint('cyan', printable(way))}`);
  } else if (remedy) {
    if (cause?.standing === 'possible') lines.push(`? ${cause.text}`);
    lines.push(`→ ${remedy.title}`);
    lines.push(
      ...writtenIn(remedy)
        .slice(0, MOST_LINES - 1 - lines.length)
        .map((line) => `    ${paint('cyan', printable(line))}`),
    );
  }
  const more = [
    counted(causes.length - 1, 'cause'),
    counted(remedies.length - (question ? 0 : 1), 'step'),
    counted(others.length, 'message'),
  ].filter((each) => each !== '');
  lines.push(paint('dim', more.length > 0 ? `${more.join(', ')} with --verbose. ${explanation.url}` : explanation.url));
  return `${lines.join('\n')}\n`;
}

/** The number of lines of the short form. */
const MOST_LINES = 8;

function counted(count: number, noun: string): string {
  return count <= 0 ? '' : `${count} more ${noun}${count === 1 ? '' : 's'}`;
}

/** The headline, the message and the place. */
function headOf({ title, message, location }: Explanation, paint: Paint): string[] {
  return [
    paint('bold', title),
    `  ${paint('dim', printable(message))}`,
    ...(location ? [`  ${paint('dim', `at ${printable(placeOf(location))}`)}`] : []),
  ];
}

function wholeText(explanation: Explanation, others: readonly Explanation[], paint: Paint): string {
  const { meaning, causes, remedies, questions, url } = explanation;
  const lines = [...headOf(explanation, paint), '', meaning];
  const list = (title: string, items: readonly string[]) => {
    if (items.length > 0) lines.push('', paint('bold', title), ...items);
  };
  const written = (what: Written) => writtenIn(what).map((line) => `     ${paint('cyan', printable(line))}`);
  list(
    headingOf(causes),
    causes.flatMap(({ text, standing, evidence }) => [
      `  ${paint(standing === 'confirmed' ? 'green' : 'dim', MARKS[standing])} ${text}`,
      ...evidence.map((each) => `      ${paint('dim', printable(each))}`),
    ]),
  );
  list(
    QUESTIONS,
    questions.flatMap((question) => [`  ${printable(question.title)}`, ...written(question)]),
  );
  list(
    REMEDIES,
    remedies.flatMap((remedy, index) => [`  ${index + 1}. ${remedy.title}`, ...written(remedy)]),
  );
  if (others.length > 0) lines.push('', paint('bold', 'Also in this text'));
  for (const { title, meaning } of others) lines.push(`  ${title}: ${meaning}`);
  return `${lines.join('\n')}\n\n${paint('dim', url)}\n`;
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
  const { title, message, location, meaning, causes, remedies, questions, url } = explanation;
  const parts = [`## ${title}`, fenced(message, 'text'), meaning];
  if (location) parts.push(`It failed at \`${placeOf(location).replaceAll('`', "'")}\`.`);
  if (causes.length > 0) parts.push(`### ${headingOf(causes)}\n\n${causes.map(causeInMarkdown).join('\n')}`);
  const asked = questions.map((question) => `- ${inOneLine(question)}`);
  if (asked.length > 0) parts.push(`### ${QUESTIONS}\n\n${asked.join('\n')}`);
  const ways = remedies.map((remedy, index) => [`${index + 1}. ${remedy.title}`, ...blockOf(remedy)].join('\n'));
  if (ways.length > 0) parts.push(`### ${REMEDIES}\n\n${ways.join('\n')}`);
  return `${[...parts, `[More about this error](${url})`].join('\n\n')}\n`;
}

function causeInMarkdown({ text, standing, evidence }: CauseSection): string {
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
