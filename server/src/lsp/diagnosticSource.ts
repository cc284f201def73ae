/** The source of our diagnostics, as editors show it. */
export const SOURCE = 'gpu-doctor';
