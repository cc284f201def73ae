/** The parser's nodes, before they become syntax. */

/** A node as the parser gives it, tokens without a field left out. */
export interface Raw {
  type: string;
  field: string | undefined;
  start: number;
  end: number;
  children: Raw[];
}

export const field = (raw: Raw, name: string): Raw | undefined => raw.children.find((child) => child.field === name);
export const fields = (raw: Raw, name: string): Raw[] => raw.children.filter((child) => child.field === name);
export const ofType = (raw: Raw, ...types: string[]): Raw[] =>
  raw.children.filter((child) => types.includes(child.type));

/** Where a node lies. */
export interface Where {
  start: number;
  end: number;
}
