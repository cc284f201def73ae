/** Exit status of a run with findings. */
export const FOUND = 1;

/** Exit status of a run with an error. */
export const FAILED = 2;
