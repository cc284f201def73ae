/** `343 MB`, in powers of 1000. */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${step === 0 ? bytes : (bytes / 1000 ** step).toPrecision(3)} ${units[step]}`;
}

/** `3 × 8` */
export function shapeText(shape: readonly number[]): string {
  return shape.length === 0 ? 'scalar' : shape.join(' × ');
}

/** `398 tensors of its state, 687 MB` */
export function trainingText(count: number, bytes: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'tensor' : 'tensors'} of its state, ${bytesText(bytes)}`;
}
