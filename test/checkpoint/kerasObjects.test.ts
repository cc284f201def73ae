/** Objects in Keras configurations: exact pairs of module and name are harmless, everything else needs trust. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SafetyVerdict } from '../../server/src/checkpoint/checkpoint.ts';
import { type Container, judgeKerasConfiguration } from '../../server/src/checkpoint/formats/keras/configuration.ts';

/** An object as Keras 3 writes it. */
const object = (module: string | null, name: string, config: unknown = {}, registered: unknown = null) => ({
  module,
  class_name: name,
  config,
  registered_name: registered,
});
const named = (module: string, name: string, registered: unknown = name) =>
  object(module, 'function', name, registered);

const CASES: Readonly<Record<string, readonly [configuration: unknown, verdict: SafetyVerdict]>> = {
  'a layer': [object('keras.layers', 'Dense', { units: 1 }), 'no-code'],
  'a model and its class': [object('keras.src.models.functional', 'Functional', {}, 'Functional'), 'no-code'],
  'a layer of tf_keras': [object('tf_keras.layers', 'Dense'), 'no-code'],
  'an operation': [object('keras.src.ops.numpy', 'Add', {}, 'Add'), 'no-code'],
  'an activation of `builtins`': [named('builtins', 'relu'), 'no-code'],
  'an activation of Keras 2.12': [named('builtins', 'relu', 'function'), 'no-code'],
  'a data type policy': [object('keras', 'DTypePolicy', { name: 'float32' }), 'no-code'],
  'a layer of the program': [object(null, 'Mixer', {}, 'models>Mixer'), 'no-code'],
  'a layer of Keras 2': [{ class_name: 'Conv2D', config: {} }, 'no-code'],
  'a type specification': [
    {
      class_name: '__typespec__',
      spec_name: 'TensorSpec',
      module: 'tensorflow.python.framework.tensor_spec',
      config: [[null, 1], 'float32', 'x'],
      registered_name: null,
    },
    'no-code',
  ],
  'a tensor': [{ class_name: '__numpy__', config: { value: [1], dtype: 'float32' } }, 'no-code'],

  'a backbone of KerasHub': [
    object('keras_hub.src.models.bert.bert_backbone', 'BertBackbone', {}, 'keras_hub>BertBackbone'),
    'no-code',
  ],
  'a class that a module of KerasHub imports': [
    object('keras_hub.src.models.bert.bert_backbone', 'Embedding'),
    'needs-trust',
  ],
  'a layer of TensorFlow Hub': [
    { class_name: 'KerasLayer', config: { handle: 'https://example.org/model' } },
    'needs-trust',
  ],
  'a builtin by its registered name': [named('builtins', 'my_activation', 'exec'), 'dangerous'],
  'a builtin': [named('builtins', 'eval'), 'dangerous'],
  'a builtin that no list names': [named('builtins', 'print'), 'needs-trust'],
  'another class by its registered name': [object('keras.layers', 'Missing', {}, 'Lambda'), 'needs-trust'],
  'a known class with another registered name': [object('keras.layers', 'Dense', {}, 'Lambda'), 'needs-trust'],
  'a file that is opened for writing': [
    object('keras.src.utils.file_utils', 'File', { path: 'x', mode: 'w' }),
    'needs-trust',
  ],
  'an HDF5 store': [object('keras.src.saving.saving_lib', 'H5IOStore', { path: 'x', mode: 'w' }), 'dangerous'],
  'a pool of threads': [object('keras.src.utils.summary_utils', 'ThreadPool'), 'needs-trust'],
  'a lazy module': [object('keras.src.utils.module_utils', 'LazyModule', { name: 'x' }), 'needs-trust'],
  'a folder of images': [object('keras.src.legacy.preprocessing.image', 'DirectoryIterator'), 'needs-trust'],
  'an application': [named('keras.applications', 'VGG16'), 'dangerous'],
  'a deserializer': [named('keras.layers', 'deserialize'), 'dangerous'],
  'a deserializer of an allowed module': [named('keras.activations', 'deserialize'), 'needs-trust'],
  'an operation that calls a function': [named('keras.ops', 'map'), 'needs-trust'],
  'a walk out of a module': [object('keras', 'layers.Dense'), 'needs-trust'],
  'a module and a class split elsewhere': [object('keras.layers.Dense', 'from_config'), 'needs-trust'],
  'a class that no table has': [object('keras_hub.src.models.x', 'Backbone'), 'needs-trust'],
  'a name that is a list': [{ module: 'keras.layers', class_name: ['Dense'], config: {} }, 'needs-trust'],
  'a special name that no Keras writes': [{ class_name: '__program__', config: {} }, 'needs-trust'],
  'another type specification': [
    { class_name: '__typespec__', spec_name: 'Popen', module: 'subprocess', config: ['id'], registered_name: null },
    'needs-trust',
  ],
  'a Lambda layer of a function of Keras': [
    object('keras.layers', 'Lambda', { function: named('builtins', 'relu') }),
    'needs-trust',
  ],
  'a Lambda layer of Keras 2 with a function by name': [
    { class_name: 'Lambda', config: { function: 'mean', function_type: 'function', module: 'models' } },
    'needs-trust',
  ],
  'the output shape of a Lambda layer of Keras 2': [
    {
      class_name: 'Lambda',
      config: {
        function: 'mean',
        function_type: 'function',
        output_shape: 'system',
        output_shape_type: 'function',
        output_shape_module: 'os',
      },
    },
    'dangerous',
  ],
  'the code of a mask': [
    { class_name: 'Lambda', config: { function: 'mean', mask: ['4wE=', null, null], mask_type: 'lambda' } },
    'needs-trust',
  ],
};

/** Where a configuration keeps its parts: all of them are deserialized. */
const PLACES: Readonly<Record<string, (part: unknown) => unknown>> = {
  itself: (part) => part,
  'a layer': (part) => object('keras', 'Sequential', { layers: [part] }),
  'an argument': (part) => object('keras.layers', 'Dense', { arguments: { deep: [{ deeper: part }] } }),
  'the compilation': (part) => ({ ...object('keras', 'Sequential'), compile_config: { loss: part } }),
  'the metrics of Keras 2': (part) => [object('keras', 'Sequential'), { metrics: [part], optimizer_config: {} }],
  'the data types': (part) => object('keras.layers', 'Dense', { dtype: part }),
};

for (const [title, [configuration, verdict]] of Object.entries(CASES))
  test(`${title}: ${verdict}`, () => {
    for (const [place, put] of Object.entries(PLACES))
      for (const container of ['keras', 'hdf5', 'saved-model', 'json'] satisfies Container[]) {
        const { safety } = judgeKerasConfiguration(put(configuration), container);
        assert.equal(safety.verdict, verdict, `${place}, ${container}: ${safety.reason}`);
      }
  });
