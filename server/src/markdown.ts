import { oneLine } from './printable.ts';

/**
 * Escapes text of unknown origin for Markdown. Versions and paths come from files in the workspace, which must not be
 * able to add links or images in the editor.
 */
export function escapeMarkdown(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]<>|]/g, '\\$&');
}

/** Formats text of unknown origin as a code span; inside a table, its `|` must be escaped. */
export function codeSpan(text: string): string {
  const line = oneLine(text);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = longest > 0 ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

/**
 * Converts our own Markdown to plain text: without markup, with table cells side by side and addresses after their
 * links.
 */
export function withoutMarkup(markdown: string): string {
  const lines = markdown.split('\n').flatMap((line) => {
    if (/^\|[\s:|-]+\|$/.test(line)) return [];
    const cells = /^\| (.*) \|$/.exec(line)?.[1];
    return [cells === undefined ? line : cells.split(' | ').join('  ')];
  });
  return lines
    .join('\n')
    .replace(/\[([^\]]*)\]\(([^)\s]*)\)/g, (_, title, address) =>
      /^command:/.test(address) ? title : `${title} (${address})`,
    )
    .replace(/\*\*(.+?)\*\*/g, '$1')
    .replace(/(`+) ?(.+?) ?\1/g, '$2')
    .replace(/\\([\\`*_[\]<>|])/g, '$1')
    .replace(/^---$/gm, '')
    .replace(/\n{3,}/g, '\n\n');
}
