/** Exit status of a run that found something. */
export const FOUND = 1;

/** Exit status of a run in which something went wrong. */
export const FAILED = 2;
