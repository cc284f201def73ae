import type { Safety } from '../../checkpoint.ts';

/** Ways out of a template's own names, of which no chat needs any. */
const WAYS_OUT = /__\w+|\\x5f|\\u005f|\|\s*attr\b|\b(lipsum|cycler|joiner|_TemplateReference|self\._)\w*/gi;
/** What a template computes; the rest is text. */
const COMPUTED = /\{[{%]-?([\s\S]*?)-?[}%]\}/g;
/** Characters of a template that are looked at; the longest real ones have some ten thousand. */
const LONGEST = 1_000_000;

/**
 * Judges the Jinja template by which a model's prompts are made. llama-cpp-python before 0.2.72 runs it outside of a
 * sandbox (CVE-2024-34359), and sandboxes have had holes since.
 */
export function chatTemplateIn(template: string): Safety {
  if (template.length > LONGEST)
    return { verdict: 'not-checked', reason: `Not checked: its chat template has more than ${LONGEST} characters.` };
  const found = new Set<string>();
  for (const [, expression = ''] of template.matchAll(COMPUTED))
    for (const [way] of expression.matchAll(WAYS_OUT)) found.add(way);
  if (found.size === 0) return { verdict: 'no-code', reason: 'The format holds tensors and text only, no code.' };
  const ways = [...found].slice(0, 3).map((way) => `\`${way}\``);
  return {
    verdict: 'suspicious',
    reason: `Its chat template reaches for what lies outside of it, by ${ways.join(', ')}: llama-cpp-python before 0.2.72 runs code by that.`,
  };
}
