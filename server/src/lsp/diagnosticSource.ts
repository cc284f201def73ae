/** Whom an editor names as the source of our diagnostics. */
export const SOURCE = 'gpu-doctor';
