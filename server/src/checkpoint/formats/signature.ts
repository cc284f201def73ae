/** True if a file begins with the signature, given as Latin-1 text. */
export function startsWith(head: Buffer, signature: string): boolean {
  return head.toString('latin1', 0, signature.length) === signature;
}

/** Returns a file's beginning as text; undefined if it contains bytes that do not occur in text. */
export function leadingText(head: Buffer): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these distinguish binary data from text.
  return /[\x00-\x08\x0e-\x1f]/.test(head.toString('latin1')) ? undefined : head.toString('utf8');
}
