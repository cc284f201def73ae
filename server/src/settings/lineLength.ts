/** The maximum length of a project's lines, according to its formatters and linters. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectText } from '../projectFile.ts';
import { type ByFolder, cachedByFolder } from './byFolder.ts';

/** Files that may contain this setting; in each folder, the first file that contains it counts. */
export const LINE_LENGTH_FILES = [
  'ruff.toml',
  '.ruff.toml',
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  '.flake8',
  '.style.yapf',
  '.editorconfig',
] as const;

/** The default of Black and Ruff. */
const OF_FORMATTERS = 88;

/** Finds and caches the line lengths of projects, in characters; undefined if no file sets it. Never fails. */
export const findLineLengths = (): ByFolder<number | undefined> =>
  cachedByFolder<number | undefined>(
    () => undefined,
    async (folder, above) => {
      for (const name of LINE_LENGTH_FILES) {
        const own = await lineLengthOf(join(folder, name), name);
        if (own !== undefined) return own;
      }
      return above();
    },
  );

async function lineLengthOf(path: string, name: (typeof LINE_LENGTH_FILES)[number]): Promise<number | undefined> {
  const text = existsSync(path) ? projectText(path, 'settings') : undefined;
  const length = text === undefined ? undefined : lineLengthIn(name, text);
  return length !== undefined && length >= 40 && length <= 400 ? length : undefined;
}

/** Returns the line length that a file's text configures. */
function lineLengthIn(name: (typeof LINE_LENGTH_FILES)[number], text: string): number | undefined {
  switch (name) {
    case 'ruff.toml':
    case '.ruff.toml':
      return numberIn(text, /^/, 'line-length') ?? OF_FORMATTERS;
    case 'pyproject.toml':
      return (
        numberIn(text, /^\[tool\.ruff\]/m, 'line-length') ??
        numberIn(text, /^\[tool\.black\]/m, 'line-length') ??
        numberIn(text, /^\[tool\.yapf\]/m, 'column_limit') ??
        (/^\[tool\.(black|ruff)(\.|\])/m.test(text) ? OF_FORMATTERS : undefined)
      );
    case '.editorconfig':
      return (
        numberIn(text, /^\[[^\]]*\*\.(?:py|\{[^}]*\bpy\b[^}]*\})\]/m, 'max_line_length') ??
        numberIn(text, /^\[\*\]/m, 'max_line_length')
      );
    default:
      return (
        numberIn(text, /^\[(?:flake8|pycodestyle|pep8)\]/m, 'max[-_]line[-_]length') ??
        numberIn(text, /^\[(?:yapf|style)\]/m, 'column_limit')
      );
  }
}

/** Returns the number that a key in a section is set to. */
function numberIn(text: string, section: RegExp, key: string): number | undefined {
  const start = section.exec(text);
  if (!start) return undefined;
  const own = text.slice(start.index + start[0].length).split(/^\[/m)[0] ?? '';
  const value = new RegExp(String.raw`^\s*${key}\s*[=:]\s*(\d+)`, 'm').exec(own)?.[1];
  return value === undefined ? undefined : Number(value);
}
