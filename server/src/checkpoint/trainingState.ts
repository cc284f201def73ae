/**
 * Names that PyTorch Lightning, Keras, TensorFlow and people's own training loops give to an optimizer's state. That
 * state is not part of the model, though it is often twice as large.
 */
const STATE = /(^|[./])(optimi[sz]ers?(_\w+)?|optim(_?(states?|state_?dicts?|weights|vars|dicts?))?)([./[]|$)/i;
/** Variables that TensorFlow 1 and `tf.train.Checkpoint` keep for each weight. */
const SLOT = /\/\.OPTIMIZER_SLOT\/|\/(Adam|Adam_1|Momentum|RMSProp|RMSProp_1|Adagrad|Adadelta|Adadelta_1|Ftrl|Ftrl_1)$/;
/** PyTorch's own names in an optimizer's state, under any name that it was saved as: `optD.state.0.exp_avg`. */
const PYTORCH =
  /(^|[./])state\.\d+\.(step|(max_)?exp_(avg|inf)(_sq)?(_row|_col)?|momentum_buffer|square_avg|grad_avg|acc_delta|sum|ax|eta|mu|prev|step_size)$/;
/**
 * The two outermost parts of a name. Only these are considered, because a layer deep within a model may have any name.
 */
const OUTER = /^[\s\S]?[^./]*([./][^./]*)?/;

/** True if the name belongs to an optimizer's state: `optimizer_states.0.state.0.exp_avg`. */
export function isTrainingState(name: string): boolean {
  if (SLOT.test(name) || PYTORCH.test(name)) return true;
  return STATE.test(OUTER.exec(name)?.[0] ?? '');
}
