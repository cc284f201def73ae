/** The index of the functions that rules share, from their doc comments: what each one answers or writes. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.ts';

const ROOM = 'server/src/rules';

/** The folders of shared functions, from `rules`, with what a reader looks for in each. */
const FOLDERS = [
  ['../python/semantic', 'Arguments, literals, names and paths in a program'],
  ['queries', 'Questions about a program, and the selectors that several rules use'],
  ['fixes', 'Fixes, and the decisions that they share'],
  ['edits', 'Edits of the text of a program'],
] as const;

/** An exported function, selector or constant with its doc comment, if its name needs one. */
const EXPORTED = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?export (?:async )?(?:function|const) (\w+)/g;

/** Returns the page with a row for each shared function: its name, its file, and the first sentence of its comment. */
export function ruleIndex(): string {
  const sections = FOLDERS.map(([folder, title]) => {
    const files = readdirSync(path.join(root, ROOM, folder)).filter((file) => file.endsWith('.ts'));
    const rows = files.sort().flatMap((file) => {
      const text = readFileSync(path.join(root, ROOM, folder, file), 'utf8');
      return [...text.matchAll(EXPORTED)].map(
        ([, comment = '', name]) => `| \`${name}\` | [${file}](${folder}/${file}) | ${firstSentence(comment)} |`,
      );
    });
    return `## ${title}\n\n| name | file | |\n|---|---|---|\n${rows.join('\n')}`;
  });
  return `# What rules share\n\n\`npm run generate\` writes this index from the doc comments.\n\n${sections.join('\n\n')}\n`;
}

function firstSentence(comment: string): string {
  const text = comment
    .replace(/^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
  const [first = ''] = /^.*?[.:](?= [A-Z`]|$)/.exec(text) ?? [text];
  return first.replaceAll('|', '\\|');
}
