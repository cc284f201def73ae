import type { Checkpoint } from '../checkpoint/checkpoint.ts';
import { FORMATS } from '../checkpoint/formats/index.ts';

/** `joblib file, compressed by zlib`; for Keras also whether it is a model or only the weights for one. */
export function formatText({
  format,
  compression,
  holds,
}: Pick<Checkpoint, 'format' | 'compression' | 'holds'>): string {
  if (compression !== undefined) return `${FORMATS[format].title}, compressed with ${compression}`;
  if (holds === undefined || format === 'keras') return FORMATS[format].title;
  return `${holds === 'model' ? 'Keras model' : 'weights of a Keras model'}, in ${FORMATS[format].noun}`;
}
