/** An action that removes a diagnosis or a cause, written for the machine. */
export interface Remedy {
  /** In the imperative, without a period. */
  title: string;
  /** For the machine's shell. It is meant to be copied and is never run. */
  command?: string;
  /** True for another step of the way that precedes it; otherwise, the remedy is a separate way. */
  continues?: true;
  /** The minimum driver, for a remedy that updates it: two of them are one step, to the higher version. */
  driver?: string;
}
