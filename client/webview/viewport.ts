/** The drawn lines of a long table: from `start` to before `end`. */
export interface Drawn {
  readonly start: number;
  readonly end: number;
}

/** Number of lines beyond each edge that are also drawn, so that a small scroll shows no gap. */
const MARGIN = 12;

/**
 * Returns the lines to draw if `top` pixels of the table are above the visible part, which may be negative, and the
 * visible part is `height` pixels high. At most a screenful and its margins, for any length of the table.
 */
export function drawnLines(top: number, height: number, lineHeight: number, count: number): Drawn {
  const first = Math.floor(top / lineHeight);
  const last = Math.ceil((top + height) / lineHeight);
  const start = Math.max(0, Math.min(first - MARGIN, count));
  return { start, end: Math.max(start, Math.min(last + MARGIN, count)) };
}
