import { isNameIn } from '../../../published/releases/libraryNames.ts';

/**
 * The classes that a NeMo configuration may name: those of NeMo and PyTorch themselves. NeMo resolves a name attribute
 * by attribute, and every module has the modules that it imports as attributes, so each part must be a known module
 * name.
 */

/** PyTorch modules with layers, losses, optimizers and schedules. */
const TORCH_MODULE =
  /^torch\.(nn|nn\.modules\.(activation|adaptive|batchnorm|container|conv|distance|dropout|flatten|fold|instancenorm|linear|loss|normalization|padding|pixelshuffle|pooling|rnn|sparse|transformer|upsampling)|optim|optim\.(adadelta|adagrad|adam|adamax|adamw|asgd|lbfgs|lr_scheduler|nadam|radam|rmsprop|rprop|sgd|sparse_adam|swa_utils))\.[A-Z]\w*$/;

/** True for a class that belongs to NeMo or PyTorch. */
export function isKnownClass(name: string): boolean {
  if (TORCH_MODULE.test(name)) return true;
  // Older versions keep parts of speech synthesis in a folder named `torch`.
  const [root, area, ...rest] = name.replace(/^(nemo\.collections\.tts)\.torch\./, '$1.').split('.');
  const className = rest.pop() ?? '';
  const isPlaced =
    root === 'nemo' && (area === 'collections' || area === 'core') && rest.every((part) => isNameIn('nemo', part));
  return isPlaced && /^[A-Z]\w*$/.test(className);
}
