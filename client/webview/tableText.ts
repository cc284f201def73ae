import type { Tensor } from '../../server/src/checkpoint/checkpoint.ts';
import { elementsOf } from '../../server/src/checkpoint/dtypes.ts';
import { shapeText } from '../../server/src/report/quantities.ts';
import { COLUMNS, TITLES } from './columns.ts';
import type { Column } from './rows.ts';
import { visible } from './text.ts';

/** Tensors as text for spreadsheets: one per line, with tabs between columns and sizes in bytes. */
export function tableText(tensors: readonly Tensor[]): string {
  const columns: readonly Column[] = ['name', ...COLUMNS];
  const titles = columns.map((column) => (column === 'bytes' ? 'Bytes' : TITLES[column]));
  const rows = tensors.map((tensor) => columns.map((column) => visible(cellOf(tensor, column))));
  return [titles, ...rows].map((cells) => `${cells.join('\t')}\n`).join('');
}

function cellOf({ name, dtype, shape, device = '', bytes }: Tensor, column: Column): string {
  const cells = { name, dtype, shape: shapeText(shape), device, parameters: `${elementsOf(shape)}`, bytes: `${bytes}` };
  return cells[column];
}
