/** Replaces `node:util` in a browser. */

/** Compares plain data, sets and maps by their contents. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  if (one instanceof RegExp || one instanceof Date) return String(one) === String(other);
  if (one instanceof Set && other instanceof Set)
    return one.size === other.size && [...one].every((item) => isIn(item, other));
  if (one instanceof Map && other instanceof Map)
    return (
      one.size === other.size &&
      [...one].every(([key, value]) => other.has(key) && isDeepStrictEqual(value, other.get(key)))
    );
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    (!Array.isArray(one) || one.length === (other as readonly unknown[]).length) &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) &&
        isDeepStrictEqual((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}

function isIn(item: unknown, set: ReadonlySet<unknown>): boolean {
  return set.has(item) || (typeof item === 'object' && [...set].some((other) => isDeepStrictEqual(item, other)));
}
