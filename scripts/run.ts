/** Runs a script's work; what goes wrong is said in its message's words, not as a stack. */
export async function run(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
