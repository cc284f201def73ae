import { kerasRefusing, kerasTableNames } from '../../loading/kerasVersions.ts';
import { type Condition, type ShownFact, type Situation, shown } from './condition.ts';

/**
 * Names exported by Keras 2.2 to 3.15, taken from its sources, in addition to its release table. Names that people
 * often give to their own classes are excluded.
 */
const EXPORTED = `AbstractRNNCell Activation ActivityRegularization Adafactor AdamW Add AlphaDropout AUC Average
  BatchNormalizationV1 BatchNormalizationV2 Bidirectional BinaryAccuracy BinaryCrossentropy CategoricalAccuracy
  CategoricalCrossentropy CategoricalHinge Concatenate Constant CosineDecay CosineSimilarity DenseFeatures Dot Dropout
  DTypePolicy ELU ExponentialDecay FalseNegatives FalsePositives Flatten GetItem Hinge KLDivergence L1L2 Lambda Lion
  LogCoshError LossScaleOptimizer Masking MaxNorm Maximum MeanAbsoluteError MeanAbsolutePercentageError MeanIoU
  MeanSquaredLogarithmicError Minimum Model Multiply NonNeg NotEqual Ones Permute PiecewiseConstantDecay Poisson Policy
  PolynomialDecay Precision PReLU Recall ReLU RepeatVector Reshape RootMeanSquaredError Sequential Softmax
  SparseCategoricalAccuracy SparseCategoricalCrossentropy SquaredHinge StackedRNNCells Subtract SyncBatchNormalization
  TFSMLayer TimeDistributed TopKCategoricalAccuracy TrueDivide TrueNegatives TruePositives Zeros
  binary_accuracy binary_crossentropy categorical_accuracy categorical_crossentropy cosine_similarity gelu hard_sigmoid
  hard_swish leaky_relu log_softmax mean_absolute_error mean_squared_error mish relu6 silu sparse_categorical_accuracy
  sparse_categorical_crossentropy swish`;

const NAMES: ReadonlySet<string> = new Set([...EXPORTED.split(/\s+/), ...kerasTableNames]);

/** Layers with one variant for each number of dimensions. */
const OF_EACH_DIMENSION =
  /^(?:(?:Global)?(?:Average|Avg|Max)Pool(?:ing)?|Conv|Convolution|Cropping|UpSampling|ZeroPadding)[123]D(?:Transpose)?$/;

/** Names in the table that people also often give to their own classes. */
const COMMON: ReadonlySet<string> = new Set(['Attention', 'Dice', 'Identity', 'Normalization', 'Tversky', 'identity']);

const isOfKeras = (name: string): boolean => (NAMES.has(name) && !COMMON.has(name)) || OF_EACH_DIMENSION.test(name);

/** The module in the description of the object that was not found. */
const MODULE = /Full object config: \{'module': (?:'(?<module>[\w.]+)'|None)/;

function named(name: string | undefined): ShownFact | undefined {
  return name === undefined
    ? undefined
    : shown(isOfKeras(name), isOfKeras(name) ? `${name} is one of Keras's own names` : '');
}

/** The layers that tf.keras created for calls of TensorFlow. */
const OPERATIONS = /^(?:TFOpLambda|SlicingOpLambda|ClassMethod|InstanceMethod|InstanceProperty|TensorFlowOpLayer)$/;

/** Keras 3's message about an unknown argument; older versions word it differently. */
const BY_KERAS_3 = /keyword arguments passed to \w+: \{/;
/** How it starts in Keras 2.12 and newer. */
const BY_KERAS_2_12 = /when deserializing class/;

/** The version ranges that may have printed a text. */
function printing(text: string): RegExp {
  if (BY_KERAS_3.test(text)) return /^keras 3/;
  return BY_KERAS_2_12.test(text) ? /^tensorflow.*\.\.(?:2\.1[2-9])?$/ : /^tensorflow|^keras \.\./;
}

/** `keras 3..3.12.0` in words. */
function spelled(range: string): string {
  const [line = '', first = '', last = ''] = range.split(/ |\.\./);
  const name = line === 'keras' ? 'Keras' : 'TensorFlow';
  return last === '' ? `${name} ${first} and newer` : `${name} ${first === '' ? 'up' : first} to ${last}`;
}

/**
 * Based on the releases that reject the argument in a message, among those of the generation that printed the message.
 */
function onRefusing(look: RegExp, says: (subject: string, refusing: string) => string): Condition {
  return ({ text, parts: { class: name, argument } }: Situation) => {
    if (argument === undefined) return undefined;
    const printed = printing(text);
    const range = kerasRefusing(argument, name).find((each) => printed.test(each) && look.test(each));
    const subject = `${argument}${name === undefined ? '' : ` of ${name}`}`;
    return range === undefined ? undefined : shown(true, says(subject, spelled(range)));
  };
}

/** Conditions on the class and the argument in a Keras message. */
export const kerasObjectConditions = {
  /**
   * The catalogue's regular expressions are case-insensitive, so they match both MultiheadAttention, from another
   * package, and MultiHeadAttention.
   */
  'object-of-keras': ({ text, parts: { name } }) => {
    const described = MODULE.exec(text);
    if (name === undefined || !described) return named(name);
    const module = described.groups?.module;
    return shown(
      module !== undefined && /^(?:tf_)?keras\b/.test(module),
      `according to its description, it belongs to ${module ?? 'no module'}`,
    );
  },
  'class-of-keras': ({ parts: { class: name } }) => named(name),
  'operation-of-tensorflow': ({ parts: { name } }) =>
    name === undefined ? undefined : shown(OPERATIONS.test(name), `${name} is what tf.keras calls such a layer`),
  'argument-of-keras-2': onRefusing(/^keras 3.*\.\.$/, (subject) => `no Keras 3 accepts ${subject}`),
  /** Names that later releases of the reader's generation accepted, or that the package keras before 2.4 never had. */
  'argument-of-newer-keras': onRefusing(
    /\.\.[\d.]+$|^keras \.\.$/,
    (subject, refusing) => `a newer Keras accepts ${subject}, which ${refusing} rejects`,
  ),
} satisfies Record<string, Condition>;
