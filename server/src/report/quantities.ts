import { bytesText } from '../checkpoint/byteSizes.ts';

/** `3 × 8` */
export function shapeText(shape: readonly number[]): string {
  return shape.length === 0 ? 'scalar' : shape.join(' × ');
}

/** `398 tensors, 687 MB` */
export function totalText({ tensors, bytes }: { readonly tensors: number; readonly bytes: number }): string {
  return `${tensors.toLocaleString('en')} ${tensors === 1 ? 'tensor' : 'tensors'}, ${bytesText(bytes)}`;
}
