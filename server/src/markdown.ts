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

/** Returns Markdown of ours as plain text: no marks, the cells of tables beside each other, addresses behind their links. */
export function plainText(markdown: string): string {
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
