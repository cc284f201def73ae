/** Classes of PyTorch's own whose objects are data: the layers and optimizers of torch 1.13 to 2.15, as their modules define them. */

/** By the module below `torch.nn.modules`; `_LinearWithBias` is of torch 1.4 to 1.8. */
export const LAYERS: Readonly<Record<string, string>> = {
  activation: `CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax Mish
    MultiheadAttention PReLU RReLU ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmax2d Softmin Softplus Softshrink
    Softsign Tanh Tanhshrink Threshold`,
  adaptive: 'AdaptiveLogSoftmaxWithLoss',
  batchnorm: `BatchNorm1d BatchNorm2d BatchNorm3d LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d SyncBatchNorm _BatchNorm
    _LazyNormBase _NormBase`,
  channelshuffle: 'ChannelShuffle',
  container: 'Container ModuleDict ModuleList ParameterDict ParameterList Sequential',
  conv: `Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LazyConv1d LazyConv2d LazyConv3d
    LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d _ConvNd _ConvTransposeMixin _ConvTransposeNd`,
  distance: 'CosineSimilarity PairwiseDistance',
  dropout: 'AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout _DropoutNd',
  flatten: 'Flatten Unflatten',
  fold: 'Fold Unfold',
  instancenorm: `InstanceNorm1d InstanceNorm2d InstanceNorm3d LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d
    _InstanceNorm`,
  linear: 'Bilinear Identity LazyLinear Linear NonDynamicallyQuantizableLinear _LinearWithBias',
  loss: `BCELoss BCEWithLogitsLoss CTCLoss CosineEmbeddingLoss CrossEntropyLoss GaussianNLLLoss HingeEmbeddingLoss
    HuberLoss KLDivLoss L1Loss LinearCrossEntropyLoss MSELoss MarginRankingLoss MultiLabelMarginLoss
    MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss NLLLoss2d PoissonNLLLoss SmoothL1Loss SoftMarginLoss
    TripletMarginLoss TripletMarginWithDistanceLoss _Loss _WeightedLoss`,
  module: 'Module',
  normalization: 'CrossMapLRN2d GroupNorm LayerNorm LocalResponseNorm RMSNorm',
  padding: `CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d
    ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d
    _CircularPadNd _ConstantPadNd _ReflectionPadNd _ReplicationPadNd`,
  pixelshuffle: 'PixelShuffle PixelUnshuffle',
  pooling: `AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d
    AvgPool1d AvgPool2d AvgPool3d FractionalMaxPool2d FractionalMaxPool3d LPPool1d LPPool2d LPPool3d MaxPool1d
    MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d _AdaptiveAvgPoolNd _AdaptiveMaxPoolNd _AvgPoolNd
    _LPPoolNd _MaxPoolNd _MaxUnpoolNd`,
  rnn: 'GRU GRUCell LSTM LSTMCell RNN RNNBase RNNCell RNNCellBase',
  sparse: 'Embedding EmbeddingBag',
  transformer: `Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer
`,
  upsampling: 'Upsample UpsamplingBilinear2d UpsamplingNearest2d',
};

/** By the module below `torch.optim`. */
export const OPTIMIZERS: Readonly<Record<string, string>> = {
  adadelta: 'Adadelta',
  adagrad: 'Adagrad',
  adam: 'Adam',
  adamax: 'Adamax',
  adamw: 'AdamW',
  asgd: 'ASGD',
  lbfgs: 'LBFGS',
  lr_scheduler: `ChainedScheduler ConstantLR CosineAnnealingLR CosineAnnealingWarmRestarts CyclicLR ExponentialLR LRScheduler
    LambdaLR LinearLR MultiStepLR MultiplicativeLR OneCycleLR PolynomialLR ReduceLROnPlateau SequentialLR StepLR
    _LRScheduler`,
  nadam: 'NAdam',
  optimizer: 'Optimizer',
  radam: 'RAdam',
  rmsprop: 'RMSprop',
  rprop: 'Rprop',
  sgd: 'SGD',
  sparse_adam: 'SparseAdam',
  swa_utils: 'SWALR',
};
