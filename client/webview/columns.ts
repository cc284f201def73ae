import { bytesText } from '../../server/src/checkpoint/byteSizes.ts';
import type { Tensor } from '../../server/src/checkpoint/checkpoint.ts';
import { elementsOf } from '../../server/src/checkpoint/dtypes.ts';
import { shapeText } from '../../server/src/report/quantities.ts';
import type { Column } from './rows.ts';
import type { Group, Node } from './tree.ts';

/** The columns after the name, in order. */
export const COLUMNS: readonly Exclude<Column, 'name'>[] = ['dtype', 'shape', 'device', 'parameters', 'bytes'];

export const TITLES: Readonly<Record<Column, string>> = {
  name: 'Name',
  dtype: 'Type',
  shape: 'Shape',
  device: 'Saved on',
  // Buffers have them too.
  parameters: 'Elements',
  bytes: 'Size',
};

const { format: countText } = new Intl.NumberFormat('en');

/** The text in a column; for a group, the common properties. */
export function cellText(node: Node, column: Exclude<Column, 'name'>): string {
  if (node.kind === 'tensor') {
    const { dtype, shape, device = '', bytes } = node.tensor;
    const texts = { dtype, shape: shapeText(shape), device };
    if (column === 'parameters') return countText(elementsOf(shape));
    return column === 'bytes' ? bytesText(bytes) : texts[column];
  }
  const { dtypes, tensors, devices, parameters, bytes } = node.total;
  switch (column) {
    case 'dtype':
      return dtypes.join(', ');
    case 'shape':
      return tensors === 1 ? '1 tensor' : `${countText(tensors)} tensors`;
    case 'device':
      return devices.join(', ');
    case 'parameters':
      return countText(parameters);
    case 'bytes':
      return bytesText(bytes);
  }
}

/** Maximum width of a column in characters: one unusual tensor does not take space from the names. */
const WIDEST = 24;

/** The widths of the columns in characters, based on their content. An empty column has no width. */
export function columnWidths(
  root: Group,
  tensors: readonly Tensor[],
): Readonly<Record<Exclude<Column, 'name'>, number>> {
  const all = (column: Exclude<Column, 'name'>) => cellText(root, column).length;
  const shapes = tensors.reduce((widest, { shape }) => Math.max(widest, shapeText(shape).length), all('shape'));
  const needed = { dtype: all('dtype'), shape: shapes, device: all('device'), parameters: all('parameters'), bytes: 9 };
  for (const column of COLUMNS)
    if (needed[column] > 0) needed[column] = Math.min(WIDEST, Math.max(needed[column], TITLES[column].length + 2));
  return needed;
}
