import { oneLine } from './printable.ts';

/**
 * Text of unknown origin as Markdown that shows just that text. Versions and paths come from files of the workspace,
 * which must not be able to put links or pictures into the editor.
 */
export function escapeMarkdown(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]<>|]/g, '\\$&');
}

/** Text of unknown origin as a code span; in a table its `|` have to be escaped. */
export function codeSpan(text: string): string {
  const line = oneLine(text);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = longest > 0 ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}
