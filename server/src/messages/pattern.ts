/** The patterns of the catalogue as regular expressions. */

/** The most characters that one repeated atom of a pattern matches, so that no text makes an expression hang. */
const LONGEST_RUN = 160;

/**
 * Compiles a pattern. Its spaces also match line ends and indents, because terminals, boxes and people wrap messages. An
 * unbounded repetition gets a bound.
 */
export function compilePattern(pattern: string): RegExp {
  const bounded = pattern
    .replace(LEADING_RUN, '$1(?<!$2)$2{1,}')
    .replace(/(\[(?:\\.|[^\]\\])*\]|\\.|[ .])([+*?])?/g, (_, atom: string, repeated = '') => {
      const isBlank = atom === ' ';
      const sign = isBlank ? '\\s' : atom;
      if (repeated === '+' || (isBlank && repeated === '')) return `${sign}{1,${isBlank ? 80 : LONGEST_RUN}}`;
      if (repeated === '*' || (isBlank && repeated === '?')) return `${sign}{0,${isBlank ? 80 : LONGEST_RUN}}`;
      return `${sign}${repeated}`;
    });
  return new RegExp(bounded, 'im');
}

/**
 * A repetition at the start of a pattern matches from the start of a run of such characters if it matches from anywhere
 * within it, so it is only tried there.
 */
const LEADING_RUN = /^(\((?:\?<\w+>|\?:))?(\[(?:\\.|[^\]\\])*\]|\\[wS])\+(?!\?)/;
