"""Prints the configuration that each class of the installed Keras writes: {class: config}."""
import os, sys, json, inspect, warnings
warnings.filterwarnings("ignore")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
which = sys.argv[1]
if which == "tf":
    import tensorflow as tf
    keras = tf.keras
elif which == "tf_keras":
    import tf_keras as keras
else:
    import keras
L = keras.layers
def get(name):
    return getattr(L, name, None)
GIVEN = {
  "Dense": (2,), "Embedding": (4, 2), "LSTM": (2,), "GRU": (2,), "SimpleRNN": (2,), "LSTMCell": (2,), "GRUCell": (2,), "SimpleRNNCell": (2,),
  "CuDNNLSTM": (2,), "CuDNNGRU": (2,),
  "Activation": ("relu",), "Dropout": (0.5,), "AlphaDropout": (0.5,), "GaussianDropout": (0.5,), "GaussianNoise": (0.5,), "SpatialDropout1D": (0.5,), "SpatialDropout2D": (0.5,), "SpatialDropout3D": (0.5,),
  "Reshape": ((2, 2),), "Permute": ((1, 2),), "RepeatVector": (2,), "Dot": (1,),
  "Rescaling": (0.5,), "Resizing": (2, 2), "CenterCrop": (2, 2), "RandomCrop": (2, 2), "RandomFlip": (), "RandomRotation": (0.1,), "RandomZoom": (0.1,), "RandomTranslation": (0.1, 0.1), "RandomHeight": (0.1,), "RandomWidth": (0.1,), "RandomContrast": (0.1,), "RandomBrightness": (0.1,),
  "CategoryEncoding": (3,), "Hashing": (3,), "HashedCrossing": (3,), "Discretization": ([0.5, 1.0],), 
  "Conv1D": (2, 3), "Conv2D": (2, 3), "Conv3D": (2, 3), "Conv1DTranspose": (2, 3), "Conv2DTranspose": (2, 3), "Conv3DTranspose": (2, 3), "SeparableConv1D": (2, 3), "SeparableConv2D": (2, 3), "DepthwiseConv1D": (3,), "DepthwiseConv2D": (3,), "ConvLSTM1D": (2, 3), "ConvLSTM2D": (2, 3), "ConvLSTM3D": (2, 3), "LocallyConnected1D": (2, 3), "LocallyConnected2D": (2, 3),
  "MultiHeadAttention": (2, 2), "GroupQueryAttention": (2, 2, 2), "GroupedQueryAttention": (2, 2, 2), "EinsumDense": ("ab,bc->ac", 2), "SpectralNormalization": (L.Dense(2),), "RandomGrayscale": (), "MaxNumBoundingBoxes": (3,), "ReversibleEmbedding": (4, 2), "RandomFourierFeatures": (2,),
  "TimeDistributed": (L.Dense(2),), "Bidirectional": (L.LSTM(2),), "Wrapper": (L.Dense(2),), "RNN": (L.LSTMCell(2) if get("LSTMCell") else None,), "StackedRNNCells": ([L.LSTMCell(2)] if get("LSTMCell") else None,),
  "Lambda": None, "TFSMLayer": None, "TorchModuleWrapper": None, "JaxLayer": None, "FlaxLayer": None, "DenseFeatures": None, "AbstractRNNCell": None, "MaxoutDense": (2,), "Highway": (),
  "Input": None, "ActivityRegularization": (), "MelSpectrogram": (), "STFTSpectrogram": (), "AugMix": (), "Pipeline": ([L.Dense(2)],),
}
out = {}
def default(o):
    try: return o.tolist()
    except Exception: pass
    try: return {"class_name": type(o).__name__, "config": o.get_config()}
    except Exception: return str(o)
def note(kind, name, make):
    try:
        obj = make()
        out[name] = json.loads(json.dumps(obj.get_config(), default=default))
        out[name].pop("name", None)
        out[name]["__kind__"] = kind
    except Exception as e:
        print(which, getattr(keras, "__version__", ""), name, type(e).__name__, str(e)[:100], file=sys.stderr)
for name in sorted(dir(L)):
    cls = getattr(L, name)
    if not inspect.isclass(cls) or name.startswith("_"): continue
    given = GIVEN.get(name, ())
    if given is None: continue
    if name == "InputLayer":
        note("layer", name, lambda: cls(input_shape=(2,)) if "input_shape" in inspect.signature(cls.__init__).parameters else cls((2,)) if "shape" in inspect.signature(cls.__init__).parameters else cls((2,)))
        continue
    note("layer", name, lambda: cls(*given))
compat = None
if which == "tf":
    try:
        C = tf.compat.v1.keras.layers
        for name in ("CuDNNLSTM", "CuDNNGRU"):
            cls = getattr(C, name); note("layer", name, lambda: cls(2))
    except Exception as e: print(e, file=sys.stderr)
for module in ("initializers", "regularizers", "constraints", "optimizers", "losses", "metrics"):
    M = getattr(keras, module)
    for name in sorted(dir(M)):
        cls = getattr(M, name)
        if not inspect.isclass(cls) or name.startswith("_"): continue
        args = {"Identity": (), "MeanIoU": (2,), "OneHotMeanIoU": (2,), "OneHotIoU": (2, [0]), "IoU": (2, [0]), "BinaryIoU": (), "PrecisionAtRecall": (0.5,), "RecallAtPrecision": (0.5,), "SensitivityAtSpecificity": (0.5,), "SpecificityAtSensitivity": (0.5,), "MeanRelativeError": ([1.0],), "LossScaleOptimizer": None, "TFOptimizer": None, "Loss": None, "MeanMetricWrapper": None}.get(name, ())
        if args is None: continue
        if module == "losses" and out.get(name): continue
        note(module[:-1], name, lambda: cls(*args))
try:
    legacy = keras.optimizers.legacy
    for name in sorted(dir(legacy)):
        cls = getattr(legacy, name)
        if inspect.isclass(cls): note("legacy_optimizer", "legacy." + name, lambda: cls())
except Exception: pass
print(json.dumps(out, default=str))
