/** Generates text about checkpoint formats from their declarations: file patterns in the manifest, and a table. */
import { FORMAT_IDS, FORMATS } from '../server/src/checkpoint/formats/index.ts';
import { patternsOf } from '../server/src/checkpoint/names.ts';

/** Returns the manifest with the file names that the checkpoint editor opens by default or offers to open. */
export function withFormatPatterns(manifest: string): string {
  const content = JSON.parse(manifest);
  const [opened, offered] = content.contributes.customEditors;
  opened.selector = selectorOf(patternsOf('opened'));
  offered.selector = selectorOf(patternsOf('offered'));
  const [inspect, compare] = content.contributes.menus['explorer/context'];
  for (const [item, patterns] of [
    [inspect, patternsOf('offered')],
    [compare, patternsOf('opened', 'offered')],
  ]) {
    const names = patterns.map(expressionOf).join('|');
    item.when = item.when.replace(/(?<=resourceFilename =~ \/).*(?=\/i)/, () => names);
  }
  return `${JSON.stringify(content, null, 2)}\n`;
}

function selectorOf(patterns: readonly string[]): { filenamePattern: string }[] {
  return patterns.map((filenamePattern) => ({ filenamePattern }));
}

/** Returns a regular expression for a pattern: `\.pt$` for `*.pt`. */
function expressionOf(pattern: string): string {
  const escaped = pattern.replace(/^\*/, '').replaceAll('.', '\\.');
  return pattern.startsWith('*') ? `${escaped}$` : `^${escaped}$`;
}

/** Returns the formats of checkpoints as a table in Markdown. */
export function formatTable(): string {
  const lines = FORMAT_IDS.filter((format) => FORMATS[format].kind === 'checkpoint').map((format) => {
    const { title, files, loading, isCodeFree } = FORMATS[format];
    const names = [files?.opened, files?.offered, files?.searched].flatMap((patterns) => patterns ?? []);
    const cells = [title, names, loading?.call ? [loading.call] : [], isCodeFree ? 'no' : 'depends on the file'];
    return `| ${cells.map((cell) => (typeof cell === 'string' ? cell : cell.map((text) => `\`${text}\``).join(' '))).join(' | ')} |`;
  });
  return ['| format | files | usually loaded by | loading runs code |', '|---|---|---|---|', ...lines].join('\n');
}
