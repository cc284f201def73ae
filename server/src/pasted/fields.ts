/** A label with its value, such as "CUDA: 11.1", "torch==1.7.1", "Python 3.8" or a heading with the text below it. */
export interface ReportField {
  /**
   * In lower case, without marks, hints, articles, "is" and "version"; empty for a line without a label, such as prose
   * or "RTX 3090".
   */
  readonly label: string;
  readonly value: string;
}

/** Longer lines are not fields. */
const LONGEST = 240;

/** Bullets, numbers, quotation marks and bold marks before a field, and possible marks after it. */
const MARKS = /^[\s>*•·#|`"'([{-]*(?:(?:\d{1,2}|[IVX]{1,3})[.)]\s+)?[*_`"']*/;
const END = /(?<![\s*_`"'|\]},;.。])[\s*_`"'|\]},;.。]+$/;

/** A template's explanation of a question: "(e.g., Linux Ubuntu 16.04)", "(GPU?)", "[e.g. 11.1]". */
const HINT = '\\s*(?:\\([^()\\n]*\\)|\\[[^[\\]\\n]*\\])';

const NAME = /^[A-Za-z\p{Script=Han}][\w\p{Script=Han} ./&()'`*-]{0,60}$/u;
const SEPARATOR = /[:：=]+|->| - /;
const BARE =
  /^([A-Za-z\p{Script=Han}][\w\p{Script=Han} ./&-]{0,40}?)[-\s]*(v?\d[\w.+-]*(?:\s*[(@[,].*|\s+\S{1,12})?)$/u;

/** Parts of an answer: a number, a system, or yes or no. */
const ANSWERS = /\d|windows|linux|mac|darwin|colab|\bnt\b|true|false|yes|\bno\b/i;

/** Separators between several fields on one line. */
const BETWEEN = /\s*(?:[,;，；、]|\s[/|+&]\s|\s-\s|\band\b)\s*/;

/**
 * Returns the fields of a text in order; a line without a field is a value without a label. A line is split into
 * several fields if at least two of them are known.
 */
export function fieldsIn(text: string, isKnown: (field: ReportField) => boolean): ReportField[] {
  let heading: string | undefined;
  return text.split('\n').flatMap((line) => {
    const plain = line.length > LONGEST ? '' : withoutMarks(line);
    if (plain === '') return [];
    const asked = heading;
    heading = headingIn(line, plain);
    const answer = { label: asked ?? '', value: plain };
    if (heading === undefined && isKnown(answer)) return [answer];
    if (!ANSWERS.test(plain)) return [{ label: '', value: plain }];
    const several = plain.split(BETWEEN).map(fieldOf).filter(isKnown);
    return several.length > 1 ? several : [fieldOf(plain)];
  });
}

function withoutMarks(line: string): string {
  return line.replace(MARKS, '').replace(END, '');
}

/** A heading, or bold text that is alone on its line. */
function headingIn(line: string, plain: string): string | undefined {
  return /^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$)/.test(line) ? labelOf(plain.replace(/[:：?]$/, '')) : undefined;
}

function fieldOf(clause: string): ReportField {
  const plain = withoutMarks(clause);
  const separator = SEPARATOR.exec(plain);
  const before = separator ? plain.slice(0, separator.index).replace(HINTS, '').trim() : '';
  if (separator && NAME.test(before)) {
    // A requirement's pin keeps its operator.
    const after = plain.slice(separator.index + 1).replace(/^[\s>-]+/, '');
    return { label: labelOf(before), value: withoutMarks(after) };
  }
  const [, label = '', value = plain] = (plain.length < 100 && BARE.exec(plain)) || [];
  return { label: labelOf(label), value };
}

const HINTS = new RegExp(HINT, 'g');

/** "torch" of "**torch_version**", "torch.__version__" and "Torch Version (e.g. 1.0)". */
function labelOf(written: string): string {
  return written
    .toLowerCase()
    .replace(HINTS, '')
    .replace(/[_.*`'"]+/g, ' ')
    .replace(/\b(?:versions?|ver|my|the)\b|\bis$|版本/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
