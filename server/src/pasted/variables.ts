import { gpuVariables } from '../published/variables.ts';
import type { ReportReader } from './report.ts';

const NAMES = gpuVariables().join('|');

/**
 * Notations for setting or showing a variable: in shells (including Windows), before a command, in Python, a notebook,
 * a Dockerfile.
 */
const FORMS: readonly RegExp[] = [
  new RegExp(
    `^[^\\n]{0,80}?\\becho (?:\\$\\{?|\\$env:|%)(${NAMES})[}%]?[ \\t]*\\n[ \\t]*(?![$#>])(\\S+)[ \\t]*$`,
    'gm',
  ),
  new RegExp(`^[ \\t]*(?:PS [^>\\n]{1,80}> ?)?\\$env:(${NAMES}) ?= ?("[^"\\n]*"|'[^'\\n]*')`, 'gm'),
  new RegExp(
    `^[ \\t]*(?:\\$ |# |%env |ENV |set |[\\w.@~:/-]{1,60}[$#] ?)?(?:export |set )?(${NAMES})=("[^"\\n]*"|'[^'\\n]*'|[^\\s;&]*)(?:[ \\t]*$|[ \\t]*(?:;|&&)|[ \\t]+(?:[A-Z_]+=\\S+[ \\t]+)*(?:\\./|python|torchrun|accelerate|deepspeed|bash|sh|vllm|uv|jupyter)\\S*)`,
    'gm',
  ),
  new RegExp(`\\bos\\.environ\\[["'](${NAMES})["']\\] ?= ?("[^"\\n]*"|'[^'\\n]*')`, 'g'),
];

/** Variables that the text sets or shows; one with several values is unknown. */
export const readReportedVariables: ReportReader = (text) => {
  const found = new Map<string, Set<string>>();
  let at = text.length;
  for (const { index, name, value } of FORMS.flatMap((form) => settings(form, text))) {
    found.set(name, (found.get(name) ?? new Set()).add(value));
    at = Math.min(at, index);
  }
  const reported = [...found].flatMap(([name, values]) => (values.size === 1 ? [[name, [...values][0] ?? '']] : []));
  if (reported.length === 0) return undefined;
  return { program: 'what sets variables', isWritten: true, at, variables: Object.fromEntries(reported) };
};

function settings(form: RegExp, text: string): { index: number; name: string; value: string }[] {
  return [...text.matchAll(form)].map(({ index, 1: name = '', 2: value = '' }) => ({
    index,
    name,
    value: value.replace(/^(["'])(.*)\1$/, '$2'),
  }));
}
