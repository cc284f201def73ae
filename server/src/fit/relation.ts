/**
 * One answer to whether a build fits a machine and the builds beside it. Judges ask it about what is installed, rules on
 * environment files about what is declared, objections about what a command would install, and the solver about what is
 * published. Each of them words its own sentences.
 */
/** An answer, with the details that an asker words; what is unknown names the missing fact. */
export type Fit<Details = object> =
  | ({ readonly fit: 'holds' | 'fails' } & Details)
  | { readonly fit: 'unknown'; readonly missing: string };
