/** Keras 2 layers for single TensorFlow operations, which give the name of the function that they call. */

/** TensorFlow functions that only compute: whole modules, and names of functions outside these modules. */
const COMPUTING_MODULES =
  /^(__operators__|bitwise|dtypes|image|linalg|math|nn|quantization|ragged|random|sets|signal|sparse|strings|keras\.(activations|backend|losses|metrics))\.[\w.]+$/;
const COMPUTING: ReadonlySet<string> = new Set(
  `abs acos acosh add add_n argmax argmin argsort asin asinh atan atan2 atanh batch_to_space boolean_mask broadcast_to cast
   clip_by_global_norm clip_by_norm clip_by_value complex concat constant convert_to_tensor cos cosh cumsum divide einsum
   ensure_shape equal exp expand_dims eye fill floor gather gather_nd greater greater_equal identity identity_n less
   less_equal linspace logical_and logical_not logical_or matmul maximum meshgrid minimum multiply negative norm not_equal
   one_hot ones ones_like pad pow range rank realdiv reduce_all reduce_any reduce_logsumexp reduce_max reduce_mean
   reduce_min reduce_prod reduce_sum repeat reshape reverse reverse_sequence roll round scalar_mul scatter_nd searchsorted
   sequence_mask shape shape_n sigmoid sign sin sinh size slice sort space_to_batch split sqrt square squeeze stack
   stop_gradient strided_slice subtract tan tanh tensor_scatter_nd_add tensor_scatter_nd_update tensordot tile
   to_float transpose truediv truncatediv unique unstack where zeros zeros_like`.split(/\s+/),
);
/** Graph operations in models written by tf.keras of TensorFlow 1.15 to 2.3. */
const COMPUTING_OPERATIONS =
  /^(Abs|Acosh?|Add(N|V2)?|All|Any|Arg(Max|Min)|Asinh?|Atan[2h]?|BatchMatMul(V2)?|BiasAdd|BroadcastTo|Cast|Ceil|ClipByValue|Concat(V2)?|Const|Conv[23]D|Cosh?|Cumsum|DepthToSpace|Div(NoNan)?|Einsum|Elu|Equal|Erf|Exp|ExpandDims|Fill|Floor(Div|Mod)?|Gather(Nd|V2)?|Greater(Equal)?|Identity|L2Loss|LeakyRelu|Less(Equal)?|Log(1p|Softmax)?|Logical(And|Not|Or)|MatMul|Max(imum)?|Mean|Min(imum)?|MirrorPad|Mod|Mul(NoNan)?|Neg|NotEqual|OneHot|OnesLike|Pack|Pad(V2)?|Pow|Prod|Range|Rank|RealDiv|Reciprocal|Relu6?|Reshape|ResizeBilinear|ResizeNearestNeighbor|ReverseV2|Round|Rsqrt|Select(V2)?|Selu|Shape|Sigmoid|Sign|Sinh?|Size|Slice|Softmax|Softplus|Softsign|SpaceToDepth|Split(V)?|Sqrt|Square|SquaredDifference|Squeeze|StopGradient|StridedSlice|Sub|Sum|Tanh?|Tile|TopKV2|Transpose|Unpack|ZerosLike)$/;

/** Functions that access files, the network or Python. */
const UNSAFE =
  /^(io|raw_ops|data|saved_model|train|summary|distribute|profiler|sysconfig|py_function|numpy_function|load_\w+|print|debugging|keras\.utils)(\.|$)/;

/** A function that may do more than compute. `isUnsafe` is true if it is known to access files or Python. */
export interface CalledFunction {
  readonly name: string;
  readonly isUnsafe: boolean;
}

/** Returns the function that a layer calls; undefined if it only computes or if the layer is of another class. */
export function functionCalledBy(className: unknown, config: unknown): CalledFunction | undefined {
  const given = (typeof config === 'object' && config !== null ? config : {}) as Readonly<Record<string, unknown>>;
  switch (className) {
    case 'TFOpLambda':
    case 'SlicingOpLambda':
      return typeof given.function === 'string' ? calledFunction(given.function) : undefined;
    case 'ClassMethod':
      return { name: `${given.cls_symbol}.${given.method_name}`, isUnsafe: false };
    case 'InstanceMethod':
    case 'InstanceProperty': {
      const name = String(given.method_name ?? given.attr_name);
      return name.startsWith('_') ? { name, isUnsafe: true } : undefined;
    }
    case 'TensorFlowOpLayer':
      return calledOperation(given.node_def);
    default:
      return undefined;
  }
}

function calledFunction(name: string): CalledFunction | undefined {
  const plain = name.replace(/^(tf\.)?(compat\.v[12]\.)?/, '');
  if (COMPUTING_MODULES.test(plain) || COMPUTING.has(plain)) return undefined;
  return { name, isUnsafe: UNSAFE.test(plain) };
}

/** Reads the operation from a node description, which is an object or its text form. */
function calledOperation(node: unknown): CalledFunction | undefined {
  const described = typeof node === 'object' && node !== null ? (node as { op?: unknown }).op : undefined;
  const name = String(described ?? /"?op"?\s*:\s*"(\w+)"/.exec(String(node))?.[1] ?? 'an operation');
  return COMPUTING_OPERATIONS.test(name) ? undefined : { name, isUnsafe: false };
}
