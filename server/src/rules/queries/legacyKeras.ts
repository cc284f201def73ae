import type { Program } from '../../guards/program.ts';

/** True for a program that loads with Keras 2 on purpose, whatever version of Keras is installed beside it. */
export function usesLegacyKeras({ text }: Program): boolean {
  return /\b(tf_keras|TF_USE_LEGACY_KERAS)\b/.test(text);
}
