import { isJsonObject } from '../../../jsonObject.ts';
import { isKerasClass } from '../../../published/releases/kerasObjects.ts';
import type { KerasModel } from '../../kerasModel.ts';

/** Names of Keras's own losses, from Keras 2.0 to today. */
const LOSSES: ReadonlySet<string> = new Set(
  `bce binary_crossentropy binary_focal_crossentropy categorical_crossentropy categorical_focal_crossentropy
   categorical_generalized_cross_entropy categorical_hinge circle cosine_proximity cosine_similarity ctc dice hinge huber
   huber_loss kl_divergence kld kullback_leibler_divergence log_cosh logcosh mae mape mean_absolute_error
   mean_absolute_percentage_error mean_squared_error mean_squared_logarithmic_error mse msle poisson
   sparse_categorical_crossentropy squared_hinge tversky BCE KLD MAE MAPE MSE MSLE`.split(/\s+/),
);

/** Maximum number of names kept per kind; Keras's own models have about fifty. */
const MOST_NAMES = 500;

/**
 * Describes a model based on its configuration. `training` describes how it was compiled, if this is stored separately.
 */
export function describeKerasModel(configuration: unknown, training?: unknown): KerasModel {
  const classes = new Map<string, Set<string>>();
  const [modules, custom, unplaced, losses] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ];
  const customFunctions = new Set<string>();
  const operations = new Set<string>();
  let hasFlatInputs = false;
  let hasAutoReduction = false;
  let hasLambda = false;
  const waiting: unknown[] = [configuration, training];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (!isJsonObject(value)) {
      // Spreading a long list over call arguments would overflow the stack.
      if (Array.isArray(value)) for (const item of value) waiting.push(item);
      continue;
    }
    const { module, class_name: name, config, inbound_nodes: nodes, loss, layer, backward_layer, cell } = value;
    if (typeof module === 'string' && module.startsWith('keras.src.')) modules.add(module);
    if (typeof name === 'string') {
      if (isJsonObject(config)) noteArguments(classes, name, config);
      if (module === undefined && isJsonObject(config) && isLostOperation(name, config, nodes)) operations.add(name);
      // Keras 2.11 and later write their own optimizers as registered classes.
      if (typeof module !== 'string' && !isKerasClass(name.replace(/^Custom>/, ''))) custom.add(name);
    }
    // Keras 2 writes a layer's function as a list with its code, Keras 3 as a separate object.
    if (name === '__lambda__' || value.function_type === 'lambda') hasLambda = true;
    if (Array.isArray(value.input_layers) && typeof value.input_layers[0] === 'string') hasFlatInputs = true;
    if (module === 'builtins' && name === 'function' && typeof config === 'string') customFunctions.add(config);
    if (value.reduction === 'auto') hasAutoReduction = true;
    for (const inner of [layer, backward_layer, cell])
      if (isJsonObject(inner) && typeof inner.class_name === 'string' && !('module' in inner))
        unplaced.add(inner.class_name);
    // Both forms of a compile configuration have an optimizer next to the loss.
    if ('optimizer' in value || 'optimizer_config' in value)
      for (const each of namesIn(loss)) (LOSSES.has(each) ? losses : customFunctions).add(each);
    for (const key in value) waiting.push(value[key]);
  }
  const sorted = [...classes].sort(([one], [other]) => (one < other ? -1 : 1)).slice(0, MOST_NAMES);
  const kept = (names: ReadonlySet<string>) => [...names].slice(0, MOST_NAMES);
  return {
    classes: sorted.map(([name, given]) => ({ name, arguments: [...given].sort() })),
    modules: kept(modules),
    custom: kept(custom),
    unplaced: kept(unplaced),
    operations: kept(operations),
    losses: kept(losses),
    customFunctions: kept(customFunctions),
    hasFlatInputs,
    hasAutoReduction,
    hasLambda,
  };
}

function noteArguments(classes: Map<string, Set<string>>, name: string, config: object): void {
  const known = classes.get(name) ?? new Set();
  classes.set(name, known);
  for (const argument of Object.keys(config)) if (known.size < MOST_NAMES) known.add(argument);
}

/** Keras 3 operations that share a name with a layer. With a single input, the layer does the same thing. */
const LIKE_LAYERS: ReadonlySet<string> = new Set(
  'Add Average Concatenate Dot Flatten Identity Maximum Minimum Multiply Reshape Softmax Subtract'.split(' '),
);

/**
 * True for a Keras 3 operation whose name stands for something else, or nothing, when read as a layer. Operations lack
 * `trainable`.
 */
function isLostOperation(name: string, config: Readonly<Record<string, unknown>>, nodes: unknown): boolean {
  // Spatial dropout layers are the only layers that do not write `trainable`.
  if ('trainable' in config || /^SpatialDropout/.test(name) || !Array.isArray(nodes)) return false;
  const calls = nodes.flatMap((node) => (isJsonObject(node) && Array.isArray(node.args) ? [node.args] : []));
  if (calls.length === 0) return false;
  return !LIKE_LAYERS.has(name) || 'newshape' in config || calls.some((given) => given.length > 1);
}

/** Returns the names in lists and in mappings from outputs, and skips objects with a class. */
function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || 'class_name' in value) return [];
  return Object.values(value).flatMap(namesIn);
}
