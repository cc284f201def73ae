/** The index of the conditions that a message's `checked_by` may name, from their doc comments. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.ts';

/** The folder of the conditions, and of the index. */
export const CONDITIONS = 'server/src/explain/conditions';

/** A group of conditions: its comment, and its entries. */
const GROUP =
  /\/\*\* ((?:(?!\*\/)[\s\S])*?)(?:, by name)?\. \*\/\nexport const \w+Conditions = \{\n([\s\S]*?)\n\} satisfies/g;

/** A condition, with the comment above it if there is one. */
const ENTRY = /(?:^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^ {2}'?([a-z][\w-]*)'?: /gm;

/** Returns the page with the conditions of each group. */
export function conditionIndex(): string {
  const files = readdirSync(path.join(root, CONDITIONS)).filter((file) => file.endsWith('.ts'));
  const sections = files.sort().flatMap((file) => {
    const text = readFileSync(path.join(root, CONDITIONS, file), 'utf8');
    return [...text.matchAll(GROUP)].map(([, title = '', body = '']) => {
      const rows = [...body.matchAll(ENTRY)].map(([, comment, name]) =>
        comment === undefined ? `- \`${name}\`` : `- \`${name}\`: ${oneLine(comment)}`,
      );
      return `## ${title}\n\nIn [${file}](${file}).\n\n${rows.join('\n')}`;
    });
  });
  return `# Conditions that confirm or exclude a cause\n\n\`npm run generate\` writes this index from the doc comments.\n\n${sections.join('\n\n')}\n`;
}

const oneLine = (comment: string): string => comment.replace(/\s*\n\s*\*\s*/g, ' ').trim();
