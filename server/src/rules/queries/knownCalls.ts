import { deviceCallables, loaders, raisingCalls, readers } from '../catalogue/catalogue.ts';

/** `load` of `torch.load` */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** What the catalogues' callables are called, on whatever they are attributes of. Most calls are of other names: those need not be resolved. */
export const knownNames: ReadonlySet<string> = new Set(
  [...loaders.keys(), ...readers.keys(), ...deviceCallables.keys(), ...raisingCalls.keys()].map(lastPart),
);
