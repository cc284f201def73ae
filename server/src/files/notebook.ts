import { isJsonObject } from '../jsonObject.ts';
import type { Cell, Source } from '../python/semantic/source.ts';
import { maskNonFinite, whereJsonBreaks } from './notebookJson.ts';
import { Trouble } from './trouble.ts';

interface Notebook {
  readonly source: Source;
  /** Clauses about cells that could not be read. */
  readonly troubles: readonly string[];
}

/**
 * Reads the Python code cells in a notebook's JSON (nbformat 4). A notebook in another language has none. Throws a
 * `Trouble` if the text is not a notebook.
 */
export function readNotebook(path: string, text: string): Notebook {
  const notebook = parse(text);
  if (!isJsonObject(notebook)) throw new Trouble('is not a notebook: its JSON is not an object');
  if (!Array.isArray(notebook.cells)) {
    if (Array.isArray(notebook.worksheets)) {
      throw new Trouble('is a notebook of format 3: convert it first with `jupyter nbconvert --to notebook`');
    }
    throw new Trouble('is not a notebook: it has no list of `cells`');
  }
  const cells: Cell[] = [];
  const troubles: string[] = [];
  if (isPython(notebook.metadata)) {
    notebook.cells.forEach((cell: unknown, index) => {
      if (!isJsonObject(cell)) {
        troubles.push(`has a cell ${index + 1} that is not an object; it was skipped`);
        return;
      }
      if (cell.cell_type !== 'code' || isOtherLanguage(cell.metadata)) return;
      const lines = sourceLines(cell.source);
      if (lines) cells.push({ index, text: lines.join('') });
      else
        troubles.push(`has a cell ${index + 1} whose \`source\` is neither text nor a list of lines; it was skipped`);
    });
  }
  return { source: { path, kind: 'notebook', cells }, troubles };
}

/** Returns the strings of a cell's `source`: a single string, or one per line. */
export function sourceLines(source: unknown): readonly string[] | undefined {
  if (typeof source === 'string') return [source];
  if (Array.isArray(source) && source.every((line) => typeof line === 'string')) return source;
  return undefined;
}

function parse(text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (json.trim() === '') throw new Trouble('is empty, not a notebook');
  try {
    return JSON.parse(json);
  } catch {
    try {
      // Python writes NaN and Infinity into outputs, which JSON does not have.
      return JSON.parse(maskNonFinite(json));
    } catch {
      throw new Trouble(`is not JSON (${whereJsonBreaks(text)})`);
    }
  }
}

function isPython(metadata: unknown): boolean {
  if (!isJsonObject(metadata)) return true;
  const { language_info: info, kernelspec: kernel } = metadata;
  if (isJsonObject(info) && typeof info.name === 'string') return isPythonName(info.name);
  if (isJsonObject(kernel) && typeof kernel.language === 'string') return isPythonName(kernel.language);
  if (isJsonObject(kernel) && typeof kernel.name === 'string') return !OTHER_KERNEL.test(kernel.name);
  return true;
}

/** Kernels whose names show that they do not run Python. A Python environment can have any name. */
const OTHER_KERNEL = /^(?:ir|bash|julia|javascript|scala|sos|rust|gophernotes|xcpp|\.net)/i;

function isPythonName(name: string): boolean {
  return /^i?python/i.test(name);
}

/** True for a cell that VS Code marks as written in another language. */
function isOtherLanguage(metadata: unknown): boolean {
  const vscode = isJsonObject(metadata) ? metadata.vscode : undefined;
  return isJsonObject(vscode) && typeof vscode.languageId === 'string' && vscode.languageId !== 'python';
}
