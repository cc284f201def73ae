/** Replaces modules that a browser never needs, such as the readers of checkpoints. */
throw new Error('This part of GPU Doctor does not run in a browser.');

export {};
