/** The installed version of Keras that a program uses. */
import type { Program } from '../../guards/program.ts';
import type { Here } from '../../loading/here.ts';

/** True for a program that deliberately loads with Keras 2, even if another version of Keras is installed. */
export function usesLegacyKeras({ text }: Program): boolean {
  return /\b(tf_keras|TF_USE_LEGACY_KERAS)\b/.test(text);
}

/**
 * Returns the version of the Keras that a program calls. Undefined if it is unknown: Keras is not installed, or the
 * program imports several versions.
 */
export function kerasOf(program: Program, { keras, tfKeras, usesTfKeras = false }: Here): string | undefined {
  const imports = (name: string) => new RegExp(`^\\s*(import|from)\\s+${name}\\b`, 'm').test(program.text);
  const isSwitched = usesTfKeras || /\bTF_USE_LEGACY_KERAS\b/.test(program.text);
  const isLegacy = usesLegacyKeras(program) || (usesTfKeras && imports('tensorflow'));
  if (!isLegacy) return keras ?? undefined;
  // Without the switch, TensorFlow provides Keras 3.
  const isMixed = imports('keras') || (imports('tensorflow') && !isSwitched);
  return isMixed ? undefined : (tfKeras ?? undefined);
}
