/** Notebooks on disk, as Jupyter writes them. */

interface Cell {
  readonly cell_type: string;
  readonly source: readonly string[];
  readonly metadata: object;
}

/** A cell with its outputs, in the file format. */
export function code(source: string, outputs: readonly object[] = []): Cell {
  return { cell_type: 'code', ...{ execution_count: null, outputs }, metadata: {}, source: linesOf(source) };
}

export function markdown(source: string): Cell {
  return { cell_type: 'markdown', metadata: {}, source: linesOf(source) };
}

/** Returns the text of a Python notebook. */
export function notebook(...cells: readonly Cell[]): string {
  const document = {
    cells: cells.map((cell, index) => ({ id: `cell-${index}`, ...cell })),
    metadata: {
      kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
      language_info: { name: 'python' },
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

function linesOf(source: string): string[] {
  return source.split(/(?<=\n)/);
}
