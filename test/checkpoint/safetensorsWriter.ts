/** Returns a safetensors file of bfloat16 zeros with the given shapes. */
export function safetensorsOf(
  tensors: Readonly<Record<string, readonly number[]>>,
  metadata?: Readonly<Record<string, string>>,
): Buffer {
  let at = 0;
  const entries = Object.entries(tensors).map(([name, shape]): [string, object] => {
    const start = at;
    at += 2 * shape.reduce((product, size) => product * size, 1);
    return [name, { dtype: 'BF16', shape, data_offsets: [start, at] }];
  });
  const header = Buffer.from(
    JSON.stringify({ ...(metadata && { __metadata__: metadata }), ...Object.fromEntries(entries) }),
  );
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, Buffer.alloc(at)]);
}
