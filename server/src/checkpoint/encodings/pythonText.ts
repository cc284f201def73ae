/**
 * One character that Python takes for a blank, as the source of a pattern: `\s` of `re`, and what `str.strip` and `int`
 * drop. JavaScript's `\s` lacks the separators U+001C to U+001F and U+0085, and has U+FEFF.
 */
export const PYTHON_BLANK = String.raw`[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;
