"""Writes small models with the installed Keras into files/NAME-*.{h5,keras}."""
import os, sys, warnings
warnings.filterwarnings("ignore"); os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
which, name = sys.argv[1:3]
if which == "tf": import tensorflow as tf; keras = tf.keras
elif which == "tf_keras": import tf_keras as keras
else: import keras
L = keras.layers; M = keras.models
three = getattr(keras, "__version__", "2").startswith("3")
def seq(*layers, shape=(4,)):
    if three: return M.Sequential([L.Input(shape)] + list(layers))
    m = M.Sequential(); layers[0]._dummy = 0
    return m, layers, shape
def functional(f, shape=(4,)):
    i = L.Input(shape=shape); return M.Model(i, f(i))
def sequential(make, shape):
    if three: return M.Sequential([L.Input(shape=shape)] + make({}))
    return M.Sequential(make({"input_shape": shape}))
def save(m, what):
    for suffix in ("h5", "keras"):
        if suffix == "keras" and not (three or which == "tf_keras" or name >= "tf212" and name.startswith("tf2") and len(name) > 4): continue
        p = "files/%s-%s.%s" % (name, what, suffix)
        try: m.save(p)
        except Exception as e: print(p, type(e).__name__, str(e)[:120])
class Gate(L.Layer):
    def call(self, x): return x
    def get_config(self): return super(Gate, self).get_config()
makes = {
 "dense": lambda: functional(lambda i: L.Dense(2, activation="relu")(i)),
 "sequential": lambda: sequential(lambda k: [L.Dense(2, **k), L.Dropout(0.5), L.Dense(1)], (4,)),
 "lstm": lambda: functional(lambda i: L.LSTM(2)(i), (3, 4)),
 "gru": lambda: functional(lambda i: L.GRU(2)(i), (3, 4)),
 "bidirectional": lambda: functional(lambda i: L.Bidirectional(L.LSTM(2))(i), (3, 4)),
 "embedding": lambda: functional(lambda i: L.Embedding(5, 2)(i), (3,)),
 "depthwise": lambda: functional(lambda i: L.DepthwiseConv2D(3)(i), (8, 8, 3)),
 "separable": lambda: functional(lambda i: L.SeparableConv2D(2, 3)(i), (8, 8, 3)),
 "conv": lambda: functional(lambda i: L.Dense(2)(L.Flatten()(L.MaxPooling2D()(L.BatchNormalization()(L.Conv2D(2, 3)(i))))), (8, 8, 3)),
 "conv_transpose": lambda: functional(lambda i: L.Conv2DTranspose(2, 3)(i), (8, 8, 3)),
 "spatial_dropout": lambda: functional(lambda i: L.SpatialDropout1D(0.5)(i), (3, 4)),
 "attention": lambda: functional(lambda i: L.MultiHeadAttention(2, 2)(i, i), (3, 4)),
 "merge": lambda: functional(lambda i: L.Concatenate()([L.Dense(2)(i), L.Dense(2)(i)])),
 "flip": lambda: functional(lambda i: L.RandomFlip()(i), (8, 8, 3)),
 "layer_norm": lambda: functional(lambda i: L.LayerNormalization()(i)),
 "leaky": lambda: functional(lambda i: L.LeakyReLU()(i)),
 "thresholded": lambda: functional(lambda i: L.ThresholdedReLU()(i)),
 "gate": lambda: functional(lambda i: Gate()(i)),
 "lambda": lambda: functional(lambda i: L.Lambda(lambda x: x * 2)(i)),
 "cudnn": lambda: functional(lambda i: (tf.compat.v1.keras.layers if which == "tf" else L).CuDNNLSTM(2)(i), (3, 4)),
 "op_mul2": lambda: functional(lambda i: L.Dense(2)(i) * L.Dense(2)(i)),
 "op_mean": lambda: functional(lambda i: keras.ops.mean(L.Dense(2)(i), axis=-1)),
 "op_softmax": lambda: functional(lambda i: keras.ops.softmax(L.Dense(2)(i))),
 "add_op": lambda: functional(lambda i: L.Dense(2)(i) + 1.0),
}
only = sys.argv[3:]
for what, make in makes.items():
    if only and what not in only: continue
    try: m = make()
    except Exception as e:
        print(name, what, type(e).__name__, str(e)[:80]); continue
    save(m, what)
def compiled(what, **k):
    if only and what not in only: return
    m = functional(lambda i: L.Dense(1)(i))
    try:
        m.compile(**k); 
        import numpy as np
        m.train_on_batch(np.zeros((2, 4)), np.zeros((2, 1)))
        save(m, what)
    except Exception as e: print(name, what, type(e).__name__, str(e)[:120])
compiled("mse", optimizer="adam", loss="mse")
compiled("mse_metric", optimizer="adam", loss="mean_squared_error", metrics=["mae"])
compiled("accuracy", optimizer="sgd", loss="binary_crossentropy", metrics=["accuracy"])
compiled("rmsprop", optimizer="rmsprop", loss="binary_crossentropy")
try: compiled("loss_class", optimizer=keras.optimizers.Adam(), loss=keras.losses.MeanSquaredError(), metrics=[keras.metrics.MeanAbsoluteError()])
except Exception as e: print(e)
try: compiled("legacy_adam", optimizer=keras.optimizers.legacy.Adam(decay=1e-4), loss="mse")
except Exception as e: print(str(e)[:80])
def own_loss(a, b): return (a - b) ** 2
compiled("own_loss", optimizer="adam", loss=own_loss)
