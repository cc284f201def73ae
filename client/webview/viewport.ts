/** Lines of a long table that are drawn: from `start` up to, but not with, `end`. */
export interface Drawn {
  readonly start: number;
  readonly end: number;
}

/** Lines beyond each edge that are drawn too, so that a small step shows no gap. */
const MARGIN = 12;

/**
 * The lines to draw where `top` pixels of the table are above the visible part, which may be negative, and the visible
 * part is `height` pixels high. At most a screenful and its margins, however long the table is.
 */
export function drawnLines(top: number, height: number, lineHeight: number, count: number): Drawn {
  const first = Math.floor(top / lineHeight);
  const last = Math.ceil((top + height) / lineHeight);
  const start = Math.max(0, Math.min(first - MARGIN, count));
  return { start, end: Math.max(start, Math.min(last + MARGIN, count)) };
}
