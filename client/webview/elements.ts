/** Creates elements without parsing HTML: any text stays text. */
import { visible } from './text.ts';

/** An element with a class and children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: readonly (string | Element)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/** A sentence with code in backticks. */
export function sentence(text: string): HTMLElement {
  return element('p', '', ...codeIn(visible(text)));
}

/** The parts of a visible text, with those in backticks as code. */
export function codeIn(text: string): (string | HTMLElement)[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? element('code', '', part) : part));
}

const SHAPES = {
  good: 'M3 8.5 6.5 12 13 4.5',
  bad: 'M4 4 12 12 M12 4 4 12',
  warning: 'M8 2 14.5 13.5 H1.5 Z M8 6.5 V9.5 M8 11.4 V11.6',
  neutral: 'M8 7.3 V11.5 M8 4.4 V4.6 M8 1.5 A6.5 6.5 0 1 1 7.99 1.5',
  closed: 'M6 4 10 8 6 12',
  open: 'M4 6 8 10 12 6',
  expand: 'M4 5 8 9 12 5 M4 9.5 8 13.5 12 9.5',
  copy: 'M5.5 5.5 H13.5 V13.5 H5.5 Z M10.5 5.5 V2.5 H2.5 V10.5 H5.5',
  collapse: 'M4 11 8 7 12 11 M4 6.5 8 2.5 12 6.5',
};

/** A picture hidden from screen readers: the text next to it has the same meaning. */
export function icon(shape: keyof typeof SHAPES): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', `icon ${shape}`);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', SHAPES[shape]);
  svg.append(path);
  return svg;
}
