/**
 * The contract of the stack read-out: what is known about this machine's GPU software and from where, or why it is
 * unknown. `gpu-doctor stack --json` prints it; the version changes when a field changes its meaning.
 */
