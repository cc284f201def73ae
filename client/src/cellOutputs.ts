import type * as vscode from 'vscode';
import type { CellOutput } from '../../server/src/protocol.ts';

const KINDS: Readonly<Record<string, CellOutput['kind']>> = {
  'application/vnd.code.notebook.error': 'error',
  'application/vnd.code.notebook.stderr': 'stderr',
  'application/vnd.code.notebook.stdout': 'stdout',
};

/** Maximum bytes of one output: its start, plus its end, which contains the error. */
const BEGINNING = 2 ** 14;
const END = 2 ** 16;

/** Maximum number of outputs per cell, counted from the last. */
const MOST_OUTPUTS = 50;

interface Outputs {
  readonly outputs: readonly { readonly items: readonly Pick<vscode.NotebookCellOutputItem, 'mime' | 'data'>[] }[];
}

interface Output {
  readonly kind: CellOutput['kind'];
  readonly chunks: Uint8Array[];
}

/** A cell's outputs as text, without other representations; pieces of a stream are joined. */
export function outputsOf({ outputs }: Outputs): CellOutput[] {
  const found: Output[] = [];
  for (const { mime, data } of outputs.flatMap(({ items }) => items)) {
    const kind = KINDS[mime];
    const last = found.at(-1);
    if (kind === undefined) continue;
    if (last?.kind === kind && kind !== 'error') last.chunks.push(data);
    else found.push({ kind, chunks: [data] });
  }
  return found.slice(-MOST_OUTPUTS).map(({ kind, chunks }) => {
    const data = Buffer.concat(chunks);
    return { kind, text: cut(kind === 'error' ? Buffer.from(tracebackIn(data)) : data) };
  });
}

/** The kernel's traceback, or the available parts of the exception. */
function tracebackIn(data: Buffer): string {
  try {
    const { name = 'Error', message = '', stack } = JSON.parse(data.toString());
    return typeof stack === 'string' && stack !== '' ? stack : `${name}: ${message}`;
  } catch {
    return '';
  }
}

function cut(data: Buffer): string {
  if (data.length <= BEGINNING + END) return data.toString();
  return `${data.subarray(0, BEGINNING)}\n${data.subarray(-END)}`;
}
