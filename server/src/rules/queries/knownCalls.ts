import { deviceCallables, loaders, raisingCalls, readers } from '../catalogue/catalogue.ts';

/** `load` of `torch.load` */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** The last parts of the names of everything in the catalogues: calls of other names, which are most, need not be resolved. */
export const knownNames: ReadonlySet<string> = new Set(
  [...loaders.keys(), ...readers.keys(), ...deviceCallables.keys(), ...raisingCalls.keys()].map(lastPart),
);
