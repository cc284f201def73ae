/** The page that explains an error: it displays the extension's data, and reports pressed buttons. */
import { type CauseSection, headingOf, QUESTIONS, REMEDIES } from '../../server/src/report/explanationSections.ts';
import { element, icon, sentence } from './elements.ts';
import type { Explanation, FromExplanation, ToExplanation, Unexplained } from './explanationMessages.ts';
import { visible } from './text.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromExplanation): void };

const editor = acquireVsCodeApi();

window.addEventListener('message', ({ data }: MessageEvent<ToExplanation>) => {
  const { explanation, unknown } = data;
  const title = element('h1', '', visible(explanation?.title ?? 'No explanation for this error'));
  title.tabIndex = -1;
  if (explanation) document.body.replaceChildren(page(title, explanation, data));
  else if (unknown) document.body.replaceChildren(suspicionsPage(title, unknown, data));
  window.scrollTo({ top: 0, behavior: 'instant' });
  // Screen readers then read it, and keyboard focus continues from there.
  title.focus({ preventScroll: true });
});

function page(title: HTMLElement, explanation: Explanation, shown: ToExplanation): HTMLElement {
  const { message, meaning, causes, remedies, questions, url } = explanation;
  const { others = [], trusted } = shown;
  return element(
    'main',
    '',
    element('header', '', title, preformatted(message), sentence(meaning), ...placeOf(explanation, shown)),
    ...section(
      headingOf(causes),
      causes.map((cause) => (cause.standing === 'possible' ? askedCause(cause) : causeOf(cause))),
    ),
    ...section(
      QUESTIONS,
      questions.map((question) => wayOf(question, trusted)),
    ),
    ...section(
      REMEDIES,
      remedies.slice(0, 1).map((remedy) => wayOf(remedy, trusted)),
    ),
    ...(shown.canRepair && remedies.some(({ command, edit }) => command !== null || edit)
      ? [element('div', 'actions', button('Repair in a Copy', { kind: 'repair' }))]
      : []),
    ...folded(
      'Other steps',
      remedies.slice(1).map((remedy) => wayOf(remedy, trusted)),
    ),
    ...section(
      'Also in the text',
      others.map(({ title, url }) => element('li', '', link(title, { kind: 'page', address: url }))),
    ),
    element('p', '', link('More about this error', { kind: 'page', address: url })),
  );
}

/** For an unknown error, the problems found here that may be its cause. */
function suspicionsPage(title: HTMLElement, unknown: Unexplained, shown: ToExplanation): HTMLElement {
  const { message, suspicions } = unknown;
  const items = suspicions.map(({ text, evidence, remedies }) => {
    const item = causeOf({ id: '', text, standing: 'possible', evidence });
    const ways = listOf(remedies.map((remedy) => wayOf(remedy, shown.trusted)));
    if (remedies.length > 0) item.append(ways);
    return item;
  });
  return element(
    'main',
    '',
    element('header', '', title, preformatted(message ?? ''), ...placeOf(unknown, shown)),
    ...section('Problems found here, which may or may not be the cause', items),
  );
}

/** A heading with a list; nothing for an empty list. */
function section(title: string, items: readonly HTMLElement[]): HTMLElement[] {
  if (items.length === 0) return [];
  const heading = element('h2', '', title);
  const made = element('section', '', heading, listOf(items));
  heading.id = title.toLowerCase().replaceAll(' ', '-');
  made.setAttribute('aria-labelledby', heading.id);
  return [made];
}

/** A list without bullets; screen readers need the role to recognize it. */
function listOf(items: readonly HTMLElement[]): HTMLElement {
  const list = element('ul', 'list', ...items);
  list.setAttribute('role', 'list');
  return list;
}

function placeOf({ location }: Pick<Explanation, 'location'>, { file, opens }: ToExplanation): HTMLElement[] {
  if (!location) return [];
  const { line, code } = location;
  const place = `${file}${line === null ? '' : `, line ${line}`}`;
  const where = opens ? link(place, { kind: 'open' }) : visible(place);
  return [
    element('p', 'quiet', 'It failed in ', where, code === null ? '.' : ':'),
    ...(code === null ? [] : [preformatted(code)]),
  ];
}

function causeOf({ text, standing, evidence }: CauseSection): HTMLElement {
  const cause = element('li', `cause ${standing}`, icon(ICONS[standing]), sentence(text));
  if (evidence.length > 0) cause.append(element('div', 'evidence', ...evidence.map(sentence)));
  return cause;
}

/** A possible cause, with the buttons that answer it once its check is made. */
function askedCause(cause: CauseSection): HTMLElement {
  const asked = causeOf(cause);
  asked.id = `cause-${cause.id}`;
  const buttons = [
    button('This Is the Cause', { kind: 'answer', cause: cause.id, applies: true }),
    button('Rule Out', { kind: 'answer', cause: cause.id, applies: false }),
  ];
  for (const each of buttons) each.setAttribute('aria-describedby', asked.id);
  asked.append(element('div', 'actions', ...buttons));
  return asked;
}

const ICONS = { confirmed: 'good', possible: 'neutral' } as const;

/** A closed list of things that few readers need. */
function folded(title: string, items: readonly HTMLElement[]): HTMLElement[] {
  if (items.length === 0) return [];
  return [element('details', 'folded', element('summary', '', `${title} (${items.length})`), listOf(items))];
}

let ways = 0;

type Way = Omit<Explanation['questions'][number], 'cause'> & Partial<Explanation['remedies'][number]>;

/** A remedy: its title, its written form, and its buttons, which are described by the title. */
function wayOf({ title, command, code, setting, edit }: Way, trusted: boolean): HTMLElement {
  const written = command ?? code ?? setting;
  const words = sentence(title);
  words.id = `way-${++ways}`;
  const way = element('li', 'remedy', words);
  if (written === null) return way;
  const buttons = [
    ...(edit ? [button('Apply Edit', { kind: 'apply', remedy: title })] : []),
    // Only commands belong in a terminal.
    ...(trusted && command !== null ? [button('Insert in Terminal', { kind: 'terminal', command })] : []),
    button('Copy', { kind: 'copy', text: written }),
  ];
  for (const each of buttons) each.setAttribute('aria-describedby', words.id);
  way.append(preformatted(written), element('div', 'actions', ...buttons));
  return way;
}

function button(label: string, message: FromExplanation): HTMLElement {
  const made = element('button', message.kind === 'apply' ? 'primary' : 'primary secondary', label);
  return pressable(made, message);
}

function link(words: string, message: FromExplanation): HTMLElement {
  const made = element('button', 'link', visible(words));
  made.setAttribute('role', 'link');
  return pressable(made, message);
}

function pressable(made: HTMLButtonElement, message: FromExplanation): HTMLElement {
  made.type = 'button';
  made.addEventListener('click', () => editor.postMessage(message));
  return made;
}

function preformatted(text: string): HTMLElement {
  // Keeps its line breaks.
  return element('pre', '', text.split('\n').map(visible).join('\n'));
}

editor.postMessage({ kind: 'ready' });
