import type * as vscode from 'vscode';
import type { CellOutput } from '../../server/src/protocol.ts';

const KINDS: Readonly<Record<string, CellOutput['kind']>> = {
  'application/vnd.code.notebook.error': 'error',
  'application/vnd.code.notebook.stderr': 'stderr',
  'application/vnd.code.notebook.stdout': 'stdout',
};

/** Bytes of one output that are looked at: its beginning, and its end, where an error stands. */
const BEGINNING = 2 ** 14;
const END = 2 ** 16;

/** Outputs of one cell that are looked at, the last ones. */
const MOST_OUTPUTS = 50;

/** Of a cell, its outputs. */
interface Outputs {
  readonly outputs: readonly { readonly items: readonly Pick<vscode.NotebookCellOutputItem, 'mime' | 'data'>[] }[];
}

interface Output {
  readonly kind: CellOutput['kind'];
  readonly chunks: Uint8Array[];
}

/** What a cell has put out as text, without what it shows otherwise; streams are joined where they come in pieces. */
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

/** The traceback as the kernel wrote it, or what there is of the exception. */
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
