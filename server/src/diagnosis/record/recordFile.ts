/** The file in a project's folder that describes the stack that it is known to work with. */
export const RECORD_FILE = 'gpu-stack.yaml';
