/** Texts that look like known Keras and TensorFlow errors but are others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainCase } from '../cases/explainCase.ts';

/** For each text, the explanation that must not appear: a message, or a message with an unconfirmed cause. */
const NEIGHBORS: readonly (readonly [text: string, message: string, cause?: string])[] = [
  ['SystemError: unknown opcode', 'keras-bytecode'],
  [
    "keras/engine/topology.py\n    raise TypeError('Keyword argument not understood:', kwarg)\nTypeError: ('Keyword argument not understood:', 'size')",
    'keras-optimizer',
  ],
  [
    "Could not locate class 'Attention'. Make sure custom classes are decorated with `@keras.saving.register_keras_serializable()`",
    'keras-custom-object',
    'description-of-keras-2',
  ],
  ["ValueError: Unknown loss function: 'mse'. keras", 'keras-custom-object', 'own-loss'],
  ['ValueError: Unknown layer: MyUpSampling2D', 'keras-custom-object', 'own-loss'],
  [
    "Error when deserializing class 'Embedding' using config={'weights': None}\nUnrecognized keyword arguments passed to Embedding: {'weights': None}",
    'keras-unknown-argument',
    'argument-in-code',
  ],
  [
    "TypeError: Error when deserializing class 'DepthwiseConv2D' using config={'data_format': 'channels_last', 'groups': 1}.\nException encountered: Unrecognized keyword arguments passed to DepthwiseConv2D: {'groups': 1}",
    'keras-unknown-argument',
    'newer-file',
  ],
  [
    'Cell In[3], line 2\n----> 2 tf.config.experimental.set_memory_growth(gpu, True)\nFile "/lib/tensorflow/python/framework/config.py", line 554\nRuntimeError: Physical devices cannot be modified after being initialized',
    'devices-started-already',
    'not-all-gpus',
  ],
  [
    'Loaded runtime CuDNN library: 8.0.5 but source was compiled with: 8.1.0.',
    'cudnn-runtime-older',
    'cudnn-of-other-minor',
  ],
  [
    'kernel version 470.182.3 does not match DSO version 520.61.5 -- cannot find working devices in this configuration',
    'driver-mismatch',
    'older-libraries-found',
  ],
  ['ERROR: No matching distribution found for tensorflow-addons', 'no-matching-wheel'],
  ['ERROR: No matching distribution found for tensorflow-gpu==2.9', 'no-matching-wheel', 'tensorflow-gpu-ended'],
  [
    "'/tmp/torch-1.10.0-cp36-cp36m-linux_aarch64.whl' is not a supported wheel on this platform; uname: tegra aarch64",
    'wheel-of-other-python',
    'other-system',
  ],
  [
    "AttributeError: module 'keras.utils.generic_utils' has no attribute 'Progbar'",
    'nested-keras-module',
    'different-releases',
  ],
  ["AttributeError: module 'keras.optimizers' has no attribute 'Adam'", 'nested-keras-module', 'keras-before-the-code'],
  [
    "AttributeError: module 'keras.backend' has no attribute 'floatx_of_mine'",
    'nested-keras-module',
    'written-for-old-keras',
  ],
  [
    "Could not find 'cudnn64_6.dll'. TensorFlow requires that this DLL be installed. C:\\Python",
    'tensorflow-native-runtime',
    'no-redistributable',
  ],
  ['ValueError: Input 0 of layer dense has never been seen by keras', 'keras-never-called'],
  ["ValueError: Layer 'dense' expected 1 input(s). Received 2 instead.", 'keras-nested-model'],
  ['File "/home/ada/train.py", line 3\nModuleNotFoundError: No module named \'tensorflow\'', 'keras-backend'],
  ['keras TypeError: Unexpected keyword argument passed to optimizer: amsgrad', 'keras-optimizer', 'old-argument'],
  ['keras TypeError: Unexpected keyword argument passed to optimizer: lr', 'keras-optimizer', 'optimizer-in-the-file'],
  ["keras AttributeError: 'Dense' object has no attribute 'build_model'", 'keras-optimizer-methods'],
  ["torch.optim AttributeError: 'Adam' object has no attribute 'get_weights'", 'keras-optimizer-methods'],
  ["keras ValueError: Unknown layer: 'OpLambda'", 'keras-custom-object', 'operation-of-keras-2'],
  [
    "Could not deserialize 'keras.metrics.mse' because it is not a KerasSaveable subclass",
    'keras-compile-config',
    'optimizer-of-keras-2',
  ],
  [
    "model = load_model('m.h5')\nhidden = torch.nn.Sequential()\nNameError: name 'tf' is not defined",
    'keras-lambda-names',
  ],
  ["x = Lambda(f)(x)\nmodel.load_weights('m.h5')\nNameError: name 'history' is not defined", 'keras-lambda-names'],
  ["keras AttributeError: 'tuple' object has no attribute 'layers'", 'keras-symbolic-tensor'],
  ["self.size = 3\nAttributeError: can't set attribute", 'optimizer-learning-rate'],
  ["keras: Unknown layer: 'FunctionLayer'", 'keras-custom-object', 'new-form-in-hdf5'],
  ["Unknown activation function: 'swish2'. keras", 'keras-custom-object', 'new-form-in-hdf5'],
  [
    'OSError: SavedModel file does not exist at: /tmp/model/{saved_model.pbtxt|saved_model.pb}',
    'saved-model-missing',
    'cache-of-hub',
  ],
  ["TypeError: 'str' object is not callable", 'keras-lambda-shape'],
  ["model = keras.models.load_model('m.keras', safe_mode=False)\nKeyError: 'units'", 'keras-unsafe-lambda'],
  [
    "Could not locate class 'MultiheadAttention'. Make sure custom classes are decorated with `@keras.saving.register_keras_serializable()`. Full object config: {'module': 'mylib.layers'}",
    'keras-custom-object',
    'own-of-other-keras',
  ],
  [
    "Could not locate class 'Dense'. Make sure custom classes are decorated with `@keras.saving.register_keras_serializable()`. Full object config: {'module': None, 'class_name': 'Dense'}",
    'keras-custom-object',
    'own-of-other-keras',
  ],
  [
    "Could not locate class 'Dense'. keras Full object config: {'module': 'keras.layers'}",
    'keras-custom-object',
    'class-of-package',
  ],
  [
    "load_model\nUnrecognized keyword arguments passed to DepthwiseConv2D: {'groups': 1}",
    'keras-unknown-argument',
    'newer-file',
  ],
  [
    "load_model\nUnrecognized keyword arguments passed to Dense: {'quantization_config': None}",
    'keras-unknown-argument',
    'keras-2-file',
  ],
  [
    "Unrecognized keyword arguments passed to Embedding: {'batch_input_shape': [32, None]}",
    'keras-unknown-argument',
    'keras-2-file',
  ],
  [
    "load_model\nUnrecognized keyword arguments passed to MyLayer: {'groups': 1}",
    'keras-unknown-argument',
    'keras-2-file',
  ],
  ['keras ValueError: Unknown loss function: Huber', 'keras-custom-object', 'own-loss'],
  ["torch.optim: AttributeError: 'Adam' object has no attribute 'lr'", 'optimizer-learning-rate'],
  ["AttributeError: 'Namespace' object has no attribute 'lr'", 'optimizer-learning-rate'],
  ["tensorflow Dimension 0 in both shapes must be equal, but are 48 and 96 for 'MatMul'", 'keras-weight-shape'],
  [
    "keras Layer 'dense' expected 2 variables, but received 0 variables during loading. Expected: ['kernel', 'bias']",
    'keras-zero-variables',
    'parts-not-built',
  ],
  [
    "load_model('m.h5')\nOSError: Unable to open file (file signature not found)",
    'hdf5-signature',
    'keras-file-of-newer-keras',
  ],
  [
    "model = tf.keras.models.load_model(d)\n'_UserObject' object has no attribute 'predict'",
    'saved-model-not-of-keras',
    'loaded-without-keras',
  ],
  ["model = load_model('m.h5')\nprint(history)\nNameError: name 'history' is not defined", 'keras-lambda-names'],
  ["model = load_model(path)\nNameError: name 'path' is not defined", 'keras-lambda-names'],
  ["model = keras.models.load_model('m.h5')\nNameError: name 'keras' is not defined", 'keras-lambda-names'],
  ["model = load_model('m.h5')\nNameError: name 'load_model' is not defined", 'keras-lambda-names'],
  [
    'File "/lib/keras/layers/core.py", line 919, in call\nFile "train.py", line 3, in <lambda>\nNameError: name \'K\' is not defined',
    'keras-lambda-names',
  ],
  ["telegram: AttributeError: 'Bot' object has no attribute 'get_updates'", 'keras-optimizer-methods'],
  [
    "keras: AttributeError: 'Adam' object has no attribute 'get_updates'",
    'keras-optimizer-methods',
    'trains-as-tensorflow-1',
  ],
  ["from keras_contrib.layers import CRF\nImportError: cannot import name 'CRF'", 'nested-keras-module'],
  ["from keras.layers import Merge\nImportError: cannot import name 'Merge'", 'nested-keras-module', 'several-gpus'],
  [
    "Could not load dynamic library 'libcusolver.so.10'; dlerror: libcusolver.so.10: cannot open shared object file; tensorflow",
    'cuda-library-not-found',
    'cusolver-of-cuda-11-0',
  ],
  [
    "Could not load dynamic library 'libcusolver.so.11'; dlerror: libcusolver.so.11: cannot open shared object file; tensorflow",
    'cuda-library-not-found',
    'needed-by-other-release',
  ],
  [
    'File "/lib/keras/engine/saving.py", line 419, in load_model\n    model = _deserialize_model(f)\nValueError: Unknown layer: Mine',
    'keras-load-stopped',
  ],
  [
    'tensorflow==2.17.0\ntf_keras==2.17.0\nImportError: Keras cannot be imported. Check that it is installed.',
    'nested-keras-module',
    'tf-keras-of-other-release',
  ],
  [
    'File "/lib/site-packages/mine/net.py", line 3\nModuleNotFoundError: No module named \'tensorflow.contrib\'',
    'tensorflow-removed-api',
    'package-for-1',
  ],
  [
    'OSError: SavedModel file does not exist at: /tmp/model/{saved_model.pbtxt|saved_model.pb}',
    'saved-model-missing',
    'no-such-file',
  ],
  ['keras ValueError: Unknown layer: MeanPoolingLayer', 'keras-custom-object', 'metric-of-own-model'],
  ['keras ValueError: Unknown layer: MyLayer', 'keras-custom-object', 'operation-of-keras-2'],
  // Keras 2 transposes a kernel with a different shape before it reports it.
  [
    "weight <tf.Variable 'rpn_conv1/kernel:0' shape=(3, 3, 512, 512)> has shape (3, 3, 512, 512), but the saved weight has shape (512, 1024, 3, 3).",
    'keras-weight-shape',
    'weights-of-theano',
  ],
  [
    'Layer weight shape (3, 3, 64, 30) not compatible with provided weight shape (3, 3, 64, 64)',
    'keras-weight-shape',
    'weights-of-theano',
  ],
  [
    'keras/engine/saving.py", line 3, in model_from_config\n    a\nTypeError: pop expected at most 1 argument, got 2',
    'keras-load-stopped',
    'keras-2-file',
  ],
  ["AttributeError: 'Trainer' object has no attribute 'fit_generator'", 'keras-method-ended'],
  ["import torch\nAttributeError: 'Tensor' object has no attribute 'numpy'", 'numpy-of-symbolic-tensor'],
  [
    'Using JAX backend. XLA_PYTHON_CLIENT_MEM_FRACTION=.75\nfailed to allocate 15.7GiB from device: CUDA_ERROR_OUT_OF_MEMORY',
    'jax-out-of-memory',
    'all-asked-ahead',
  ],
  [
    'You are trying to load a weight file containing 10 layers into a model with 9 layers.',
    'keras-weight-shape',
    'weights-of-parallel-model',
  ],
  ['tf-keras 2.15.1 requires tensorflow<2.16,>=2.15, but you have tensorflow 2.16.2.', 'nested-keras-module'],
  ["TypeError: '<' not supported between instances of 'str' and 'int'", 'optimizer-learning-rate'],
  ['ValueError: Shapes (192, 320) and (192, 35) are incompatible', 'keras-weight-shape'],
  ['TypeError: Descriptors cannot be created directly.', 'protobuf-mismatch', 'older-protobuf'],
  ["cannot import name 'runtime_version' from 'google.protobuf'", 'protobuf-mismatch', 'newer-protobuf'],
  ["from keras.utils import multi_gpu_model\nImportError: cannot import name 'multi_gpu_model'", 'nested-keras-module'],
  ["tensorflow: ModuleNotFoundError: No module named 'keras_cv'", 'keras-not-installed'],
  ["ModuleNotFoundError: No module named 'keras.src.engine'", 'nested-keras-module', 'add-ons-of-other-release'],
  [
    'libmetal_plugin.dylib: Symbol not found: __ZN10tensorflow5OpDefE; tensorflow-plugins/libmetal_plugin.dylib, 6): Symbol not found',
    'metal-plugin',
    'macos-too-old',
  ],
  ["ModuleNotFoundError: No module named 'keras.src.engine'", 'nested-keras-module', 'name-left-keras'],
  ["ImportError: cannot import name 'Nonsense' from 'keras.layers'", 'nested-keras-module', 'name-left-keras'],
  ["module 'keras.backend' has no attribute 'get_session'", 'nested-keras-module', 'name-left-keras'],
  ["ModuleNotFoundError: No module named 'keras.utils.np_utils'", 'nested-keras-module', 'keras-3-came'],
  ["AttributeError: module 'tensorflow' has no attribute 'Session'", 'tensorflow-removed-api', 'old-object-detection'],
  ['ValueError: decay is deprecated in the new Keras optimizer', 'optimizer-argument-ignored'],
  ['UserWarning: The `lr` argument is deprecated, use `learning_rate` instead.', 'keras-optimizer'],
  [
    'UserWarning: The `lr` argument is deprecated, use `learning_rate` instead.',
    'optimizer-argument-ignored',
    'not-read',
  ],
  ['You are loading weights into a model that has not yet been built.', 'keras-not-built', 'inner-layer-not-built'],
  [
    'Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.29GiB with freed_by_count=0. The caller indicates that this is not a failure',
    'tensorflow-out-of-memory',
  ],
  ['/lib/site-packages/torch_scatter/_scatter.so: undefined symbol: _ZN3c10', 'tensorflow-extension-of-other-release'],
  ['The feature is only available with the Pro backend.', 'keras-backend-only'],
  ["module 'keras.layers' has no attribute 'ConvLSTM4D'", 'nested-keras-module', 'keras-3-came'],
  ["No module named 'keras.layers.experimental'", 'nested-keras-module', 'keras-3-came'],
  ["module 'numpy' has no attribute 'object'", 'numpy-name-gone'],
  [
    'jax.numpy: RuntimeError: UNIMPLEMENTED: DNN library is not found.',
    'cudnn-not-initialized',
    'tensorflow-reads-the-data',
  ],
  ['ValueError: decay is deprecated in the new Keras optimizer', 'keras-optimizer', 'optimizer-in-the-file'],
  ['zipfile.BadZipFile: File is not a zip file (keras)', 'keras-not-a-zip', 'archive-without-weights'],
  [
    'RTX 3080, CUDA 11.8: tensorflow InternalError: Blas xGEMM launch failed : m=20000, n=20000, k=3',
    'cublas-failed',
    'cuda-before-the-gpu',
  ],
  ['torch.distributed: NCCL error: unhandled cuda error', 'tensorflow-nccl'],
  ['tensorflow: failed call to cuInit: UNKNOWN ERROR (303)', 'cuda-stub'],
  [
    'computeCapability: 7.5\nSuccessfully opened dynamic library libcudart.so.10.1\ntensorflow: Not found: No algorithm worked!',
    'cudnn-failed',
    'gpu-newer-than-build',
  ],
  ['tensorflow: cuDNN launch failure : input shape ([10,64,1,1])', 'cudnn-launch-failed', 'empty-batch'],
  [
    'tensorflow: Limit:    7363712000\nOOM when allocating tensor with shape[3,3] by allocator GPU_0_bfc',
    'tensorflow-out-of-memory',
    'little-was-free',
  ],
  [
    'Cannot assign a device for operation Identity: {{node Identity}} was explicitly assigned to /device:GPU:1 but available devices are [ /job:localhost/replica:0/task:0/device:CPU:0 ].',
    'explicit-device',
    'strategy-made-late',
  ],
  ['failed to allocate 2.00G (2147483648 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY', 'tensorflow-host-memory'],
  [
    "tensorflow: Could not load dynamic library 'libcusolver.so.10'; dlerror: libcusolver.so.10: cannot open shared object file\n/usr/local/cuda-11.2/lib64/libcusolver.so.11",
    'cuda-library-not-found',
    'not-on-library-path',
  ],
  [
    "tensorflow: Could not load dynamic library 'libcudnn.so.8'; dlerror: libcudnn.so.8: cannot open shared object file\n/usr/local/cuda-11.2/lib64/libcudnn.so.8.1.0",
    'cuda-library-not-found',
    'built-for-other-cuda',
  ],
  ['ValueError: Unrecognized device: gpu:banana (torch)', 'device-not-physical'],
  [
    'tensorflow: You are using ptxas 10.2.300, which is older than 11.1. ptxas before 11.1 is known to miscompile XLA code',
    'ptxas-too-old',
  ],
  [
    'tensorflow: Collective ops is aborted by: OOM when allocating tensor with shape[8,8]',
    'collective-aborted',
    'groups-of-two-strategies',
  ],
  [
    'model = keras.models.load_model("model.h5")\nmodel.predict([a, b])\nValueError: Layer "model_1" expects 1 input(s), but it received 2 input tensors. Inputs received: [<tf.Tensor>]',
    'keras-nested-model',
  ],
  ["TypeError: can't pickle _thread.lock objects\nkeras: DataLoader workers", 'keras-not-written'],
  ['KeyError: "The name \'x\' is taken"', 'graph-name-missing'],
  ['tensorflow: Could not open ckpt/model-1: Data loss: truncated record', 'checkpoint-path'],
  ["AttributeError: 'types.SimpleNamespace' object has no attribute 'lr'\nimport keras", 'nested-keras-module'],
  ["torch: AttributeError: 'Sequential' object has no attribute 'output_name'", 'converter-of-other-keras'],
  ["  File 'app.py', line 4, in from_config\n    return data['x']\nKeyError: 'x'", 'keras-load-stopped'],
];

for (const [text, message, cause] of NEIGHBORS)
  test(`${message}${cause ? `, ${cause}` : ''}: not for ${text.split('\n').at(-1)?.slice(0, 80)}`, async () => {
    const found = (await explainCase({ text })).find(({ id }) => id === message);
    if (cause === undefined) assert.equal(found, undefined);
    else assert.notEqual(found?.causes.find(({ id }) => id === cause)?.standing, 'confirmed');
  });
