/**
 * Pattern source for one character that Python treats as white space in `re`'s `\s`, `str.strip` and `int`.
 * JavaScript's `\s` lacks the separators U+001C to U+001F and U+0085, and includes U+FEFF.
 */
export const PYTHON_BLANK = String.raw`[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;
