import { stripVTControlCharacters } from 'node:util';
import { separateStreams } from './streams.ts';

/**
 * Converts pasted text to lines in which messages can be found: without colors, boxes, e-mail quotation marks and the
 * prefixes that launchers add to each line. Line breaks are kept.
 */
export function plainText(pasted: string): string {
  return separateStreams(withoutEscapes(withoutControls(pasted)))
    .replace(IMAGES, '')
    .replace(LINKS, '$1')
    .replace(ANCHORS, '$2')
    .replace(BOLD, '$1')
    .replace(/&(?:quot|#39|apos|lt|gt|amp|nbsp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/[‘’‛′]/g, "'")
    .replace(/[“”„″]/g, '"')
    .replace(FULL_WIDTH, '$1: ')
    .replace(/[\u00A0\u2007\u202F]/g, ' ')
    .replace(/[\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g, '')
    .replace(/^[\t ]*[╭╰┌└├+][─━═╌╴╶+-].*$/gm, (frame) => titleOf(frame))
    .replace(GROUP_EDGE, '')
    .replace(/[│┃║╎]/g, ' ')
    .replace(TAGS, '')
    .replace(/[^\S\n]+$/gm, '');
}

/** The colon after the name of an exception, as typed with an input method. */
const FULL_WIDTH = /\b((?:[A-Z]\w{0,60})?(?:Error|Exception|Warning))：[ \t]?/g;

/** Removes colors, terminal links and other control sequences. */
function withoutControls(pasted: string): string {
  return stripVTControlCharacters(pasted)
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .replace(LOST_COLOURS, '');
}

/** Removes Markdown's backslashes before underscores, and converts JSON's escaped line breaks. */
function withoutEscapes(text: string): string {
  const asLines = WRITTEN_LINES.test(text) ? text.replace(/\\n/g, '\n').replace(/\\(["'])/g, '$1') : text;
  return BACKSLASH_PATH.test(asLines) ? asLines : asLines.replace(/\\([_*])/g, '$1');
}

/** A traceback with escaped line breaks. */
const WRITTEN_LINES = /\\n {2}File |\\n(?:[a-z_]\w{0,40}\.){0,6}[A-Z]\w{2,60}(?:Error|Exception): /;

/** Windows paths, in which backslashes are literal. */
const BACKSLASH_PATH = /[A-Za-z]:\\|\w\\[A-Za-z]/;

/** Color codes without their first character. */
const LOST_COLOURS = /[\u241B]?\[(?:\d{1,3}(?:;\d{1,3}){0,4})?m(?![\w\]])|\u241B\[[0-9;]{0,12}[A-Za-z]/g;

/** Python's prefix of lines in an exception group, deeper for nested groups. */
const GROUP_EDGE = /^ {2,60}\| ?/gm;

/** Markdown links, in which Jupyter and Colab put files and line numbers. */
const LINKS = /\[((?:[^[\]\n]|\[\d*\]){1,300})\]\((?:https?|vscode|file|command)[^)\s]{0,600}\)/g;

/** The same as HTML, in outputs of failed cells saved by VS Code. */
const ANCHORS = /<a href=(["'])(?:https?|vscode|file|command)[^"'>\n]{0,600}\1>([^<\n]{0,300})<\/a>/g;

/** Markdown images. */
const IMAGES = /!\[[^[\]\n]{0,200}\]\(https?:[^)\s]{1,600}\)/g;

/** Markdown's bold text; in code, two asterisks may also stand next to a name. */
const BOLD = /(?<!\w)\*\*(?=\S)([^*\n]{3,300}?\S)\*\*(?!\w)/g;

const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&nbsp;': ' ',
};

/** The text in the upper edge of a box. */
function titleOf(frame: string): string {
  return frame.replace(/[╭╮╰╯┌┐└┘├┤─━═╌╴╶]/g, '').replace(/^[+-]+/, '');
}

/** Line prefixes of torchrun, mpirun, Ray, vLLM, pytest, Airflow, Docker, Kubernetes, syslog and quotations. */
const TAGS = new RegExp(
  `^(?:${[
    '> ?',
    'E {3,7}(?=\\S)',
    '\\[rank ?\\d{1,5}\\]: ?',
    '\\[?\\d{1,5}\\]?:(?=Traceback| {2}File)',
    '\\([\\w ./-]{0,80}pid=\\d+[^)\\n]{0,80}\\) ?',
    '\\[\\d{1,4},\\d{1,4}\\]<std(?:out|err)>: ?',
    '[\\w.-]{1,60}[-_]\\d{1,3} {1,40}\\| ?',
    '\\d{4}-\\d\\d-\\d\\dT[\\d:.]{8,20}Z (?:std(?:out|err) [FP] )?',
    '[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d [\\w.-]{1,60} [\\w./@-]{1,60}\\[\\d{1,9}\\]: ?',
    '\\[\\d{4}-\\d\\d-\\d\\d[T, ][^\\]\\n]{5,40}\\] \\{[\\w.]{1,60}:\\d{1,6}\\} [A-Z]{4,8} - ',
    '(?:ERROR|WARNING|INFO|CRITICAL) \\d\\d-\\d\\d [\\d:.]{5,15} \\[[^\\]\\n]{1,80}\\] ?',
    '(?:\\d{4}-\\d\\d-\\d\\d[T ][\\d:.,]{8,16}(?:Z|[+-]\\d\\d:?\\d\\d)? ?\\|? ?)(?=Traceback| {2}File| {4}\\w)',
  ].join('|')})+`,
  'gm',
);
