import { type Document, isNode, parseDocument, visit } from 'yaml';
import type { Budget } from '../budget.ts';
import { isWithinBudget } from './yamlSize.ts';

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
