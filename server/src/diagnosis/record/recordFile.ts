/** The file in the folder of a project that says which stack it is known to work with. */
export const RECORD_FILE = 'gpu-stack.yaml';
