/** Decoding of single numbers from file bytes. */

type Read = (bytes: Buffer, isBig: boolean) => number | bigint | boolean;

/** Decoders by PyTorch's name of the element type. */
const READERS: Readonly<Record<string, readonly [size: number, read: Read]>> = {
  float64: [8, (bytes, isBig) => (isBig ? bytes.readDoubleBE() : bytes.readDoubleLE())],
  float32: [4, (bytes, isBig) => (isBig ? bytes.readFloatBE() : bytes.readFloatLE())],
  float16: [2, (bytes, isBig) => half(isBig ? bytes.readUInt16BE() : bytes.readUInt16LE())],
  bfloat16: [2, (bytes, isBig) => brain(isBig ? bytes.readUInt16BE() : bytes.readUInt16LE())],
  int64: [8, (bytes, isBig) => narrowed(isBig ? bytes.readBigInt64BE() : bytes.readBigInt64LE())],
  int32: [4, (bytes, isBig) => (isBig ? bytes.readInt32BE() : bytes.readInt32LE())],
  int16: [2, (bytes, isBig) => (isBig ? bytes.readInt16BE() : bytes.readInt16LE())],
  int8: [1, (bytes) => bytes.readInt8()],
  uint8: [1, (bytes) => bytes.readUInt8()],
  bool: [1, (bytes) => bytes.readUInt8() !== 0],
};

/** Returns the bytes of a number that can be decoded; undefined for other types. */
export function sizeOfNumber(dtype: string): number | undefined {
  return Object.hasOwn(READERS, dtype) ? READERS[dtype]?.[0] : undefined;
}

/** Decodes one number; undefined for an unsupported type or if bytes are missing. */
export function numberIn(bytes: Buffer, dtype: string, isBigEndian = false): number | bigint | boolean | undefined {
  const [size, read] = (Object.hasOwn(READERS, dtype) && READERS[dtype]) || [];
  return size === undefined || bytes.length < size ? undefined : read?.(bytes, isBigEndian);
}

function narrowed(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function brain(bits: number): number {
  const whole = Buffer.alloc(4);
  whole.writeUInt16LE(bits, 2);
  return whole.readFloatLE();
}

/** IEEE 754 binary16. */
function half(bits: number): number {
  const sign = bits >> 15 === 1 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction > 0 ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}
