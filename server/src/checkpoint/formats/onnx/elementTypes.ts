/** `TensorProto.DataType`: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto */
const TYPES: readonly string[] = [
  ...'undefined float32 uint8 int8 uint16 int16 int32 int64 string bool float16 float64 uint32 uint64'.split(' '),
  ...'complex64 complex128 bfloat16 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz uint4 int4'.split(' '),
  ...'float4_e2m1fn float8_e8m0fnu uint2 int2'.split(' '),
];

/** Returns PyTorch's name of an element type. */
export function nameOfType(type: number): string {
  return TYPES[type] ?? `type ${type}`;
}
