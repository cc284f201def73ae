/** The page of the checkpoint editor: it displays the extension's data, and keeps the user's state. */
import { tensorsIn } from '../../server/src/report/tensorColumns.ts';
import { element, icon, sentence } from './elements.ts';
import type { CheckpointView, FromPage, ToPage } from './messages.ts';
import { type Summary, summaryOf } from './summary.ts';
import { createTensorsView, type TensorsState, type TensorsView } from './tensors.ts';
import { visible } from './text.ts';

interface State extends TensorsState {
  /** The scroll position in pixels. */
  readonly scroll?: number;
}

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): State | undefined;
  setState(state: State): void;
};

const editor = acquireVsCodeApi();
let summary: Summary | undefined;
let tensors: TensorsView | undefined;
let keeping: number | undefined;

/** Milliseconds without scrolling before the position is saved. */
const PAUSE = 100;

window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
  switch (data.kind) {
    case 'reading':
      return page(reading(data.file));
    case 'failed':
      return page(failed(data.file, data.trouble));
    case 'read':
      return showCheckpoint(data.file, data.view);
    case 'judged':
      return summary?.judge(data.judgement);
    case 'filter':
      return tensors?.focusFilter();
  }
});

function page(...content: readonly HTMLElement[]): void {
  document.body.replaceChildren(...content);
}

function reading(file: string): HTMLElement {
  const words = element('p', '', `Reading ${visible(file)} …`);
  words.setAttribute('role', 'status');
  const bar = element('div', 'progress');
  bar.setAttribute('role', 'progressbar');
  bar.setAttribute('aria-label', 'Reading');
  return element('main', 'waiting', bar, words);
}

function failed(file: string, trouble: string): HTMLElement {
  const again = element('button', 'primary', 'Retry');
  again.type = 'button';
  again.addEventListener('click', () => editor.postMessage({ kind: 'retry' }));
  const words = element('div', 'problem', icon('bad'), sentence(trouble));
  words.setAttribute('role', 'alert');
  return element('main', 'waiting', element('h1', '', visible(file)), words, again);
}

function showCheckpoint(file: string, view: CheckpointView): void {
  const state: State = { ...editor.getState(), ...tensors?.state() };
  summary = summaryOf(file, view);
  const all = tensorsIn(view.tensors);
  tensors = all.length === 0 ? undefined : createTensorsView(all, state, { copy, changed: keep });
  const scroll = window.scrollY || (state.scroll ?? 0);
  // A file that changes while it is shown must not take the focus.
  const focused = ['.filter', '.table'].find((place) => document.activeElement?.matches(place));
  page(element('main', '', summary.element, ...(tensors ? [tensors.element] : [])));
  window.scrollTo({ top: scroll, behavior: 'instant' });
  if (focused) document.querySelector<HTMLElement>(focused)?.focus({ preventScroll: true });
  tensors?.draw();
}

function copy(text: string): void {
  editor.postMessage({ kind: 'copy', text });
}

function keep(): void {
  if (tensors) editor.setState({ ...tensors.state(), scroll: window.scrollY });
}

window.addEventListener('scroll', () => {
  tensors?.draw();
  window.clearTimeout(keeping);
  keeping = window.setTimeout(keep, PAUSE);
});
window.addEventListener('resize', () => tensors?.draw());
window.addEventListener('keydown', (event) => {
  if (event.key !== 'f' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || !tensors) return;
  event.preventDefault();
  tensors.focusFilter();
});
editor.postMessage({ kind: 'ready' });
