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
