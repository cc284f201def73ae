/**
 * ONNX Runtime's own operators that only compute, in addition to those of ONNX:
 * https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md as of 2026, except `EPContext` and
 * `Snpe`, which load a program compiled for a device.
 */
const COMPUTING: ReadonlySet<string> = new Set(
  `Attention AttnLSTM BeamSearch BiasAdd BiasDropout BiasGelu BiasSoftmax BiasSplitGelu BifurcationDetector
   BitmaskBiasDropout BitmaskDropout CDist CausalConvWithState ComplexMul ComplexMulConj ConvTransposeWithDynamicPads
   CropAndResize DecoderAttention DecoderMaskedMultiHeadAttention DecoderMaskedSelfAttention DequantizeBFP
   DequantizeLinear DequantizeWithOrder DynamicQuantizeLSTM DynamicQuantizeMatMul DynamicTimeWarping
   EmbedLayerNormalization EngramGate ExpandDims FastGelu FusedConv FusedGemm FusedMatMul FusedMatMulActivation GatedAdd
   GatedDeltaNet GatedRMSNorm GatedRelativePositionBias GatherBlockQuantized GatherND Gelu GemmFastGelu GemmFloat8
   GemmaRotaryEmbedding GreedySearch GridSample GroupNorm GroupQueryAttention Inverse Irfft IsAllFinite LinearAttention
   LinearAttentionGate LongformerAttention MRotaryEmbedding MatMulBlockQuantizedFp4Weight MatMulBlockQuantizedFp8Weight
   MatMulBnb4 MatMulFpQ4 MatMulInteger16 MatMulIntegerToFloat MatMulNBits MatMulNBitsMlp MatMulNBitsQkv MaxpoolWithMask
   MoE MulInteger MultiHeadAttention MurmurHash3 NGramHashMapping NGramRepeatBlock NhwcConv NhwcFusedConv NhwcMaxPool
   PackedAttention PackedMultiHeadAttention Pad PagedAttention QAttention QEmbedLayerNormalization QGemm QLinearAdd
   QLinearAveragePool QLinearConcat QLinearConv QLinearGlobalAveragePool QLinearLeakyRelu QLinearMul QLinearReduceMean
   QLinearSigmoid QLinearSoftmax QLinearWhere QMoE QOrderedAttention QOrderedGelu QOrderedLayerNormalization
   QOrderedLongformerAttention QOrderedMatMul QuantizeBFP QuantizeLinear QuantizeWithOrder QuickGelu Range
   ReduceSumInteger RelativePositionBias RemovePadding ReorderInput ReorderOutput RestorePadding Rfft RotaryEmbedding
   SampleOp Sampling SkipGroupNorm SkipLayerNormalization SkipSimplifiedLayerNormalization SparseAttention
   SparseToDenseMatMul Tokenizer TorchEmbedding TransposeMatMul Trilu UnfoldTensor Unique UpsampleNhwc
   VarlenCausalConvWithState VarlenNGramHashMapping WhisperBeamSearch WordConvEmbedding`.split(/\s+/),
);

/** Domains of ONNX's own operators, all of which only compute. */
const ONNX_DOMAIN = /^(ai\.onnx(\.(ml|training|preview(\.training)?))?)?$/;
/** Domains of ONNX Runtime's own operators; any other domain belongs to the program or to the model's own functions. */
const RUNTIME_DOMAIN = /^com\.(microsoft|ms)(\.|$)/;

/** True for one of ONNX Runtime's own operators that may do more than compute, such as load files or other programs. */
export function isUnsafe(domain: string, type: string): boolean {
  return (
    !ONNX_DOMAIN.test(domain) &&
    RUNTIME_DOMAIN.test(domain) &&
    !COMPUTING.has(type) &&
    !/^(Conv|MaxPool|AveragePool|Global\w+Pool)$/.test(type)
  );
}
