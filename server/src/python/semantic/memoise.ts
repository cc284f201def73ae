/** Computes a function's result once for each object that it is asked about, for as long as that object lives. */
export function memoise<K extends object, T>(make: (key: K) => T): (key: K) => T {
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

/** Makes what is asked for when it is first asked for. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
