/**
 * Classes that Keras finds only by name, without a module: the exports of Keras 2.15, tf_keras 2.16, Keras 3.10 and
 * 3.15, and their older names.
 */
const NAMES: ReadonlySet<string> = new Set(
  `AUC AWQConfig AWQDTypePolicy AbsMaxQuantizer AbstractRNNCell Accuracy Activation ActivityRegularization Adadelta
   Adafactor Adagrad Adam AdamW Adamax AdaptiveAveragePooling1D AdaptiveAveragePooling2D AdaptiveAveragePooling3D
   AdaptiveMaxPooling1D AdaptiveMaxPooling2D AdaptiveMaxPooling3D Add AdditiveAttention AlphaDropout
   AtrousConvolution1D AtrousConvolution2D Attention AugMix AutoContrast Average AveragePooling1D AveragePooling2D
   AveragePooling3D AvgPool1D AvgPool2D AvgPool3D BaseDenseAttention BaseLossScaleOptimizer BaseRandomLayer
   BasicLSTMCell BasicRNNCell BatchNormalization BatchNormalizationV1 BatchNormalizationV2 Bidirectional
   BinaryAccuracy BinaryCrossentropy BinaryFocalCrossentropy BinaryIoU CTC CategoricalAccuracy
   CategoricalCrossentropy CategoricalFocalCrossentropy CategoricalGeneralizedCrossEntropy CategoricalHinge
   CategoryEncoding CenterCrop Circle ClassMethod Concatenate ConcordanceCorrelation Config Constant Constraint
   ContrastLimitedAdaptiveHistogramEqualization Conv1D Conv1DTranspose Conv2D Conv2DTranspose Conv3D
   Conv3DTranspose ConvLSTM1D ConvLSTM2D ConvLSTM3D Convolution1D Convolution1DTranspose Convolution2D
   Convolution2DTranspose Convolution3D Convolution3DTranspose CosineDecay CosineDecayRestarts CosineSimilarity
   Cropping1D Cropping2D Cropping3D CuDNNGRU CuDNNLSTM CustomMaskWarning CutMix DTypePolicy DTypePolicyMap
   Deconvolution2D Dense DenseFeatures DepthwiseConv1D DepthwiseConv2D DeviceMesh DeviceWrapper Dice Discretization
   Dot Dropout DropoutWrapper DynamicEmbedding DynamicLookup ELU EinsumDense Embedding Equalization
   ExponentialDecay F1Score FBetaScore FalseNegatives FalsePositives FeatureSpace Flatten FlaxLayer
   Float8QuantizationConfig FloatDTypePolicy Ftrl Function Functional GPTQConfig GPTQDTypePolicy GRU GRUCell GRUV1
   GRUV2 GaussianDropout GaussianNoise GetItem GlobalAveragePooling1D GlobalAveragePooling2D GlobalAveragePooling3D
   GlobalAvgPool1D GlobalAvgPool2D GlobalAvgPool3D GlobalMaxPool1D GlobalMaxPool2D GlobalMaxPool3D
   GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPooling3D GlorotNormal GlorotUniform GroupNormalization
   GroupQueryAttention HashedCrossing Hashing HeNormal HeUniform Highway Hinge Huber Identity IdentityInitializer
   Initializer Input InputLayer InputSpec InstanceMethod Int4DTypePolicy Int4QuantizationConfig
   Int8QuantizationConfig IntegerLookup InverseTimeDecay IoU Iterator JaxLayer KLD KLDivergence KerasTensor L1 L1L2
   L2 LSTM LSTMCell LSTMStateTuple LSTMV1 LSTMV2 Lamb Lambda Layer LayerNormalization LayoutMap LeakyReLU
   LearningRateSchedule LecunNormal LecunUniform LinearModel Lion LocallyConnected1D LocallyConnected2D LogCosh
   LogCoshError Loss LossFunctionWrapper LossScaleOptimizer MAE MAPE MSE MSLE Masking MaxNorm MaxNumBoundingBoxes
   MaxPool1D MaxPool2D MaxPool3D MaxPooling1D MaxPooling2D MaxPooling3D Maximum MaxoutDense Mean MeanAbsoluteError
   MeanAbsolutePercentageError MeanIoU MeanMetricWrapper MeanRelativeError MeanSquaredError
   MeanSquaredLogarithmicError MeanTensor MelSpectrogram Merge Metric MinMaxNorm Minimum MixUp Model
   MultiHeadAttention MultiOptimizer MultiRNNCell Multiply Muon Nadam Node NonNeg Normalization NormalizationV2
   NotEqual OneHotIoU OneHotMeanIoU Ones Operation Optimizer OptimizerMap OptimizerV2 Orthogonal
   OrthogonalInitializer OrthogonalRegularizer PReLU PearsonCorrelation Permute PiecewiseConstantDecay Pipeline
   Poisson Policy PolynomialDecay Precision PrecisionAtRecall PreprocessingLayer PyMetric QuantizationConfig
   QuantizedDTypePolicy QuantizedFloat8DTypePolicy Quantizer R2Score RMSNormalization RMSprop RNN RNNCell
   RadialConstraint RaggedKerasTensor RandAugment RandomBrightness RandomColorDegeneration RandomColorJitter
   RandomContrast RandomCrop RandomElasticTransform RandomErasing RandomFlip RandomFourierFeatures
   RandomGaussianBlur RandomGrayscale RandomHeight RandomHue RandomInvert RandomNormal RandomPerspective
   RandomPosterization RandomRotation RandomSaturation RandomSharpness RandomShear RandomTranslation RandomUniform
   RandomWidth RandomZoom ReLU Recall RecallAtPrecision Reduction ReductionV2 Regularizer RepeatVector Rescaling
   Reshape ResidualWrapper Resizing ReversibleEmbedding RootMeanSquaredError SGD STFT STFTInitializer
   STFTSpectrogram ScheduleFreeAdamW SeedGenerator SensitivityAtSpecificity SeparableConv1D SeparableConv2D
   SeparableConvolution1D SeparableConvolution2D Sequence SequenceFeatures Sequential SharpnessAwareMinimization
   SimpleRNN SimpleRNNCell SlicingOpLambda Softmax Solarization SparseCategoricalAccuracy
   SparseCategoricalCrossentropy SparseKerasTensor SparseTopKCategoricalAccuracy SpatialDropout1D SpatialDropout2D
   SpatialDropout3D SpecificityAtSensitivity SpectralNormalization SquaredHinge StackedRNNCells StringLookup
   Subtract Sum SyncBatchNormalization TFOpLambda TFSMLayer TensorFlowOpLayer TensorLayout TextVectorization
   ThresholdedReLU TimeDistributed TopKCategoricalAccuracy TorchModuleWrapper TrueNegatives TruePositives
   TruncatedNormal Tversky UnitNorm UnitNormalization UpSampling1D UpSampling2D UpSampling3D Variable
   VarianceScaling WideDeepModel Wrapper ZeroPadding1D ZeroPadding2D ZeroPadding3D Zeros`.split(/\s+/),
);

/** True for Keras's own classes; any other class must be provided by the program that loads the model. */
export function isKerasClass(name: string): boolean {
  return NAMES.has(name) || /^__\w+__$/.test(name);
}
