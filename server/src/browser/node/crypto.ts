/** Replaces `node:crypto` in a browser, whose own hashes are only computed asynchronously: SHA-256 (FIPS 180-4). */

const K = fractions(64, (prime) => Math.cbrt(prime));
const START = fractions(8, (prime) => Math.sqrt(prime));

/** The first 32 bits of the fractional parts of roots of the first primes. */
function fractions(count: number, root: (prime: number) => number): readonly number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return primes.map((prime) => ((root(prime) % 1) * 2 ** 32) | 0);
}

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by));

function sha256(message: Uint8Array): Uint8Array {
  // Padded with a bit, zeros, and the length in bits.
  const padded = new Uint8Array((((message.length + 8) >> 6) + 1) << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(padded.length - 8, Math.floor((message.length * 8) / 2 ** 32));
  words.setUint32(padded.length - 4, (message.length * 8) >>> 0);

  const state = [...START];
  const w = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = words.getInt32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [one = 0, other = 0] = [w[i - 15], w[i - 2]];
      const s0 = rotate(one, 7) ^ rotate(one, 18) ^ (one >>> 3);
      const s1 = rotate(other, 17) ^ rotate(other, 19) ^ (other >>> 10);
      w[i] = ((w[i - 16] ?? 0) + s0 + (w[i - 7] ?? 0) + s1) | 0;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let i = 0; i < 64; i++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const first = (h + s1 + ((e & f) ^ (~e & g)) + (K[i] ?? 0) + (w[i] ?? 0)) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = ((state[index] ?? 0) + word) | 0;
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, word] of state.entries()) digest.setInt32(4 * index, word);
  return new Uint8Array(digest.buffer);
}

/** A hash of text and bytes; the algorithm is always `sha256`. */
export function createHash(_algorithm: 'sha256') {
  const parts: Uint8Array[] = [];
  return {
    update(part: string | Uint8Array) {
      parts.push(typeof part === 'string' ? new TextEncoder().encode(part) : part.slice());
      return this;
    },
    digest(encoding: 'hex' | 'base64'): string {
      const message = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
      let start = 0;
      for (const part of parts) {
        message.set(part, start);
        start += part.length;
      }
      const bytes = sha256(message);
      return encoding === 'hex'
        ? Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
        : btoa(String.fromCharCode(...bytes));
    },
  };
}

export const randomUUID = () => crypto.randomUUID();
