/**
 * The classes that a NeMo configuration may name: those of NeMo and PyTorch themselves. NeMo resolves a name attribute
 * by attribute, and every module has the modules that it imports as attributes, so each part must be a known module
 * name.
 */

/** Parts of the names of NeMo's model modules, from NeMo 1.23 and 2.4, except those that lead outside NeMo. */
const PARTS: ReadonlySet<string> = new Set(
  `activations adafactor adan adapter_modules adapters aed_multitask_models aggregate_tokenizer aggregator albert
   alibi_relative_position_embedding aligner aligner_loss angularloss asr asr_model asr_module attention
   attribute_prediction_model audio audio_codec_loss audio_codec_modules audio_losses audio_modules
   audio_preprocessing audio_text_dataset audio_text_lhotse_dataset audio_to_audio audio_to_audio_lhotse
   audio_to_diar_label audio_to_diar_label_lhotse audio_to_label audio_to_text audio_to_text_dali
   audio_to_text_lhotse audio_to_text_lhotse_prompted audio_to_text_module auto_tokenizer bart_dataset base
   base_ir_model base_prompt_learning_dataset batchnorm bce_logits_loss bce_loss beam_search_decoder bert
   bert_dataset bert_dpr_model bert_embedding_dataset bert_embedding_model bert_joint_ir_model bert_model
   bert_module blendable_dataset bnr bridge_encoders bytelevel_tokenizers callbacks camembert canary_tokenizer
   char_tokenizer classes classification_accuracy classification_models classifier clip clustering_diarizer common
   config conformer conformer_encoder conformer_modules connectors continuous_image continuous_video contrastive
   conv_asr cross_entropy ctc ctc_bpe_models ctc_models data datamodule dataset decoder_dataset decoder_module
   deploy dialogue dialogue_bert_dataset dialogue_dataset dialogue_gpt_classification_dataset
   dialogue_gpt_classification_model dialogue_gpt_generation_dataset dialogue_gpt_generation_model
   dialogue_nearest_neighbour_dataset dialogue_nearest_neighbour_model dialogue_s2s_generation_dataset
   dialogue_s2s_generation_model dialogue_sgd_bert_dataset dialogue_state_tracking
   dialogue_zero_shot_intent_dataset dialogue_zero_shot_intent_model diffusion discrete_image discrete_video
   distilbert distributions duplex_decoder duplex_s2s_model duplex_s2s_speech_decoder_model duplex_tagger
   duplex_text_normalization duplex_tn ema en_us_arpabet enc_dec_nlp_model encodec_modules encoder_module
   enhancement enhancement_models entity_linking entity_linking_dataset entity_linking_model evaluation fastpitch
   fastpitchloss feature_to_label feature_to_text features flashlight_decoder fn g2p gemma2 gemma2_modules gemma3vl
   global_average_loss_metric glue_benchmark glue_benchmark_dataset glue_benchmark_model gpt gpt2 gpt_dataset
   gpt_embedding_dataset gpt_fim_dataset gpt_full_te_layer_autocast_spec gpt_model gpt_module
   gpt_prompt_learning_dataset gpt_sft_chat_dataset gpt_sft_dataset grad_utils graph_decoder graph_decoders
   graph_transducer griffin griffin_block griffin_model heteronym_classification hf hf_audio_to_text
   hf_auto_model_for_speech_seq2seq hiddens hifigan hifigan_losses hifigan_modules huggingface huggingface_decoder
   huggingface_encoder hybrid_asr_tts_models hybrid_rnnt_ctc_bpe_models hybrid_rnnt_ctc_models hyena hyena_filter
   i18n_ipa indexed_dataset indexed_retrieval_dataset inference information_retrieval information_retrieval_dataset
   intent_slot_classification intent_slot_classification_dataset intent_slot_classification_model ja_jp_ipa jasper
   k2_aligner_model k2_sequence_models kerple_relative_position_embedding l2r_lm_dataset label_models
   language_model language_modeling lattice_losses layer layers2d layers3d llama4 llava_next llm
   lm_adapted_t5_dataset lm_bert_dataset longform_clustering loss losses losses_combined lr_scheduler lstm_decoder
   machine_translation machine_translation_dataset magpietts map_loss masking maxine mcore_optim megatron
   megatron_bart_model megatron_base_model megatron_base_prompt_learning_model megatron_base_speechllm_prompt_model
   megatron_bert_embedding_model megatron_bert_model megatron_decoder_module megatron_encoder_decoder
   megatron_encoder_module megatron_export megatron_glue_model megatron_gpt_adapter_model
   megatron_gpt_embedding_model megatron_gpt_model megatron_gpt_prompt_learning_model megatron_gpt_reranker_model
   megatron_gpt_sft_model megatron_griffin_model megatron_griffin_sft_model megatron_hidden_loss
   megatron_hidden_transform megatron_hiddens megatron_lm_encoder_decoder_model megatron_lr_schedulers
   megatron_mamba_model megatron_mamba_sft_model megatron_nmt_model megatron_perceiver_encoders
   megatron_retrieval_model megatron_retro_fine_tune_model megatron_retro_model megatron_t0_model
   megatron_t5_adapter_model megatron_t5_model megatron_t5_prompt_learning_model megatron_t5_sft_model
   megatron_t5_speechllm_model megatron_tokens_head_module megatron_transformer_decoder
   megatron_transformer_encoder metrics mixer_tts mixins ml_loss mllama mlm mlp modality_adapter modelPT modelopt
   models module modules msdd_diarizer msdd_models mse_loss mt_enc_dec_bottleneck_model mt_enc_dec_model
   multi_binary_acc multi_head_attention multi_label_intent_slot_classification_dataset
   multi_label_intent_slot_classification_model multi_layer_feat multi_layer_perceptron multi_similarity_loss
   multi_softmax_decoder multichannel multichannel_modules multimodal mup ncsnpp networks neural_types neva nlp
   nlp_model novograd null_tokenizer offline_clustering online_clustering optim optimizer_with_main_params
   parallel_adapters parts patching peft perceiver_encoders perception perplexity perturb position_embedding
   preprocessing process_launcher projections prompt_encoder prompt_learning_metrics prompts
   ptune_text_classification_dataset punctuation_capitalization_dataset punctuation_capitalization_infer_dataset
   punctuation_capitalization_lexical_audio_model punctuation_capitalization_model
   punctuation_capitalization_tarred_dataset qa_base_model qa_bert_dataset qa_bert_model qa_dataset qa_gpt_dataset
   qa_gpt_model qa_model qa_s2s_dataset qa_s2s_model qlora quantizers question_answering question_answering_squad
   qwen2vl radam radtts radttsloss recurrent_layer recurrent_module reduction_encoders regex_tokenizer
   request_dataset resampling retrieval_token_level_encoder_decoder retrieval_transformer retro_dataset
   retro_dataset_legacy retro_fine_tune_dataset rnn rnn_encoder rnnt rnnt_abstract rnnt_bpe_models rnnt_loss
   rnnt_models rnnt_numpy rnnt_pytorch roberta rotary_position_embedding s2s_dataset salm salm_dataset
   sandwich_relative_position_embedding schroedinger_bridge sentence_dataset sentencepiece_tokenizer
   sequence_perplexity sequence_to_sequence_dataset sgd_decoder sgd_loss sgdqa_model slu_models
   smoothed_cross_entropy sortformer_diar_models sortformer_modules spanning_loss spec_aug_numba spec_augment
   spectr_augment spectrogram_enhancer spectrogram_enhancer_losses speech_cv speech_generation speech_llm
   speech_to_text_llm_model speechllm speechlm speechlm2 spellchecking_asr_customization spellchecking_model
   squeezeformer_encoder squeezeformer_modules squim ssl_dataset ssl_losses ssl_models ssl_modules
   ssl_pretrain_masking ssl_quantizers ssl_tts stateless_net stftlosses strategies streaming_utils submodules
   subsampling t0_dataset t5 t5_dataset t5_prompt_learning_dataset t5_relative_position_embedding t5_sft_dataset
   t5_speechllm_dataset t5_speechllm_tarred_dataset tabular_tokenizer tacotron2 tacotron2loss tagger_dataset
   tdnn_attention templates text2sparql text2sparql_dataset text_classification text_classification_dataset
   text_classification_model text_memmap_dataset text_normalization text_normalization_as_tagging text_to_speech
   text_to_speech_dataset text_to_text thutmose_tagger thutmose_tagger_dataset tiktoken_tokenizer
   token_classification token_classification_dataset token_classification_model token_level_encoder_decoder
   tokenizer_wrapper tokenizers tools transcription transformer transformer_2501 transformer_bpe_models
   transformer_decoders transformer_encoders transformer_modules transformerunet transforms tts tts_tokenizers
   ul2_dataset univnet univnet_modules utils video_tokenizers vision vits_losses vits_modules vlm vocoder_dataset
   w_transducer wav2vec_modules waveglow waveglowloss wer wfst_decoder word_tokenizer xlm_dataset
   xpos_position_embedding youtokentome_tokenizer zero_shot_intent_dataset zero_shot_intent_model
   zero_shot_intent_recognition zh_cn_pinyin`.split(/\s+/),
);

/** PyTorch modules with layers, losses, optimizers and schedules. */
const TORCH_MODULE =
  /^torch\.(nn|nn\.modules\.(activation|adaptive|batchnorm|container|conv|distance|dropout|flatten|fold|instancenorm|linear|loss|normalization|padding|pixelshuffle|pooling|rnn|sparse|transformer|upsampling)|optim|optim\.(adadelta|adagrad|adam|adamax|adamw|asgd|lbfgs|lr_scheduler|nadam|radam|rmsprop|rprop|sgd|sparse_adam|swa_utils))\.[A-Z]\w*$/;

/** True for a class that belongs to NeMo or PyTorch. */
export function isKnownClass(name: string): boolean {
  if (TORCH_MODULE.test(name)) return true;
  // Older versions keep parts of speech synthesis in a folder named `torch`.
  const [root, area, ...rest] = name.replace(/^(nemo\.collections\.tts)\.torch\./, '$1.').split('.');
  const className = rest.pop() ?? '';
  const isPlaced =
    root === 'nemo' && (area === 'collections' || area === 'core') && rest.every((part) => PARTS.has(part));
  return isPlaced && /^[A-Z]\w*$/.test(className);
}
