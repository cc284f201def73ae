/** A way out of a diagnosis, or a step of one. */
export interface Remedy {
  /** Without a full stop. */
  title: string;
  command?: string;
  /** A further step of the way that stands before it; without it, another way. */
  continues?: true;
  /** The lowest driver that would do, of a remedy that updates it: two of them are one step, to the higher one. */
  driver?: string;
}
