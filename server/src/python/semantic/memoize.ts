/** Caches a function's result for each object for as long as the object lives. */
export function memoize<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, { readonly value: T }>();
  return (key) => {
    let known = made.get(key);
    if (!known) {
      known = { value: make(key) };
      made.set(key, known);
    }
    return known.value;
  };
}

/** Caches a function's result for each object and each key, for as long as the object lives. */
export function memoizeBy<O extends object, K, T>(make: (owner: O, key: K) => T): (owner: O, key: K) => T {
  const madeFor = memoize((_: O) => new Map<K, { readonly value: T }>());
  return (owner, key) => {
    const made = madeFor(owner);
    const known = made.get(key) ?? { value: make(owner, key) };
    made.set(key, known);
    return known.value;
  };
}

/** Caches a function's result for each text. */
export function memoizeByText<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    let known = made.get(text);
    if (known === undefined && !made.has(text)) {
      known = make(text);
      made.set(text, known);
    }
    return known as T;
  };
}

/** Computes a value on the first call and caches it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
