/** An action that removes a diagnosis or a cause, written for the machine. */
export interface Remedy {
  /** In the imperative, without a full stop. */
  title: string;
  /** For the shell of the machine. It is there to be copied and is never run. */
  command?: string;
  /** True for a further step of the way that precedes it; without it, the remedy is another way. */
  continues?: true;
  /** The lowest driver that is enough, for a remedy that updates it: two of them are one step, to the higher one. */
  driver?: string;
}
