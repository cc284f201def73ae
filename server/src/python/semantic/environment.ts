/** Environments: the definitions by name that may be the latest. A branch is a layer over its starting environment. */
import type { Definition, LastDefinitions } from './scopes.ts';

export class Environment implements LastDefinitions {
  #own: Map<string, readonly Definition[]> | undefined;
  readonly #base: Environment | undefined;

  constructor(base?: Environment) {
    this.#base = base;
  }

  get(name: string): readonly Definition[] | undefined {
    for (let layer: Environment | undefined = this; layer; layer = layer.#base) {
      const found = layer.#own?.get(name);
      if (found) return found;
    }
    return undefined;
  }

  set(name: string, definitions: readonly Definition[]): void {
    this.#own ??= new Map();
    this.#own.set(name, definitions);
  }

  /** The definitions set in this layer and in those between it and `base`, which is excluded. */
  since(base: Environment): ReadonlyMap<string, readonly Definition[]> {
    if (this.#base === base) return this.#own ?? NOTHING;
    const found = new Map<string, readonly Definition[]>();
    for (let layer: Environment | undefined = this; layer && layer !== base; layer = layer.#base) {
      for (const [name, definitions] of layer.#own ?? NOTHING) if (!found.has(name)) found.set(name, definitions);
    }
    return found;
  }
}

const NOTHING: ReadonlyMap<string, readonly Definition[]> = new Map();
