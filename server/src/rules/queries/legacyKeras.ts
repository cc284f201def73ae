/** Which of the installed versions of Keras a program uses. */
import type { Program } from '../../guards/program.ts';
import type { Here } from '../../loading/here.ts';

/** True for a program that loads with Keras 2 on purpose, whatever version of Keras is installed beside it. */
export function usesLegacyKeras({ text }: Program): boolean {
  return /\b(tf_keras|TF_USE_LEGACY_KERAS)\b/.test(text);
}

/**
 * The version of the Keras that a program's calls of Keras go to. Undefined where it is not known: what is not installed, and
 * a program that imports more than one of them.
 */
export function kerasOf(program: Program, { keras, tfKeras, usesTfKeras = false }: Here): string | undefined {
  const imports = (name: string) => new RegExp(`^\\s*(import|from)\\s+${name}\\b`, 'm').test(program.text);
  const isSwitched = usesTfKeras || /\bTF_USE_LEGACY_KERAS\b/.test(program.text);
  const isLegacy = usesLegacyKeras(program) || (usesTfKeras && imports('tensorflow'));
  if (!isLegacy) return keras ?? undefined;
  // Without the switch, what is reached by TensorFlow is Keras 3.
  const isMixed = imports('keras') || (imports('tensorflow') && !isSwitched);
  return isMixed ? undefined : (tfKeras ?? undefined);
}
