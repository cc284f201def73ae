/** Compiles the patterns of the catalogue to regular expressions. */

/**
 * Maximum number of characters that one repeated atom of a pattern matches, so that no text makes an expression hang.
 */
const LONGEST_RUN = 160;

/**
 * Compiles a pattern. Its spaces also match line breaks and indentation, because terminals, boxes and people wrap
 * messages. An unbounded repetition is given a bound.
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
 * If a repetition at the start of a pattern matches anywhere within a run of its characters, it also matches from the
 * start of the run, so it is only tried there.
 */
const LEADING_RUN = /^(\((?:\?<\w+>|\?:))?(\[(?:\\.|[^\]\\])*\]|\\[wS])\+(?!\?)/;
