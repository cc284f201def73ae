/** The effect of a key on the table. */
export type Action =
  /** Activates a line. */
  { readonly kind: 'go'; readonly to: number } | { readonly kind: 'toggle' } | { readonly kind: 'copy' };

export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** The keyboard's position in the table. */
export interface Place {
  /** The active line, its group's line (itself without one), and the number of lines. */
  readonly index: number;
  readonly parent: number;
  readonly count: number;
  /** Number of visible lines. */
  readonly page: number;
  /** Undefined for a tensor. */
  readonly isOpen: boolean | undefined;
}

/** The keys of a tree grid: https://www.w3.org/WAI/ARIA/apg/patterns/treegrid/. Undefined for other keys. */
export function actionOf({ key, ctrlKey, metaKey, altKey }: Pressed, place: Place): Action | undefined {
  if (place.count === 0 || altKey) return undefined;
  if (ctrlKey || metaKey) return key === 'c' ? { kind: 'copy' } : undefined;
  const { index, isOpen } = place;
  switch (key) {
    case 'ArrowRight':
      if (isOpen === false) return { kind: 'toggle' };
      return isOpen ? goTo(index + 1, place) : undefined;
    case 'ArrowLeft':
      return isOpen ? { kind: 'toggle' } : goTo(place.parent, place);
    case 'Enter':
    case ' ':
      return isOpen === undefined ? undefined : { kind: 'toggle' };
    case 'ArrowDown':
      return goTo(index + 1, place);
    case 'ArrowUp':
      return goTo(index - 1, place);
    case 'PageDown':
      return goTo(index + place.page, place);
    case 'PageUp':
      return goTo(index - place.page, place);
    case 'Home':
      return goTo(0, place);
    case 'End':
      return goTo(place.count - 1, place);
    default:
      return undefined;
  }
}

function goTo(line: number, { count }: Place): Action {
  return { kind: 'go', to: Math.max(0, Math.min(line, count - 1)) };
}
