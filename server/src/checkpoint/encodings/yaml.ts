import { type Document, isNode, parseDocument, visit } from 'yaml';
import type { Budget } from '../budget.ts';

/** Characters that only PyYAML treats as line breaks, that end YAML text, or that are invalid. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them on purpose.
const UNLIKE_YAML = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffd-\uffff]|\r(?!\n)/;

/** Directives, which change the meaning of tags. */
const DIRECTIVE = /^%/m;

/** Tags of plain values. */
const PLAIN_TAG = /^tag:yaml\.org,2002:(str|int|float|bool|null|seq|map)$/;

/**
 * Returns why other libraries may read YAML text differently, as a clause that follows the file's name; undefined if
 * they do not.
 */
export function doubtAboutYaml(text: string): string | undefined {
  if (UNLIKE_YAML.test(text)) return 'has characters that YAML libraries read in different ways';
  return DIRECTIVE.test(text) ? 'has YAML directives, which are not checked' : undefined;
}

/**
 * Parses YAML. Undefined for anything else, for text that costs more than the rest of the budget, and if tags make YAML
 * libraries create objects other than plain values.
 */
export function plainYamlIn(text: string, budget: Budget): Document | undefined {
  if (!isWithinBudget(text, budget)) return undefined;
  const document = parseDocument(text, { logLevel: 'error' });
  return document.errors.length > 0 || hasTags(document) ? undefined : document;
}

function hasTags(document: Document): boolean {
  let found = false;
  visit(document, {
    Node(_, node) {
      if (!isNode(node) || !('tag' in node) || node.tag === undefined || PLAIN_TAG.test(node.tag)) return undefined;
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

/**
 * Characters that begin or end a node, including line ends, and the parser's cost for each such character and for each
 * letter.
 */
const SIGNS = new Set(Buffer.from('\n,:[]{}-?&*!'));
const STEPS = { sign: 1200, letter: 5 };
/** The parser compares each key with its siblings and each anchor with all earlier ones. */
const STEPS_PER_PAIR = { keys: 0.6, anchors: 3 };
/** Nesting levels of brackets, and of lists and keys that begin on one line; configurations have about five. */
const DEEPEST = 50;

/**
 * Counts the cost of parsing YAML text, estimated from its punctuation: the parser takes quadratic time for keys and
 * anchors, and recurses into nested nodes. Returns false if the text is nested too deeply or costs more than the rest
 * of the budget.
 */
function isWithinBudget(text: string, budget: Budget): boolean {
  let [signs, keys, anchors, depth, deepest, begun] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (!SIGNS.has(sign)) continue;
    signs++;
    if (sign === COLON || sign === QUESTION) keys++;
    if (sign === AND) anchors++;
    if (sign === BRACKET || sign === BRACE) deepest = Math.max(deepest, ++depth);
    if (sign === BRACKET_CLOSE || sign === BRACE_CLOSE) depth = Math.max(0, depth - 1);
    begun = sign === LINE_FEED ? 0 : isBlank(text.charCodeAt(at + 1)) && NESTING.has(sign) ? begun + 1 : begun;
    deepest = Math.max(deepest, begun);
  }
  const pairs = keys ** 2 * STEPS_PER_PAIR.keys + anchors ** 2 * STEPS_PER_PAIR.anchors;
  const steps = signs * STEPS.sign + text.length * STEPS.letter + pairs;
  if (deepest > DEEPEST || steps > budget.left()) return false;
  budget.spend(steps);
  return true;
}

const [LINE_FEED, COLON, QUESTION, AND] = [0x0a, 0x3a, 0x3f, 0x26];
const [BRACKET, BRACE, BRACKET_CLOSE, BRACE_CLOSE] = [0x5b, 0x7b, 0x5d, 0x7d];
/** Characters that begin a nested node on the same line. */
const NESTING = new Set(Buffer.from('-?:'));
const isBlank = (code: number) => code === 0x20 || code === 0x09;
