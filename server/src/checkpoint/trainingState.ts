/**
 * What optimizers remember of a model between two steps, mostly twice as much as the model itself, is no part of it. By
 * the names that PyTorch Lightning, Keras, TensorFlow and people's own training loops give it.
 */
const STATE = /(^|[./])(optimi[sz]ers?(_\w+)?|optim(_?(states?|state_?dicts?|weights|vars|dicts?))?)([./[]|$)/i;
/** What TensorFlow 1 and `tf.train.Checkpoint` keep beside each variable. */
const SLOT = /\/\.OPTIMIZER_SLOT\/|\/(Adam|Adam_1|Momentum|RMSProp|RMSProp_1|Adagrad|Adadelta|Adadelta_1|Ftrl|Ftrl_1)$/;
/** The state of an optimizer of PyTorch by what it calls it, under whatever name it was saved: `optD.state.0.exp_avg`. */
const PYTORCH =
  /(^|[./])state\.\d+\.(step|(max_)?exp_(avg|inf)(_sq)?(_row|_col)?|momentum_buffer|square_avg|grad_avg|acc_delta|sum|ax|eta|mu|prev|step_size)$/;
/** The two outermost parts of a name, which are looked at: a layer deep within a model may have any name. */
const OUTER = /^[\s\S]?[^./]*([./][^./]*)?/;

/** True for a tensor of an optimizer's state, by its name: `optimizer_states.0.state.0.exp_avg`. */
export function isTrainingState(name: string): boolean {
  if (SLOT.test(name) || PYTORCH.test(name)) return true;
  return STATE.test(OUTER.exec(name)?.[0] ?? '');
}
